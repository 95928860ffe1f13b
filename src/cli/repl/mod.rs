//! `soup386 repl`: lines of script against a live world.

mod commands;
mod complete;
mod input;
mod interrupt;
mod load;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use clap::Args;

use self::{
    input::{Input, Line},
    interrupt::Interruption,
};
use super::{
    Outcome,
    output::{cannot_write, count, message},
    problem::{Problem, print_script_error},
};
use crate::{
    Error, Runtime, Scene,
    defs::{ModuleSource, ScriptSource},
    script::{ScriptError, ScriptErrorKind},
    update::Entry,
};

/// Updates that one text may wait.
const MOST_UPDATES: u64 = 100_000;
/// Bytes of one text, all its lines together.
const MOST_TEXT: usize = 1 << 20;

#[derive(Args)]
#[command(after_help = "Examples:\n  soup386 repl --scene yard.toml\n  soup386 repl --rhai --seed 7")]
pub(crate) struct ReplArguments {
    /// The scene file; without it the built-in demo.
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// Lines are Rhai instead of Lua.
    #[arg(long)]
    rhai: bool,
    /// Start state of the random numbers: replaces the scene's.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

pub(crate) fn run(arguments: &ReplArguments) -> Result<Outcome, Problem> {
    let mut scene = arguments.scene.as_ref().map_or_else(|| Ok(Scene::demo()), Scene::from_file)?;
    scene.seed = arguments.seed.unwrap_or(scene.seed);
    let mut console = Console::new(scene, if arguments.rhai { "repl.rhai" } else { "repl.lua" })?;
    let mut input = Input::new()?;
    if input.is_terminal() {
        console.say("Lines are run at once; :help lists the commands, :quit ends.")?;
    }
    loop {
        match input.line(&console)? {
            Line::Text(line) if console.run(&line)? => {}
            Line::Interrupted if console.give_up()? => {}
            Line::Unreadable(reason) => console.fail(reason),
            Line::Text(_) | Line::Interrupted | Line::End => break,
        }
    }
    if !console.pending.is_empty() {
        console.fail("the input ended within a text");
    }
    Ok(if console.n_failed == 0 || input.is_terminal() { Outcome::Held } else { Outcome::Failed })
}

/// The world and the texts entered so far.
struct Console {
    runtime: Runtime,
    /// What names the session, in places of errors too.
    session: ScriptSource,
    /// Lines of a text that is not whole.
    pending: String,
    /// The texts of scripts, for blocks with the line at fault.
    sources: Vec<ScriptSource>,
    n_failed: u64,
    interruption: Interruption,
    /// The last thing that the user did was to press Ctrl-C.
    was_interrupted: bool,
}

impl Console {
    fn new(scene: Scene, session: &str) -> Result<Self, Problem> {
        let scripts = scene.defs.actors().iter().filter_map(|record| record.script.clone());
        let sources: Vec<ScriptSource> = scripts.chain(scene.director.clone()).collect();
        let modules = ModuleSource::Folder(PathBuf::from("."));
        let session = ScriptSource { name: session.to_owned(), text: String::new(), modules };
        // An empty text shows whether this build has the language.
        let runtime = Runtime::new(scene).and_then(|mut runtime| runtime.enter(&session).map(|_| runtime));
        let runtime = runtime.map_err(|error| Problem::Library { error, sources: sources.clone() })?;
        let interruption = Interruption::listen().map_err(|error| Problem::io("cannot listen for Ctrl-C", error))?;
        let (pending, n_failed, was_interrupted) = (String::new(), 0, false);
        Ok(Self { runtime, session, pending, sources, n_failed, interruption, was_interrupted })
    }

    /// Runs a line, which Ctrl-C ends. False ends the session.
    fn run(&mut self, line: &str) -> Result<bool, Problem> {
        self.was_interrupted = false;
        self.interruption.begin();
        let goes_on = self.take(line);
        self.interruption.end();
        goes_on
    }

    /// Ctrl-C at the prompt gives up the lines of a text that is not whole. False ends the session: there were none, and
    /// it was the second in succession.
    fn give_up(&mut self) -> Result<bool, Problem> {
        let had_lines = !std::mem::take(&mut self.pending).is_empty();
        let is_second = std::mem::replace(&mut self.was_interrupted, true);
        if !had_lines && !is_second {
            self.say("Ctrl-C once more, or :quit, ends the session")?;
        }
        Ok(had_lines || !is_second)
    }

    /// A terminal shows `^C` where the cursor stands.
    fn end_line(&self) {
        if self.was_interrupted && io::stderr().is_terminal() {
            message("");
        }
    }

