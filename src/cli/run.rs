//! `soup386 run`.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;

use super::{
    Outcome,
    game::GameArguments,
    output::{cannot_write, count, message},
    problem::{Problem, print_script_error, print_warnings},
    step,
};
use crate::{
    Runtime, Scene,
    defs::ScriptSource,
    import::{DEMO_DIRECTOR, script_from_file},
    trace::{Extras, Header, lines_with, push_line},
    update::Options,
};

/// Updates of a run for which nothing else says how many.
const DEFAULT_UPDATES: u64 = 1000;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 run --scene yard.toml --updates 200 --trace yard.jsonl duel.lua\n  soup386 run --game Redguard --map ISLAND walk.lua"
)]
pub(crate) struct RunArguments {
    /// The director script (.lua or .rhai); without it the scene's own.
    script: Option<PathBuf>,
    /// The scene file; without it and without a game the built-in demo.
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    scene: Option<PathBuf>,
    #[command(flatten)]
    game: GameArguments,
    /// Stop after so many updates; without it when the director ends, or after 1000 updates without a director.
    #[arg(long, value_name = "N", alias = "ticks")]
    updates: Option<u64>,
    /// Write the trace to a file, whole or not at all; - is stdout.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Put events between the lines of the trace.
    #[arg(long, requires = "trace")]
    trace_events: bool,
    /// Put into the trace where programs stand, the task slots and the flags.
    #[arg(long, requires = "trace")]
    trace_scripts: bool,
    /// Step through the SOUP programs; commands come from stdin, help lists them.
    #[arg(long)]
    step: bool,
    /// Nominal ticks of successive updates, such as 1,2,0: replaces the scene's.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(i32).range(0..))]
    nominal: Option<Vec<i32>>,
    /// Start state of the random numbers: replaces the scene's.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Threads that an update may use; the results are the same for any number.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Print no summary.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Problem> {
    let scene = scene(arguments)?;
    let sources: Vec<ScriptSource> =
        scene.defs.actors().iter().filter_map(|record| record.script.clone()).chain(scene.director.clone()).collect();
    let problem = |error| Problem::Library { error, sources: sources.clone() };
    let header = Header::new(&scene);
    let has_director = scene.director.is_some();
    let options = Options { threads: arguments.threads, ..Options::default() };
    let mut runtime = Runtime::with_options(scene.clone(), options).map_err(problem)?;
    let extras = Extras { events: arguments.trace_events, scripts: arguments.trace_scripts };
    let trace = arguments.trace.as_deref().map(|target| TraceFile::new(target, extras)).transpose()?;
    let limit = arguments.updates.or_else(|| (!has_director).then_some(DEFAULT_UPDATES));
    let ended = Arc::new(AtomicBool::new(false));
    if arguments.step {
        if scene.defs.actors().iter().all(|actor| actor.program.is_none()) {
            message("warning: no actor has a SOUP program: there is nothing to step through");
        }
        runtime.set_observer(step::debugger(&scene, Arc::clone(&ended), is_stdout(arguments)));
    }
    let mut session = Session { runtime, ended, trace, sources, n_failures: 0, lines_to_stderr: is_stdout(arguments) };
    session.run(limit)?;
    session.finish(&header, arguments.quiet)
}

fn is_stdout(arguments: &RunArguments) -> bool {
    arguments.trace.as_deref() == Some(Path::new("-"))
}

/// The scene with what the arguments replace.
fn scene(arguments: &RunArguments) -> Result<Scene, Problem> {
    let mut scene = match (&arguments.scene, arguments.game.options()) {
        (Some(path), _) => Scene::from_file(path)?,
        (None, Some(options)) => {
            let imported = Scene::from_game(&options)?;
            print_warnings(&imported.warnings);
            imported.scene
        }
        (None, None) => {
            let (name, text) = DEMO_DIRECTOR;
            Scene { director: Some(ScriptSource::new(name, text)), ..Scene::demo() }
        }
    };
    if let Some(script) = &arguments.script {
        scene.director = Some(script_from_file(script)?);
    }
    if let Some(nominal) = &arguments.nominal {
        scene.clock.nominal.clone_from(nominal);
    }
    scene.seed = arguments.seed.unwrap_or(scene.seed);
    Ok(scene)
}

/// A run under way.
struct Session {
    runtime: Runtime,
    /// Set when the user of the debugger wants no more.
    ended: Arc<AtomicBool>,
    trace: Option<TraceFile>,
    sources: Vec<ScriptSource>,
    n_failures: usize,
    /// The trace has stdout for itself.
    lines_to_stderr: bool,
}

