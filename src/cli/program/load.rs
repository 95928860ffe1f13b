//! Programs from files of all kinds: texts, scenes, and bare bytes.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{Args, ValueEnum};

use crate::{
    Scene,
    cli::problem::{Problem, print_warnings},
    defs::{FlagDef, MAX_PROGRAM, Program},
    import::game::{Warnings, names::tables_of_file, programs_of_map, tables_of},
    soup::{
        Code, Tables, decode,
        text::{Listing, Numbered, read, read_mod_manager},
    },
};

/// Flags of the game. Where no scene names flags, programs may use so many.
const N_FLAGS: usize = 369;
/// The longest text, in bytes.
const MAX_TEXT: u64 = 256 << 20;

/// Which programs a command is about.
#[derive(Args)]
pub(crate) struct Source {
    /// A text of programs (.soup), a scene (.toml), a map of a game (.rgm), or the bytes of one program.
    pub(crate) file: PathBuf,
    /// The program or the actor of this name; without it all.
    pub(crate) actor: Option<String>,
    /// The scene whose flags the programs use; without it they are numbers.
    #[arg(long, value_name = "FILE")]
    pub(crate) scene: Option<PathBuf>,
    /// A SOUP386.DEF whose functions, properties and flags the programs use; without it the built-in names, for a map
    /// those of its game.
    #[arg(long, value_name = "FILE")]
    def: Option<PathBuf>,
    /// Of bytes: the offset at which execution starts, such as 5 or 0x1A; without it 0.
    #[arg(long, value_name = "N", value_parser = offset)]
    start: Option<u32>,
    /// Of bytes: a file with the strings, one on each line.
    #[arg(long, value_name = "FILE")]
    strings: Option<PathBuf>,
    /// Of bytes: initial values of the locals, such as 0,0,-1; without it zeros for all that are named.
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    locals: Option<Vec<i32>>,
    /// Of bytes: the program's name; without it that of the file.
    #[arg(long)]
    name: Option<String>,
    /// Of texts: how they are written.
    #[arg(long, value_enum, default_value = "soup386")]
    dialect: DialectArgument,
}

/// Ways to write programs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectArgument {
    /// The one that this program writes.
    Soup386,
    /// The one of the community's mod manager.
    ModManager,
}

/// One program and where it stands.
pub(crate) struct Loaded {
    pub(crate) code: Code,
    /// The text that it was read from.
    pub(crate) listing: Option<Listing>,
}

/// The programs of a source, and the scene that belongs to them.
pub(crate) struct Programs {
    pub(crate) programs: Vec<Loaded>,
    pub(crate) scene: Option<Scene>,
    /// The text that they were read from.
    pub(crate) text: Option<String>,
}

impl Source {
    /// Reads and checks the programs.
    pub(crate) fn load(&self) -> Result<Programs, Problem> {
        let scene = self.scene.as_deref().map(read_scene).transpose()?;
        let head = head_of(&self.file)?;
        let is = |extension: &str| self.file.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        let is_text = is("soup") || self.dialect == DialectArgument::ModManager || is_program_text(&head);
        let loaded = if is_text {
            self.refuse_keys_of_bytes("a text says by itself what it is called, where it starts, and what it holds")?;
            self.of_text(scene)?
        } else if is("toml") {
            self.refuse_keys_of_bytes("a scene says by itself what its programs are called, start with, and hold")?;
            self.of_scene()?
        } else if is("rgm") {
            self.refuse_keys_of_bytes("a map says by itself what its programs are called, start with, and hold")?;
            self.of_map(scene)?
        } else if is_other_text(&head) {
            let what = "this is text, but its first line is not \"soup386 program 1\"";
            let hint = "a text of the mod manager is read with --dialect mod-manager";
            return Err(Problem::Other(format!("{}: {what}; {hint}", self.file.display())));
        } else {
            self.of_bytes(scene)?
        };
        self.selected(loaded)
    }

    /// What bytes do not hold is elsewhere in files of other kinds.
    fn refuse_keys_of_bytes(&self, reason: &str) -> Result<(), Problem> {
        let given = [
            ("--start", self.start.is_some()),
            ("--strings", self.strings.is_some()),
            ("--locals", self.locals.is_some()),
            ("--name", self.name.is_some()),
        ];
        match given.into_iter().find(|&(_, is_given)| is_given) {
            Some((option, _)) => {
                let file = self.file.display();
                Err(Problem::Other(format!("{file}: {option} is for the bytes of a program: {reason}")))
            }
            None => Ok(()),
        }
    }

