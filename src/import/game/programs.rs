//! Programs and hooks of a map.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use super::{
    Warnings, read_file,
    rgm::{Definition, Map},
};
use crate::{
    defs::{ActorDraft, Program},
    import::Fault,
    soup::{self, Tables},
};

/// Bytes that programs and their texts may be copied into, beyond what the map itself has: definitions may share code.
const MAX_SHARED: usize = 4 << 20;

/// The programs of a map in the order of its definitions, of equal names the first. One that cannot be decoded with these
/// names is left out, with a warning.
///
/// # Errors
/// The map cannot be read, or the first [`Fault`] in it.
pub fn programs_of_map(path: &Path, tables: &Arc<Tables>, warnings: &mut Warnings) -> Result<Vec<Arc<Program>>, Fault> {
    let file = path.display().to_string();
    let bytes = read_file(path)?;
    let map = Map::read(&file, &bytes, warnings)?;
    let mut programs = Programs::new(&file, Arc::clone(tables));
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for definition in map.definitions.iter().filter(|definition| names.insert(definition.name.to_ascii_lowercase())) {
        found.extend(programs.of(definition, warnings)?);
    }
    Ok(found)
}

/// What was made of the programs so far.
#[derive(Debug)]
pub(super) struct Programs<'m> {
    file: &'m str,
    tables: Arc<Tables>,
    /// The program of a definition's first actor; none where it was refused.
    made: BTreeMap<usize, Option<Arc<Program>>>,
    n_bytes: usize,
}

impl<'m> Programs<'m> {
    pub(super) fn new(file: &'m str, tables: Arc<Tables>) -> Self {
        Self { file, tables, made: BTreeMap::new(), n_bytes: 0 }
    }

    /// Gives an actor its program, its locals and its namespace (rules I16, Y58).
    pub(super) fn give(
        &mut self,
        draft: &mut ActorDraft,
        definition: &Definition<'_>,
        instance: usize,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        if !definition.namespace.eq_ignore_ascii_case(&draft.name) {
            draft.namespace = Some(definition.namespace.clone());
        }
        draft.program = self.of(definition, warnings)?;
        let Some(program) = &draft.program else { return Ok(()) };
        match definition.locals(instance) {
            Some(locals) => draft.locals = (locals != program.locals).then_some(locals),
            None => {
                let reason = format!("RAVA has no locals for {}: it gets the first ones", draft.name.escape_debug());
                warnings.add(Fault { path: "RAVA".to_owned(), ..Fault::of_file(self.file, reason) });
            }
        }
        Ok(())
    }

    /// The program of a definition with the local variables of its first actor.
    pub(super) fn of(
        &mut self,
        definition: &Definition<'_>,
        warnings: &mut Warnings,
    ) -> Result<Option<Arc<Program>>, Fault> {
        if let Some(program) = self.made.get(&definition.index) {
            return Ok(program.clone());
        }
        let Some(part) = definition.program else { return Ok(None) };
        let mut program = Program {
            name: definition.name.clone(),
            bytes: Vec::new(),
            start: part.start,
            strings: Vec::new(),
            locals: definition.locals(0).unwrap_or_default(),
            base: part.base,
            hook: definition.hook.map(<[u8]>::to_vec),
        };
        self.spend(part.bytes.len(), definition)?;
        // Many offsets may lead to one long text, so each is paid for before the next is looked at.
        definition.texts().try_for_each(|text| self.spend(text.len() + 24, definition))?;
        program.bytes = part.bytes.to_vec();
        program.strings = definition.texts().map(<[u8]>::to_vec).collect();
        let program = self.checked(program, definition, warnings);
        self.made.insert(definition.index, program.clone());
        Ok(program)
    }

    fn spend(&mut self, n_bytes: usize, definition: &Definition<'_>) -> Result<(), Fault> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes > MAX_SHARED {
            let reason = format!("the programs and texts up to here have more than {MAX_SHARED} bytes together");
            return Err(Fault { path: place(definition), ..Fault::of_file(self.file, reason) });
        }
        Ok(())
    }

    /// The program if it can run; without its hook if that is the fault.
    fn checked(
        &self,
        mut program: Program,
        definition: &Definition<'_>,
        warnings: &mut Warnings,
    ) -> Option<Arc<Program>> {
        loop {
            let shared = Arc::new(program);
            let Err(error) = soup::decode(&shared, &self.tables) else { return Some(shared) };
            let what = if error.in_hook { "the hook" } else { "the program" };
            let reason = format!("{what} is left out: {}", error.to_string().escape_debug());
            warnings.add(Fault { path: place(definition), ..Fault::of_file(self.file, reason) });
            if !error.in_hook {
                return None;
            }
            program = Program { hook: None, ..Arc::unwrap_or_clone(shared) };
        }
    }
}

fn place(definition: &Definition<'_>) -> String {
    format!("definition {} ({})", definition.index, definition.name.escape_debug())
}
