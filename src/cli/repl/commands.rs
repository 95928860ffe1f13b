//! The commands that begin with a colon.

use super::{Console, Problem, load};
use crate::{
    cli::{
        output::{Align, Table, count, plain, to_stdout},
        trace::show_rows,
    },
    defs::did_you_mean,
    trace::Row,
    world::{Actor, ActorKey},
};

/// Updates that one `:step` runs at most.
const MOST_STEPS: u64 = 1_000_000;

pub(super) struct Command {
    pub(super) name: &'static str,
    form: &'static str,
    help: &'static str,
    /// False ends the session.
    act: fn(&mut Console, &str) -> Result<bool, Problem>,
}

pub(super) const COMMANDS: [Command; 7] = [
    Command { name: "step", form: ":step [N]", help: "runs N updates, or one", act: step },
    Command { name: "trace", form: ":trace [ACTOR]", help: "shows the trace of the last update", act: trace },
    Command {
        name: "load",
        form: ":load FILE",
        help: "makes a .lua or .rhai file the director;\n                      :load FILE.soup[#NAME] ACTOR gives an actor this SOUP program",
        act: load::load,
    },
    Command { name: "actors", form: ":actors", help: "lists the actors", act: actors },
    Command { name: "why", form: ":why ACTOR", help: "says why the last call on an actor was refused", act: why },
    Command { name: "help", form: ":help", help: "shows this text", act: help },
    Command { name: "quit", form: ":quit", help: "ends the session", act: |_, _| Ok(false) },
];

impl Console {
    /// Runs a command, given without its colon. False ends the session.
    pub(super) fn command(&mut self, text: &str) -> Result<bool, Problem> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
            let hint = did_you_mean(name, COMMANDS.iter().map(|command| command.name));
            self.fail(format_args!("there is no command {:?}{hint}; :help lists them", plain(name)));
            return Ok(true);
        };
        (command.act)(self, rest.trim())
    }

    /// The actor of a name, or a message.
    pub(super) fn actor(&mut self, name: &str) -> Option<ActorKey> {
        let found = self.runtime.engine().actor_named(name);
        found.map_err(|error| self.fail(error)).ok()
    }
}

fn step(console: &mut Console, number: &str) -> Result<bool, Problem> {
    let number = if number.is_empty() { Ok(1) } else { number.parse() };
    let Some(number) = number.ok().filter(|number| (1..=MOST_STEPS).contains(number)) else {
        console.fail(format_args!(":step takes a number of updates from 1 to {MOST_STEPS}"));
        return Ok(true);
    };
    for done in 0..number {
        if console.is_interrupted() {
            console.end_line();
            console.fail(format_args!("interrupted after {}", count(done, "update")));
            break;
        }
        console.update()?;
    }
    Ok(true)
}

fn trace(console: &mut Console, name: &str) -> Result<bool, Problem> {
    let wanted = if name.is_empty() { None } else { console.actor(name) };
    if wanted.is_none() && !name.is_empty() {
        return Ok(true);
    }
    let engine = console.runtime.engine();
    if engine.world.clock.updates == 0 {
        console.fail("no update has run yet; :step runs one");
        return Ok(true);
    }
    let is_wanted = |actor: &&Actor| wanted.is_none_or(|key| key == actor.key);
    let rows = engine.world.actors().filter(is_wanted);
    show_rows(rows.map(|actor| Row::new(&engine.defs, actor, engine.world.clock.tick).values()))?;
    Ok(true)
}

fn actors(console: &mut Console, _: &str) -> Result<bool, Problem> {
    let engine = console.runtime.engine();
    let columns = [("actor", Align::Left), ("script", Align::Left), ("group", Align::Right), ("drawn", Align::Right)];
    to_stdout(|out| {
        let mut table = Table::new(columns.map(|(name, align)| (name.to_owned(), align)));
        for actor in engine.world.actors() {
            let record = engine.defs.actor(actor.def);
            let program = record.program.as_ref().map(|program| format!("program {}", plain(&program.name)));
            let script = program.or_else(|| record.script.as_ref().map(|script| plain(&script.name)));
            let (group, drawn) = (actor.playback.current.to_string(), actor.weapon_drawn.to_string());
            let name = plain(&actor.cold.name);
            table.row(out, vec![name, script.unwrap_or_else(|| "-".to_owned()), group, drawn])?;
        }
        table.finish(out)
    })?;
    Ok(true)
}

fn why(console: &mut Console, name: &str) -> Result<bool, Problem> {
    if let Some(key) = console.actor(name) {
        let why = console.runtime.engine().why(key).unwrap_or_default();
        console.say(if why.is_empty() { "the last call was not refused" } else { &why })?;
    }
    Ok(true)
}

fn help(console: &mut Console, _: &str) -> Result<bool, Problem> {
    let lines: Vec<_> = COMMANDS.iter().map(|command| format!("{:<20}  {}", command.form, command.help)).collect();
    console.say(&format!(
        "A line is run at once; what it gives is printed. An open block or bracket goes on in the next line.\n{}",
        lines.join("\n")
    ))?;
    Ok(true)
}