    fn of_text(&self, scene: Option<Scene>) -> Result<Programs, Problem> {
        let text = read_text(&self.file)?;
        let tables = tables(scene.as_ref(), self.def.as_deref())?;
        let name = self.file.display().to_string();
        let listings = match self.dialect {
            DialectArgument::Soup386 => read(&name, &text, &tables),
            DialectArgument::ModManager => read_mod_manager(&name, &text, &tables, &item_names(scene.as_ref())),
        };
        let programs = loaded(&self.file, listings.map_err(Problem::Texts)?, &tables)?;
        Ok(Programs { programs, scene, text: Some(text) })
    }

    fn of_scene(&self) -> Result<Programs, Problem> {
        if self.def.is_some() || self.scene.is_some() {
            let file = self.file.display();
            let what =
                format!("{file} is a scene, which names its own flags and, with the key def, its own SOUP386.DEF");
            return Err(Problem::Other(format!("{what}: leave --scene and --def out")));
        }
        let scene = read_scene(&self.file)?;
        let tables = scene.defs.tables();
        let records =
            scene.defs.actors().iter().filter_map(|actor| actor.program.clone().map(|program| (actor, program)));
        let programs: Result<Vec<_>, Problem> = records
            .map(|(actor, program)| {
                // A record's program goes by the actor's name, also where several share one.
                let program = Arc::new(Program { name: actor.name.clone(), ..Program::clone(&program) });
                load_program(&self.file, program, tables)
            })
            .collect();
        let programs = programs?;
        if programs.is_empty() {
            return Err(Problem::Other(format!("{}: no actor of this scene has a program", self.file.display())));
        }
        Ok(Programs { programs, scene: Some(scene), text: None })
    }

    fn of_map(&self, scene: Option<Scene>) -> Result<Programs, Problem> {
        let mut warnings = Warnings::default();
        let names = match &self.def {
            Some(def) => names_of(def)?,
            None => names_of_game(&self.file, &mut warnings)?,
        };
        let tables = in_force(scene.as_ref(), Some(names));
        let programs = programs_of_map(&self.file, &tables, &mut warnings);
        print_warnings(&warnings.into_list());
        let programs: Result<Vec<_>, Problem> =
            programs?.into_iter().map(|program| load_program(&self.file, program, &tables)).collect();
        let programs = programs?;
        if programs.is_empty() {
            return Err(Problem::Other(format!("{}: no definition of this map has a program", self.file.display())));
        }
        Ok(Programs { programs, scene, text: None })
    }

    fn of_bytes(&self, scene: Option<Scene>) -> Result<Programs, Problem> {
        if let Some(actor) = &self.actor {
            let file = self.file.display();
            let what = format!("{file} is the bytes of one program and has no \"{actor}\"; --name names the program");
            return Err(Problem::Other(what));
        }
        let mut program = bare_program(&self.file)?;
        program.start = self.start.unwrap_or(0);
        if let Some(name) = &self.name {
            program.name.clone_from(name);
        }
        if let Some(strings) = &self.strings {
            program.strings = lines(&read_bytes(strings, MAX_TEXT)?);
        }
        let tables = tables(scene.as_ref(), self.def.as_deref())?;
        let program = load_bytes(&self.file, program, self.locals.clone(), &tables)?;
        Ok(Programs { programs: vec![program], scene, text: None })
    }

    fn selected(&self, mut loaded: Programs) -> Result<Programs, Problem> {
        let Some(actor) = &self.actor else { return Ok(loaded) };
        let names: Vec<String> = loaded.programs.iter().map(|program| program.name().to_owned()).collect();
        loaded.programs.retain(|program| program.name().eq_ignore_ascii_case(actor));
        if loaded.programs.is_empty() {
            let file = self.file.display();
            let what = format!("{file} has no program \"{actor}\"; it has {}", names.join(", "));
            return Err(Problem::Other(what));
        }
        Ok(loaded)
    }
}

impl Loaded {
    pub(crate) fn name(&self) -> &str {
        &self.code.program().name
    }
}

fn offset(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "an offset is decimal, or hexadecimal behind 0x".to_owned())
}

/// The names in force: those of a definition file, else of the scene, else the built-in ones.
pub(crate) fn tables(scene: Option<&Scene>, def: Option<&Path>) -> Result<Arc<Tables>, Problem> {
    Ok(in_force(scene, def.map(names_of).transpose()?))
}

/// The names that a definition file declares.
fn names_of(def: &Path) -> Result<Arc<Tables>, Problem> {
    let mut warnings = Warnings::default();
    let tables = tables_of_file(def, &mut warnings);
    print_warnings(&warnings.into_list());
    Ok(tables?)
}

/// Flags are the scene's, else those of the names, else as many as the game has, without names.
fn in_force(scene: Option<&Scene>, names: Option<Arc<Tables>>) -> Arc<Tables> {
    let nameless = vec![FlagDef::default(); N_FLAGS];
    let of_scene = scene.map(|scene| scene.defs.tables());
    let Some(names) = names else { return of_scene.map_or_else(|| Tables::built_in(&nameless), Arc::clone) };
    let flags = [of_scene.map_or(&[][..], |tables| tables.flags()), names.flags(), &nameless];
    names.with_flags(flags.into_iter().find(|flags| !flags.is_empty()).unwrap_or_default())
}