impl Session {
    fn run(&mut self, limit: Option<u64>) -> Result<(), Problem> {
        let progress = progress(limit);
        let mut done = 0;
        let wanted = |done| limit.is_none_or(|limit| done < limit);
        while wanted(done) && self.runtime.is_running() && !self.ended.load(Ordering::Relaxed) {
            let updated = self.runtime.update();
            updated.map_err(|error| Problem::Library { error, sources: Vec::new() })?;
            done += 1;
            self.show_output()?;
            self.show_failures(&progress);
            if let Some(trace) = &mut self.trace {
                trace.write(&self.runtime)?;
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(())
    }

    fn show_output(&mut self) -> Result<(), Problem> {
        let lines = self.runtime.drain_output();
        if lines.is_empty() {
            return Ok(());
        }
        let text = lines.join("\n") + "\n";
        let written = if self.lines_to_stderr {
            io::stderr().write_all(text.as_bytes())
        } else {
            io::stdout().lock().write_all(text.as_bytes())
        };
        match written {
            // The trace is still wanted when nobody reads what scripts print.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.trace.is_some() => Ok(()),
            written => written.map_err(cannot_write),
        }
    }

    fn show_failures(&mut self, progress: &ProgressBar) {
        let failures = self.runtime.drain_failures();
        self.n_failures += failures.len();
        progress.suspend(|| failures.iter().for_each(|failure| print_script_error(failure, &self.sources)));
    }

    fn finish(mut self, header: &Header, quiet: bool) -> Result<Outcome, Problem> {
        let updates = self.runtime.world().clock.updates;
        if let Some(trace) = self.trace.take() {
            trace.finish(&Header { updates, ..header.clone() })?;
        }
        if !quiet {
            let summary = self.summary(updates);
            if self.lines_to_stderr {
                message(summary);
            } else {
                writeln!(io::stdout(), "{summary}").map_err(cannot_write)?;
            }
        }
        Ok(if self.n_failures == 0 { Outcome::Held } else { Outcome::Failed })
    }

    fn summary(&self, updates: u64) -> String {
        let world = self.runtime.world();
        let failed = match self.n_failures {
            0 => String::new(),
            n => format!(", {} failed", count(n as u64, "script")),
        };
        format!("{}, {}{failed}", count(updates, "update"), count(world.len() as u64, "actor"))
    }
}

/// Long runs show how far they are, on a terminal only.
fn progress(limit: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() || limit.is_none_or(|limit| limit < 10_000) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} updates, {eta} left");
    let bar = ProgressBar::new(limit.unwrap_or(0));
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

/// A trace that is spooled until its length is known, then written whole.
struct TraceFile {
    target: PathBuf,
    extras: Extras,
    spool: BufWriter<File>,
}

impl TraceFile {
    fn new(target: &Path, extras: Extras) -> Result<Self, Problem> {
        // Found out now, a folder that is not there costs no run.
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Problem::Other(format!(
                "cannot write the trace {}: there is no folder {}",
                target.display(),
                folder.display()
            )));
        }
        let spool = tempfile::tempfile().map_err(|error| Problem::io("cannot make a temporary file", error))?;
        Ok(Self { target: target.to_owned(), extras, spool: BufWriter::new(spool) })
    }

    fn write(&mut self, runtime: &Runtime) -> Result<(), Problem> {
        let engine = runtime.engine();
        let written = self.spool.write_all(&lines_with(&engine.defs, &engine.world, self.extras));
        written.map_err(|error| Problem::io("cannot write the trace", error))
    }

    fn finish(self, header: &Header) -> Result<(), Problem> {
        let failed = |error| Problem::io(format!("cannot write the trace {}", self.target.display()), error);
        let mut spool = self.spool.into_inner().map_err(|error| failed(error.into_error()))?;
        spool.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut head = Vec::new();
        push_line(&mut head, header);
        let mut whole = head.as_slice().chain(spool);
        if self.target == Path::new("-") {
            return io::copy(&mut whole, &mut io::stdout().lock()).map(drop).map_err(failed);
        }
        write_whole(&self.target, &mut whole).map_err(failed)
    }
}

/// Writes a file whole or not at all: into a temporary file beside it, then renamed. What is there and no regular file,
/// such as a pipe or `/dev/null`, is written to and never replaced.
pub(crate) fn write_whole(target: &Path, content: &mut impl Read) -> io::Result<()> {
    // A link stays one: the file that it leads to is replaced.
    let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
    if target.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder: name a file in it"));
    }
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return io::copy(content, &mut OpenOptions::new().write(true).open(&target)?).map(drop);
    }
    let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())));
    }
    let mut file = temporary_file(folder)?;
    io::copy(content, &mut file)?;
    file.as_file().sync_all()?;
    file.persist(target).map(drop).map_err(|error| error.error)
}

/// Temporary files are private unless told otherwise; this one becomes a file like any other.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
