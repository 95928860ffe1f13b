//! `soup386 run --step`: a step debugger that reads its commands from stdin.

use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::output::plain;
use crate::{
    Scene,
    defs::{ActorDefIdx, functions},
    natives::Engine,
    script::soup::{
        Observer, Thread,
        debug::{Breakpoints, Debugger, LastCall, Resume, Stop},
    },
    soup::{code::StatementIdx, text::statement_line},
    world::{Actor, N_SLOTS},
};

const HELP: &str = "\
s, step            to the next statement of any program
n, next            to the next statement of this thread of this actor
c, continue        to the next breakpoint
b, break [A:]AT    stop at a label or offset of this program, or of actor A's: #TOP, #1A, 1A
d, delete [A:]AT   stop there no more; without AT: nowhere
w, where           the cursor and the lines around it
l, locals          the locals
t, tasks           the six slots
f, flags           the flags
r, result          the last call, its result, and why it was refused
q, quit            end the run after this update
h, help            this text";

/// A debugger on stdin. `ended` is set when the user wants no more; answers go to stderr when stdout has a trace.
pub(crate) fn debugger(scene: &Scene, ended: Arc<AtomicBool>, to_stderr: bool) -> Box<dyn Observer> {
    let names = scene.defs.actors().iter().map(|record| record.name.clone()).collect();
    let labels = scene.defs.actors().iter().map(|record| record.program_labels.clone()).collect();
    let mut console = Console { names, labels, ended, to_stderr, is_over: false };
    Box::new(Debugger::new(Resume::Step, move |engine: &Engine, stop: Stop<'_>, breakpoints: &mut Breakpoints| {
        console.ask(engine, &stop, breakpoints)
    }))
}

struct Console {
    /// Names and labels by record.
    names: Vec<String>,
    labels: Vec<Arc<[(String, u32)]>>,
    ended: Arc<AtomicBool>,
    to_stderr: bool,
    /// No command will come any more.
    is_over: bool,
}

impl Console {
    fn say(&self, text: &str) {
        let line = format!("{text}\n");
        // Nobody is left to read when writing fails; the run goes on.
        let _ = if self.to_stderr {
            io::stderr().write_all(line.as_bytes())
        } else {
            io::stdout().lock().write_all(line.as_bytes())
        };
    }

    fn ask(&mut self, engine: &Engine, stop: &Stop<'_>, breakpoints: &mut Breakpoints) -> Resume {
        if self.is_over {
            return Resume::Continue;
        }
        self.say(&self.headline(engine, stop));
        loop {
            let mut line = String::new();
            match io::stdin().lock().read_line(&mut line) {
                Ok(1..) => {}
                _ => return self.leave(breakpoints),
            }
            let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match command {
                "" | "s" | "step" => return Resume::Step,
                "n" | "next" => return Resume::StepThread,
                "c" | "continue" => return Resume::Continue,
                "q" | "quit" => {
                    self.ended.store(true, Ordering::Relaxed);
                    return self.leave(breakpoints);
                }
                "b" | "break" => self.set(engine, stop, breakpoints, rest.trim()),
                "d" | "delete" => self.delete(stop, breakpoints, rest.trim()),
                _ => self.show(engine, stop, command),
            }
        }
    }

    fn leave(&mut self, breakpoints: &mut Breakpoints) -> Resume {
        self.is_over = true;
        *breakpoints = Breakpoints::default();
        Resume::Continue
    }

    fn show(&self, engine: &Engine, stop: &Stop<'_>, command: &str) {
        let actor = engine.world.get(stop.place.actor);
        let text = match command {
            "w" | "where" => around(stop),
            "l" | "locals" => locals(actor),
            "t" | "tasks" => tasks(actor),
            "f" | "flags" => flags(engine),
            "r" | "result" => stop.last_call.map_or_else(|| "no call yet".to_owned(), |call| result(engine, call)),
            "h" | "help" => HELP.to_owned(),
            other => format!("unknown command {:?}; help lists them", plain(other)),
        };
        self.say(&text);
    }

    fn headline(&self, engine: &Engine, stop: &Stop<'_>) -> String {
        let place = &stop.place;
        let update = engine.world.clock.tick;
        let actor = engine.world.name_of(place.actor).unwrap_or("?");
        let thread = if place.thread == Thread::Entry { "entry" } else { "main" };
        let mark = if stop.at_breakpoint { "* " } else { "" };
        let line = statement_line(place.code, place.statement);
        format!("{mark}update {update} {actor} {thread} +0x{:02X}: {}", place.offset(), line.trim_end())
    }

