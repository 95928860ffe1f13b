//! Random maps with random names and programs: what `import` makes of them runs like the map itself.

use soup386::{
    Runtime, Scene,
    defs::{FlagKind, Group, Program, Tables, functions, properties},
    import::game::{
        Warnings,
        export::export,
        names::tables_of_file,
        write::{DefinitionDraft, MapDraft, PlacementDraft},
    },
    script::Limits,
    trace::{Extras, lines_with},
    update::Options,
};

use crate::{
    game_support::{GameFolder, body, map, placed},
    soup_made::made,
};

/// Numbers that follow from a seed (splitmix64).
struct Lot(u64);

impl Lot {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }

    fn mixed(&mut self, mut lines: Vec<String>) -> String {
        for last in (1..lines.len()).rev() {
            lines.swap(last, self.below(last + 1));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// SOUP386.DEF: some of the registry's names at other numbers, and some that the registry or the text cannot have.
fn definitions(lot: &mut Lot) -> String {
    let own = ["task Unheard parms 2", "function func_3 parms 0", "multitask if parms 1", "TASK wait parms 1"];
    let known = functions().rows().iter().skip(1).filter(|_| lot.below(4) == 0);
    let known = known.map(|row| format!("{} {} parms {}", row.kind, row.name, row.parameters.len()));
    let all: Vec<_> = known.chain(own.map(str::to_owned)).collect();
    let functions = lot.mixed(all);
    let known = properties().rows().iter().filter(|_| lot.below(8) > 0).map(|row| row.name.to_owned());
    let all: Vec<_> = known.chain(["odd", "POS.VX", "ref_1"].map(str::to_owned)).collect();
    let references = lot.mixed(all);
    let kinds = [FlagKind::Bool, FlagKind::Number, FlagKind::Flipflop, FlagKind::Counter];
    let names = ["Door", "door", "if", "flag_1", "Unheard", "Gate"];
    let flags: String = (0..1 + lot.below(names.len()))
        .map(|at| format!("{:?} {} {}\n", kinds[lot.below(kinds.len())], names[at], lot.below(5)))
        .collect();
    format!("[functions]\n{functions}[refs]\n{references}[flags]\n{flags}")
}

/// A call of numbers only.
fn hook(lot: &mut Lot, tables: &Tables) -> Option<Vec<u8>> {
    let function = lot.below(tables.functions().len());
    let count = tables.functions()[function].parameters;
    let mut bytes = (function as u16).to_le_bytes().to_vec();
    bytes.push(count);
    (0..count).for_each(|_| bytes.extend([7, lot.below(9) as u8, 0, 0, 0]));
    (count <= 8 && lot.below(3) == 0).then_some(bytes)
}

const NAMES: [&str; 5] = ["GUARD", "if", "a \"b\"", "Tr\u{e4}nke", "CYRUS"];

fn definition(lot: &mut Lot, tables: &Tables, name: &str, base: &mut u32) -> DefinitionDraft {
    let n_bytes = 20 + lot.below(80);
    let mut program = Program { base: *base, hook: hook(lot, tables), ..made(&lot.bytes(n_bytes), tables) };
    *base += (program.bytes.len() + lot.below(3)) as u32;
    for string in program.strings.iter_mut().take(2) {
        *string = NAMES[lot.below(NAMES.len())].chars().map(|c| c as u8).collect();
    }
    let shown = |frame: usize| ["ShowFrame", "EndAnimation"].map(|word| format!("{word} {frame}").parse().ok());
    let groups = (0..lot.below(3)).map(|_| {
        let (index, frame) = (lot.below(178) as u32, lot.below(3));
        (
            index,
            Group { speed: lot.below(4) as u8, group_type: 1, commands: shown(frame).into_iter().flatten().collect() },
        )
    });
    let mut draft = DefinitionDraft { groups: groups.collect(), ..body(name) };
    draft.namespace = (lot.below(3) == 0).then(|| NAMES[lot.below(NAMES.len())].to_owned());
    draft.attributes[lot.below(256)] = lot.below(4) as u8;
    draft.more_locals =
        (0..lot.below(3)).map(|_| (0..program.locals.len()).map(|_| lot.next() as i32).collect()).collect();
    draft.program = (lot.below(8) > 0).then_some(program);
    draft
}

fn random_map(lot: &mut Lot, tables: &Tables) -> MapDraft {
    let names = &NAMES[NAMES.len() - 1 - lot.below(NAMES.len())..];
    let mut base = lot.below(100) as u32;
    let definitions = names.iter().map(|name| definition(lot, tables, name, &mut base)).collect();
    let placement = |lot: &mut Lot| PlacementDraft {
        activation: lot.below(2) as u8,
        angles: [0; 3].map(|_| lot.below(2048) as u32),
        ..placed(names[lot.below(names.len())], [0; 3].map(|_| lot.below(2000) as i32 - 1000))
    };
    let placements = (0..1 + lot.below(5)).map(|_| placement(lot)).collect();
    map(definitions, placements)
}

/// The trace of some updates, and what failed in them.
fn run(scene: &Scene) -> String {
    let limits = Limits { statements: 300, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut runtime = Runtime::with_options(scene.clone(), options).unwrap_or_else(|error| panic!("{error}"));
    let mut text = String::new();
    for _ in 0..10 {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let engine = runtime.engine();
        let lines = lines_with(&engine.defs, &engine.world, Extras { events: true, scripts: true });
        text += &String::from_utf8(lines).expect("a trace is text");
        runtime.drain_failures().iter().for_each(|failure| text += &format!("{failure}\n"));
    }
    text
}

/// Y90, Y102, I15 to I17, I40: the same bytes and the same trace, whatever the names, programs, hooks and locals are.
#[test]
fn imported_maps_run_like_the_maps_themselves() {
    let (mut n_programs, mut all) = (0, String::new());
    for seed in 0..50 {
        let mut lot = Lot(seed);
        let folder = GameFolder::with_map("random", &map(Vec::new(), Vec::new()));
        folder.write("SOUP386/SOUP386.DEF", definitions(&mut lot));
        let tables = tables_of_file(&folder.path("SOUP386/SOUP386.DEF"), &mut Warnings::default());
        let tables = tables.unwrap_or_else(|fault| panic!("{fault}"));
        folder.write("maps/TEST.RGM", random_map(&mut lot, &tables).bytes());
        let of_game = folder.load();
        let left_out: Vec<_> =
            of_game.warnings.iter().map(ToString::to_string).filter(|text| text.contains("left out: ")).collect();
        assert!(left_out.is_empty(), "seed {seed}: {left_out:?}");
        let exported = export(&folder.options()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        exported.files.iter().for_each(|(name, bytes)| folder.write(&format!("scene/{name}"), bytes));
        let of_scene = Scene::from_file(folder.path("scene/scene.toml"));
        let of_scene = of_scene.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let programs =
            |scene: &Scene| scene.defs.actors().iter().map(|actor| actor.program.clone()).collect::<Vec<_>>();
        assert_eq!(programs(&of_scene), programs(&of_game.scene), "seed {seed}");
        let trace = run(&of_game.scene);
        assert!(trace == run(&of_scene), "seed {seed}");
        n_programs += of_game.scene.defs.actors().iter().filter(|actor| actor.program.is_some()).count();
        all += &trace;
        all.extend(
            exported
                .files
                .iter()
                .filter(|(name, _)| name.ends_with(".soup"))
                .map(|(_, text)| String::from_utf8_lossy(text)),
        );
    }
    assert!(n_programs >= 100, "{n_programs}");
    // The programs do something, and the odd names are among what they use.
    for word in ["\"native\":", "\"fault\":\"", "Unheard(", "func_", "ref_", "flag_1 = "] {
        assert!(all.contains(word), "{word}");
    }
}
