//! `soup386 natives`: the registry of SOUP functions, as a table or for editors.

mod lua;
mod rhai;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{
    Outcome,
    output::{Align, Table, to_stdout},
    problem::Problem,
};
use crate::{
    defs::{FunctionDecl, FunctionKind, did_you_mean, functions},
    natives::{NativeState, Natives},
};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  soup386 natives drawsword sheathsword\n  soup386 natives --format lua > soup386.d.lua"
)]
pub(crate) struct NativesArguments {
    /// Only these functions, by name without case.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// How to write them: lua and rhai are definition files for editors.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Only functions in this state.
    #[arg(long, value_enum)]
    state: Option<State>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
    Lua,
    Rhai,
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    /// This runtime has a handler.
    Implemented,
    /// Documented, left to the host.
    Delegated,
    /// No document says what it does; left to the host.
    Undocumented,
}

impl State {
    fn of(state: NativeState) -> Self {
        match state {
            NativeState::Implemented => Self::Implemented,
            NativeState::Delegated => Self::Delegated,
            NativeState::Undocumented => Self::Undocumented,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Implemented => "implemented",
            Self::Delegated => "delegated",
            Self::Undocumented => "undocumented",
        }
    }
}

/// A function and what becomes of a call of it.
type Listed = (&'static FunctionDecl, State);

pub(crate) fn run(arguments: &NativesArguments) -> Result<Outcome, Problem> {
    let listed = listed(arguments)?;
    to_stdout(|out| match arguments.format {
        Format::Table => table(out, &listed),
        Format::Json => json_array(out, &listed),
        Format::Lua => lua::write(out, &listed),
        Format::Rhai => rhai::write(out, &listed),
        Format::Markdown => markdown(out, &listed),
    })?;
    Ok(Outcome::Held)
}

/// The functions that are asked for, in definition order.
fn listed(arguments: &NativesArguments) -> Result<Vec<Listed>, Problem> {
    let table = functions();
    let mut wanted = Vec::new();
    for name in &arguments.names {
        let Some(id) = table.named(name) else {
            let hint = did_you_mean(name, table.rows().iter().map(|decl| decl.name));
            return Err(Problem::Other(format!("there is no function {name:?}{hint}")));
        };
        wanted.push(id);
    }
    let natives = Natives::default();
    let rows = table.rows().iter().filter(|decl| wanted.is_empty() || wanted.contains(&decl.id));
    let rows = rows.map(|decl| (decl, State::of(natives.state(decl))));
    Ok(rows.filter(|&(_, state)| arguments.state.is_none_or(|wanted| wanted == state)).collect())
}

fn table(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    let left = ["name", "kind", "parameters", "state", "doc"].map(|name| (name.to_owned(), Align::Left));
    let mut table = Table::new([("id".to_owned(), Align::Right)].into_iter().chain(left));
    for (decl, state) in listed {
        let kind = decl.kind.to_string();
        let parameters = if decl.parameters.is_empty() { "-".to_owned() } else { decl.parameters.join(" ") };
        let (id, name, state, doc) = (decl.id.0.to_string(), decl.name.to_owned(), state.word(), decl.doc);
        table.row(out, vec![id, name, kind, parameters, state.to_owned(), doc.to_owned()])?;
    }
    table.finish(out)?;
    writeln!(out, "{}", counts(listed))
}

/// How many of the functions are in which state.
fn counts(listed: &[Listed]) -> String {
    let n = |wanted| listed.iter().filter(|&&(_, state)| state == wanted).count();
    let (implemented, delegated) = (n(State::Implemented), n(State::Delegated));
    format!("{implemented} implemented, {delegated} delegated to the host, {} undocumented", n(State::Undocumented))
}

/// A function in JSON.
#[derive(Serialize)]
struct Entry<'a> {
    id: u16,
    name: &'a str,
    script_name: &'a str,
    kind: FunctionKind,
    parameters: &'a [&'a str],
    state: &'a str,
    source: &'a str,
    doc: &'a str,
}

fn json_array(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    let entries = listed.iter().map(|(decl, state)| Entry {
        id: decl.id.0,
        name: decl.name,
        script_name: &decl.script_name,
        kind: decl.kind,
        parameters: &decl.parameters,
        state: state.word(),
        source: decl.source,
        doc: decl.doc,
    });
    serde_json::to_writer_pretty(&mut *out, &entries.collect::<Vec<_>>())?;
    writeln!(out)
}

fn markdown(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    writeln!(out, "| id | name | kind | parameters | state | what it does | source |")?;
    writeln!(out, "| ---: | --- | --- | --- | --- | --- | --- |")?;
    let text = |text: &str| text.replace('|', "\\|");
    for (decl, state) in listed {
        let (id, name, kind, state) = (decl.id.0, decl.name, decl.kind, state.word());
        let (parameters, doc, source) = (decl.parameters.join(", "), text(decl.doc), text(decl.source));
        writeln!(out, "| {id} | `{name}` | {kind} | {parameters} | {state} | {doc} | {source} |")?;
    }
    writeln!(out, "\n{}", counts(listed))
}

/// What an editor shows of a function.
fn doc_lines((decl, state): &Listed) -> [String; 2] {
    let doc = format!("{}.", decl.doc.trim_end_matches('.'));
    let source = if *state == State::Undocumented { String::new() } else { format!("; {}", decl.source) };
    [doc, format!("({}, {}{source})", decl.kind, state.word())]
}
