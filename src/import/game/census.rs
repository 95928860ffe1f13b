//! How often statements and functions are used in all programs of a game.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use super::{Warnings, maps, programs::Programs, read_file, rgm::Map, tables_of};
use crate::{
    defs::FunctionKind,
    import::{Fault, ImportError},
    soup::{self, Tables, op},
};

/// Uses of one opcode as a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpcodeUse {
    /// The byte.
    pub opcode: u8,
    /// Its name.
    pub name: &'static str,
    /// Statements with it.
    pub count: u64,
}

/// Calls of one function: as statements, in values, and in hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeUse {
    /// Its number in the table in force.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// Its declared kind.
    pub kind: FunctionKind,
    /// Calls of it.
    pub count: u64,
    /// Maps with such a call.
    pub maps: u64,
}

/// One map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapUse {
    /// Its name without extension.
    pub name: String,
    /// Definitions in it.
    pub definitions: u64,
    /// Programs that were counted.
    pub programs: u64,
    /// Programs that cannot be decoded.
    pub refused: u64,
    /// Statements of the programs.
    pub statements: u64,
}

/// What all programs of a game use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All opcodes, ascending.
    pub opcodes: Vec<OpcodeUse>,
    /// Functions that are called, ascending.
    pub natives: Vec<NativeUse>,
    /// The maps, in byte order of their names.
    pub maps: Vec<MapUse>,
}

/// Names of opcodes that begin statements (rule Y4).
const OPCODES: [(u8, &str); 22] = [
    (op::TASK, "Task"),
    (op::MULTITASK, "Multitask"),
    (op::FUNCTION, "Function"),
    (op::IF, "If"),
    (op::GOTO, "Goto"),
    (op::END, "End"),
    (op::FLAG, "Flag"),
    (op::LOCAL, "Local"),
    (op::INCREMENT, "ObjDot++"),
    (op::DECREMENT, "ObjDot--"),
    (op::GOSUB, "Gosub"),
    (op::RETURN, "Return"),
    (op::ENDINT, "Endint"),
    (op::PROPERTY, "ObjDot"),
    (op::ANCHOR, "Anchor"),
    (op::YIELD, "Yield"),
    (op::OBJECT_TASK, "ObjDotTask"),
    (op::OBJECT_FUNCTION, "ObjDotFunc"),
    (op::TASK_STOP, "TaskStop"),
    (op::TASK_PAUSE, "TaskPause"),
    (op::TASK_RESUME, "TaskResume"),
    (op::SCRIPT_RV, "ScriptRV"),
];

/// Counts the uses in all maps of a game. Also gives what was odd in the files.
///
/// # Errors
/// [`ImportError`] with the first fault: of a map, of SOUP386.DEF, or of the folder.
pub fn census(folder: &Path) -> Result<(Census, Vec<Fault>), ImportError> {
    let mut warnings = Warnings::default();
    let mut count = || -> Result<Census, Fault> {
        let tables = tables_of(folder, &mut warnings)?;
        let mut counting = Counting { opcodes: [0; 256], natives: BTreeMap::new(), maps: Vec::new() };
        for path in maps(folder, &mut warnings)? {
            counting.map(&path, &tables, &mut warnings)?;
        }
        Ok(counting.finish(&tables))
    };
    let census = count().map_err(|fault| ImportError(vec![fault]))?;
    Ok((census, warnings.into_list()))
}

struct Counting {
    opcodes: [u64; 256],
    /// Calls and maps by function.
    natives: BTreeMap<u16, (u64, u64)>,
    maps: Vec<MapUse>,
}

impl Counting {
    fn map(&mut self, path: &Path, tables: &Arc<Tables>, warnings: &mut Warnings) -> Result<(), Fault> {
        let file = path.display().to_string();
        let bytes = read_file(path)?;
        let map = Map::read(&file, &bytes, warnings)?;
        let mut programs = Programs::new(&file, Arc::clone(tables));
        let mut called = BTreeSet::new();
        let mut count = MapUse {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            definitions: map.definitions.len() as u64,
            programs: 0,
            refused: 0,
            statements: 0,
        };
        for definition in map.definitions.iter().filter(|definition| definition.program.is_some()) {
            // A program that was given out decodes.
            let decoded = programs.of(definition, warnings)?.and_then(|program| soup::decode(&program, tables).ok());
            let Some(code) = decoded else {
                count.refused += 1;
                continue;
            };
            count.programs += 1;
            count.statements += code.statements().len() as u64;
            self.program(&code, &mut called);
        }
        for id in called {
            self.natives.entry(id).or_default().1 += 1;
        }
        self.maps.push(count);
        Ok(())
    }

    fn program(&mut self, code: &soup::Code, called: &mut BTreeSet<u16>) {
        for index in 0..code.statements().len() {
            let first = code.program().bytes.get(code.offset(index as u32) as usize);
            self.opcodes[usize::from(first.copied().unwrap_or_default())] += 1;
        }
        for call in code.calls() {
            self.natives.entry(call.function).or_default().0 += 1;
            called.insert(call.function);
        }
    }

    fn finish(self, tables: &Tables) -> Census {
        let opcodes =
            OPCODES.map(|(opcode, name)| OpcodeUse { opcode, name, count: self.opcodes[usize::from(opcode)] });
        let natives = self.natives.into_iter().filter_map(|(id, (count, maps))| {
            let row = tables.functions().get(usize::from(id))?;
            Some(NativeUse { id, name: row.name.clone(), kind: row.kind, count, maps })
        });
        Census { opcodes: opcodes.to_vec(), natives: natives.collect(), maps: self.maps }
    }
}