/// The names of the game in whose folder of maps a map lies.
fn names_of_game(map: &Path, warnings: &mut Warnings) -> Result<Arc<Tables>, Problem> {
    let map = map.canonicalize().map_err(|error| Problem::io(format!("cannot read {}", map.display()), error))?;
    let folder = map.ancestors().nth(2).unwrap_or(Path::new("."));
    Ok(tables_of(folder, warnings)?)
}

/// Whether a file begins like a text of programs.
pub(crate) fn is_program_text(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    head.starts_with(b"soup386 program ")
}

/// Whether a file begins with text that is of another kind: no statement begins with a character.
fn is_other_text(head: &[u8]) -> bool {
    head.first().is_some_and(|first| !first.is_ascii_whitespace())
        && head.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
}

/// The names that the mod manager writes in angle brackets, as far as a scene has them.
fn item_names(scene: Option<&Scene>) -> Numbered {
    let items = scene.into_iter().flat_map(|scene| scene.defs.items());
    Numbered::new(items.map(|item| (item.name.as_str(), item.id.0)))
}

/// The programs of a text.
pub(super) fn load_text(file: &Path, tables: &Arc<Tables>) -> Result<Vec<Loaded>, Problem> {
    let listings = read(&file.display().to_string(), &read_text(file)?, tables);
    loaded(file, listings.map_err(Problem::Texts)?, tables)
}

fn loaded(file: &Path, listings: Vec<Listing>, tables: &Arc<Tables>) -> Result<Vec<Loaded>, Problem> {
    let loaded = listings.into_iter().map(|listing| {
        let program = load_program(file, Arc::new(listing.program.clone()), tables)?;
        Ok(Loaded { listing: Some(listing), ..program })
    });
    loaded.collect()
}

/// A program of bytes. Without values of locals all those that it names are 0.
pub(super) fn load_bytes(
    file: &Path,
    program: Program,
    locals: Option<Vec<i32>>,
    tables: &Arc<Tables>,
) -> Result<Loaded, Problem> {
    if let Some(locals) = locals {
        return load_program(file, Arc::new(Program { locals, ..program }), tables);
    }
    let all = load_program(file, Arc::new(Program { locals: vec![0; 256], ..program }), tables)?;
    let named = all.code.n_named_locals();
    let program = Program { locals: vec![0; named], ..Program::clone(all.code.program()) };
    load_program(file, Arc::new(program), tables)
}

fn load_program(file: &Path, program: Arc<Program>, tables: &Arc<Tables>) -> Result<Loaded, Problem> {
    let code = decode(&program, tables).map_err(|error| {
        let hint = if error.may_need_other_tables(tables) { OTHER_TABLES } else { "" };
        Problem::Other(format!("{}: {error}{hint}", file.display()))
    })?;
    Ok(Loaded { code, listing: None })
}

const OTHER_TABLES: &str = "; a program of a game needs the game's names: --def SOUP386.DEF";

/// Why bytes are no program with any number of locals.
pub(super) fn undecodable(program: Program, tables: &Arc<Tables>) -> Option<String> {
    let program = Program { locals: vec![0; 256], ..program };
    decode(&Arc::new(program), tables).err().map(|error| error.to_string())
}

/// The program that a file's bytes are, named like the file.
pub(super) fn bare_program(file: &Path) -> Result<Program, Problem> {
    let bytes = read_bytes(file, MAX_PROGRAM as u64)?;
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Program { name, bytes, ..Program::default() })
}

fn read_scene(file: &Path) -> Result<Scene, Problem> {
    Scene::from_file(file).map_err(|error| Problem::Library { error: error.into(), sources: Vec::new() })
}

/// The text of a file.
pub(crate) fn read_text(file: &Path) -> Result<String, Problem> {
    String::from_utf8(read_bytes(file, MAX_TEXT)?).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        Problem::Other(format!("{}:{line}: the text is not UTF-8 from byte 0x{valid:X} on", file.display()))
    })
}

fn head_of(file: &Path) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    let opened = File::open(file).and_then(|opened| opened.take(64).read_to_end(&mut head));
    opened.map_err(|error| Problem::unreadable(file, error))?;
    Ok(head)
}

fn read_bytes(file: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| Problem::io(format!("cannot read {}", file.display()), error))?;
    if bytes.len() as u64 > limit {
        return Err(Problem::Other(format!("{}: more than {limit} bytes", file.display())));
    }
    Ok(bytes)
}

/// The lines of a file as byte strings.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> =
        bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec()).collect();
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}
