//! `:load`: another director, or a program for an actor.

use std::path::Path;

use super::{Console, Problem};
use crate::{
    cli::program::read_text,
    defs::did_you_mean,
    import::script_from_file,
    soup::text::{Listing, read},
};

pub(super) fn load(console: &mut Console, rest: &str) -> Result<bool, Problem> {
    let loaded = match program(rest) {
        Some((file, name, actor)) => console.load_program(file, name, actor),
        None => console.load_director(rest),
    };
    if let Err(problem) = loaded {
        console.n_failed += 1;
        problem.print();
    }
    Ok(true)
}

/// `FILE.soup[#NAME] ACTOR` taken apart; file names may have blanks.
fn program(rest: &str) -> Option<(&str, Option<&str>, &str)> {
    let end = rest.to_ascii_lowercase().find(".soup")? + ".soup".len();
    let (file, rest) = rest.split_at(end);
    match rest.strip_prefix('#') {
        Some(named) => {
            let (name, actor) = named.split_once(char::is_whitespace).unwrap_or((named, ""));
            Some((file, Some(name), actor.trim()))
        }
        None if rest.is_empty() || rest.starts_with(char::is_whitespace) => Some((file, None, rest.trim())),
        None => None,
    }
}

impl Console {
    fn load_director(&mut self, file: &str) -> Result<(), Problem> {
        if file.is_empty() {
            return Err(Problem::Other(":load takes a file: D.lua, D.rhai, or P.soup and an actor".to_owned()));
        }
        let source = script_from_file(file)?;
        let set = self.runtime.set_director_source(&source);
        // A file that was changed meanwhile is shown as it is now.
        self.sources.retain(|known| known.name != source.name);
        self.sources.push(source);
        set.map_err(|error| Problem::Library { error, sources: self.sources.clone() })
    }

    fn load_program(&mut self, file: &str, name: Option<&str>, actor: &str) -> Result<(), Problem> {
        if actor.is_empty() {
            return Err(Problem::Other(format!(":load {file} needs an actor: :load {file} ACTOR")));
        }
        let problem = |error| Problem::Library { error, sources: Vec::new() };
        let engine = self.runtime.engine();
        let key = engine.actor_named(actor).map_err(|error| problem(error.into()))?;
        let listings = read(file, &read_text(Path::new(file))?, engine.defs.tables()).map_err(Problem::Texts)?;
        let Listing { program, labels, .. } = chosen(file, listings, name, actor)?;
        self.runtime.set_program(key, program, labels).map_err(problem)
    }
}

/// The program that is meant: the one of this name, the only one, or the one named like the actor.
fn chosen(file: &str, mut listings: Vec<Listing>, name: Option<&str>, actor: &str) -> Result<Listing, Problem> {
    if name.is_none() && listings.len() == 1 {
        return Ok(listings.swap_remove(0));
    }
    let wanted = name.unwrap_or(actor);
    let found = listings.iter().position(|listing| listing.program.name.eq_ignore_ascii_case(wanted));
    found.map(|index| listings.swap_remove(index)).ok_or_else(|| {
        let hint = did_you_mean(wanted, listings.iter().map(|listing| &listing.program.name));
        Problem::Other(format!("{file}: no program is named {wanted:?}{hint}"))
    })
}