    /// The record and offset that `[ACTOR:]AT` means.
    fn place(&self, stop: &Stop<'_>, text: &str) -> Result<(ActorDefIdx, u32), String> {
        let (actor, at) = text.split_once(':').map_or((None, text), |(actor, at)| (Some(actor), at));
        let record = match actor {
            None => stop.place.record,
            Some(name) => {
                let found = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
                ActorDefIdx(found.ok_or_else(|| format!("there is no actor {:?}", plain(name)))? as u32)
            }
        };
        let word = at.trim_start_matches('#');
        if word.is_empty() {
            return Err("a label or an offset is missing, such as #TOP or 1A".to_owned());
        }
        let labels = self.labels.get(record.0 as usize);
        let labelled = labels.and_then(|labels| labels.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)));
        let offset = labelled.map(|&(_, offset)| offset).or_else(|| u32::from_str_radix(word, 16).ok());
        offset.map(|offset| (record, offset)).ok_or_else(|| format!("no label or offset {:?}", plain(at)))
    }

    fn set(&self, engine: &Engine, stop: &Stop<'_>, breakpoints: &mut Breakpoints, text: &str) {
        let begins = |record, offset| {
            let program = engine.programs.get(record);
            program.is_some_and(|program| program.code.index_of(offset).is_some())
        };
        match self.place(stop, text) {
            Ok((record, offset)) if !begins(record, offset) => {
                self.say(&format!("no statement begins at +0x{offset:02X}"));
            }
            Ok((record, offset)) => {
                breakpoints.insert(record, offset);
                self.say(&format!("stops at {} +0x{offset:02X}", self.names[record.0 as usize]));
            }
            Err(reason) => self.say(&reason),
        }
    }

    fn delete(&self, stop: &Stop<'_>, breakpoints: &mut Breakpoints, text: &str) {
        if text.is_empty() {
            *breakpoints = Breakpoints::default();
            return self.say("stops nowhere");
        }
        match self.place(stop, text) {
            Ok((record, offset)) if breakpoints.remove(record, offset) => {
                self.say(&format!("stops at {} +0x{offset:02X} no more", self.names[record.0 as usize]));
            }
            Ok((_, offset)) => self.say(&format!("there was no stop at +0x{offset:02X}")),
            Err(reason) => self.say(&reason),
        }
    }
}

/// The lines around the cursor, which is marked.
fn around(stop: &Stop<'_>) -> String {
    const SHOWN: StatementIdx = 3;
    let (code, at) = (stop.place.code, stop.place.statement);
    let last = (at + SHOWN + 1).min(code.statements().len() as StatementIdx);
    let line = |index| {
        let mark = if index == at { '>' } else { ' ' };
        format!("{mark} +0x{:02X}: {}", code.offset(index), statement_line(code, index).trim_end())
    };
    (at.saturating_sub(SHOWN)..last).map(line).collect::<Vec<_>>().join("\n")
}

fn locals(actor: Option<&Actor>) -> String {
    let state = actor.and_then(|actor| actor.script.as_ref());
    let locals = state.map_or(&[][..], |state| &state.locals);
    let shown: Vec<_> = locals.iter().enumerate().map(|(index, value)| format!("var{index} = {value}")).collect();
    if shown.is_empty() { "no locals".to_owned() } else { shown.join(", ") }
}

fn tasks(actor: Option<&Actor>) -> String {
    let slot = |slot: usize| {
        let Some(task) = actor.and_then(|actor| actor.tasks.in_slot(slot)) else { return format!("{slot}: -") };
        let name = functions().get(task.native).map_or("?", |decl| decl.name);
        let blocking = if task.blocking { " blocking" } else { "" };
        let paused = if task.paused { " paused" } else { "" };
        format!("{slot}: {name} counter {}{blocking}{paused}", task.counter)
    };
    (0..N_SLOTS).map(slot).collect::<Vec<_>>().join("\n")
}

fn flags(engine: &Engine) -> String {
    let names = engine.defs.flags().iter().map(|flag| flag.name.as_str());
    let row = |(name, flag): (&str, &crate::world::Flag)| {
        format!("{} = {}{}", plain(name), flag.value, if flag.latch { " latched" } else { "" })
    };
    let shown: Vec<_> = names.zip(&engine.world.flags).map(row).collect();
    if shown.is_empty() { "no flags".to_owned() } else { shown.join(", ") }
}

fn result(engine: &Engine, call: &LastCall) -> String {
    let name = functions().get(call.native).map_or("?", |decl| decl.name);
    let on = engine.world.name_of(call.receiver).unwrap_or("?");
    let args: Vec<_> = (0..call.args.len())
        .map(|index| match call.args.text() {
            Some(text) if index == 0 => format!("{text:?}"),
            _ => call.args.int(index).to_string(),
        })
        .collect();
    let refusal = call.refusal.as_ref().map(|refusal| format!("\n{refusal}")).unwrap_or_default();
    format!("{on}.{name}({}) = {}{refusal}", args.join(", "), call.value)
}