    /// Whether Ctrl-C was pressed while a line runs.
    fn is_interrupted(&mut self) -> bool {
        let is_interrupted = self.interruption.take();
        self.was_interrupted |= is_interrupted;
        is_interrupted
    }

    /// Runs a line, or keeps it until its text is whole. False ends the session.
    fn take(&mut self, line: &str) -> Result<bool, Problem> {
        // Two colons begin a label of Lua 5.4.
        let command = line.trim().strip_prefix(':').filter(|rest| self.pending.is_empty() && !rest.starts_with(':'));
        if let Some(command) = command {
            return self.command(command);
        }
        if self.pending.len() + line.len() > MOST_TEXT {
            self.pending.clear();
            self.fail(format_args!("a text has at most {MOST_TEXT} bytes"));
            return Ok(true);
        }
        if !self.pending.is_empty() {
            self.pending.push('\n');
        }
        self.pending.push_str(line);
        let source = ScriptSource { text: self.pending.clone(), ..self.session.clone() };
        let entered = self.runtime.enter(&source);
        if !matches!(entered, Ok(Entry::Unfinished)) {
            self.pending.clear();
        }
        self.finish(entered)?;
        Ok(true)
    }

    /// Runs updates until a text is done.
    fn finish(&mut self, mut entered: crate::Result<Entry>) -> Result<(), Problem> {
        let mut waited = 0;
        while matches!(entered, Ok(Entry::Waits)) {
            let reason = match self.is_interrupted() {
                true => Some(format!("interrupted after {}; the session goes on", count(waited, "update"))),
                false if waited == MOST_UPDATES => {
                    Some(format!("the text still waits after {MOST_UPDATES} updates; the session goes on"))
                }
                false => None,
            };
            if let Some(reason) = reason {
                let nothing = ScriptSource { text: String::new(), ..self.session.clone() };
                let _ = self.runtime.enter(&nothing);
                self.show_output()?;
                self.end_line();
                self.fail(reason);
                return Ok(());
            }
            waited += 1;
            // What was printed before the wait comes before what the update prints.
            self.show_output()?;
            self.update()?;
            entered = self.runtime.go_on();
        }
        self.show_output()?;
        if let Err(error) = entered {
            self.fail_with(&error);
        }
        Ok(())
    }

    /// One update, with what scripts print and why they end.
    fn update(&mut self) -> Result<(), Problem> {
        let updated = self.runtime.update();
        self.show_output()?;
        for failure in self.runtime.drain_failures() {
            self.n_failed += 1;
            print_script_error(&failure, &self.sources);
        }
        updated.map_err(|error| Problem::Library { error, sources: Vec::new() })
    }

    fn show_output(&mut self) -> Result<(), Problem> {
        let lines = self.runtime.drain_output();
        if lines.is_empty() { Ok(()) } else { self.say(&lines.join("\n")) }
    }

    fn say(&self, text: &str) -> Result<(), Problem> {
        let mut out = io::stdout().lock();
        out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush()).map_err(cannot_write)
    }

    fn fail(&mut self, reason: impl std::fmt::Display) {
        self.n_failed += 1;
        message(format_args!("error: {reason}"));
    }

    fn fail_with(&mut self, error: &Error) {
        match error {
            Error::Script(error) => self.fail(self.shown(error)),
            error => self.fail(error),
        }
    }

    /// An error in the words that help here: the place only where it is not the line just entered.
    fn shown(&self, error: &ScriptError) -> String {
        let is_here = error.file == self.session.name && error.line.is_none_or(|line| line == 1);
        let hint = match error.kind {
            ScriptErrorKind::Budget => "; the session goes on",
            _ => "",
        };
        if is_here { format!("{}{hint}", error.message) } else { format!("{error}{hint}") }
    }
}

#[cfg(all(test, any(feature = "luau", feature = "lua54")))]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_gives_up_lines_and_a_second_one_ends_the_session() {
        let mut console = Console::new(Scene::demo(), "repl.lua").expect("a session");
        let goes_on = |result: Result<bool, Problem>| result.expect("no problem");
        assert!(goes_on(console.run("x = 1")));
        assert!(goes_on(console.run("for i = 1, 2 do")), "an open block");
        assert!(goes_on(console.give_up()), "the block is given up");
        assert!(console.pending.is_empty());
        assert!(!goes_on(console.give_up()), "a second one");
        assert!(goes_on(console.run("x = x + 1")));
        assert!(goes_on(console.give_up()), "the first one since the last line");
        assert!(!goes_on(console.give_up()));
        assert_eq!(console.n_failed, 0);
    }
}
