//! `soup386 lint`.

use std::io::{self, Write};

use clap::Args;

use super::load::{Loaded, Programs, Source};
use crate::{
    cli::{
        Outcome,
        output::{count, plain, to_stdout},
        problem::Problem,
    },
    soup::{Finding, Home, lint, text::statement_line},
};

#[derive(Args)]
#[command(after_help = "Examples:\n  soup386 lint guard.soup\n  soup386 lint guard.soup GUARD --scene yard.toml")]
pub(crate) struct LintArguments {
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &LintArguments) -> Result<Outcome, Problem> {
    let source = &arguments.source;
    let loaded = source.load()?;
    let file = plain(&source.file.display().to_string());
    let mut findings = 0;
    to_stdout(|out| {
        for program in &loaded.programs {
            let home = home(&loaded, program);
            for finding in lint(&program.code, home) {
                findings += 1;
                print(out, &file, &loaded, program, &finding)?;
            }
        }
        let programs = count(loaded.programs.len() as u64, "program");
        writeln!(out, "{file}: {programs}, {}", count(findings, "finding"))
    })?;
    Ok(if findings == 0 { Outcome::Held } else { Outcome::Failed })
}

/// The scene and the actor of the program's name in it.
fn home<'a>(loaded: &'a Programs, program: &Loaded) -> Option<Home<'a>> {
    let defs = &loaded.scene.as_ref()?.defs;
    let actor = defs.actor(defs.actor_named(program.name())?);
    Some(Home { defs, actor })
}

/// The place, the finding, and the line itself.
fn print(out: &mut dyn Write, file: &str, loaded: &Programs, program: &Loaded, finding: &Finding) -> io::Result<()> {
    let line = program.listing.as_ref().and_then(|listing| listing.line_of(finding.statement));
    let text = line.and_then(|line| loaded.text.as_ref()?.lines().nth(line as usize - 1));
    match (line, text) {
        (Some(line), Some(text)) => {
            let column = text.chars().take_while(|c| c.is_whitespace()).count() + 1;
            writeln!(out, "{file}:{line}:{column}: {}", finding.what)?;
            writeln!(out, "  {}", plain(text.trim()))
        }
        _ => {
            writeln!(out, "{file}: {} at 0x{:02X}: {}", plain(program.name()), finding.statement, finding.what)?;
            let index = program.code.index_of(finding.statement).unwrap_or_default();
            let is_statement = (index as usize) < program.code.statements().len();
            if is_statement { writeln!(out, "  {}", statement_line(&program.code, index)) } else { Ok(()) }
        }
    }
}
