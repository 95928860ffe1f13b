//! One file of a game that is otherwise in order: the game is refused with a place, or its map becomes a scene that runs;
//! imported as a scene folder, counted, and read back it does the same.

#![no_main]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use libfuzzer_sys::fuzz_target;
use soup386::{
    Runtime, Scene,
    import::{
        demo_game_files,
        game::{GameOptions, census::census, export::export, write::model},
    },
    script::Limits,
    trace::{Extras, lines_with},
    update::Options,
};

/// Flags that the programs of the seeds use.
const FLAGS: &[u8] = b"\n[flags]\nCOUNTER f0 2\nCOUNTER f1 2\n";

/// The demo as a game with small models, in a folder of this process.
static GAME: LazyLock<Game> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("soup386-fuzz-{}", std::process::id()));
    let mut files = demo_game_files();
    let frames: Vec<_> = (0..55).map(|k| vec![[0, 256 * k, 0], [128, 0, 0], [0, 0, 384], [-77, k, 1]]).collect();
    for (name, bytes) in &mut files {
        if name.ends_with(".DEF") {
            bytes.extend(FLAGS);
        } else if name.ends_with(".3DC") {
            *bytes = model(&frames, &[vec![0, 1, 2]]);
        }
    }
    files.iter().for_each(|(name, bytes)| write(&folder.join("game"), name, bytes));
    Game { folder, files }
});

struct Game {
    folder: PathBuf,
    files: Vec<(String, Vec<u8>)>,
}

impl Game {
    /// The file that bytes stand for, told from their beginning.
    fn file_like(&self, data: &[u8]) -> &(String, Vec<u8>) {
        let begins: [(&[u8], &str); 8] = [
            (b"OARC", "fxart/DEMO.ROB"),
            (b"v2.", "fxart/FENCER.3DC"),
            (b"v4.", "fxart/FENCER.3DC"),
            (b"v5.", "fxart/FENCER.3DC"),
            (b"[func", "SOUP386/SOUP386.DEF"),
            (b"[item", "ITEM.INI"),
            (b"[syst", "SYSTEM.INI"),
            (b"[worl", "WORLD.INI"),
        ];
        let found = begins.iter().find(|(begin, _)| data.starts_with(begin));
        let name = found.map_or("maps/DEMO.RGM", |(_, name)| name);
        self.files.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("the demo has no {name}"))
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// Some updates in which every native that shows something is called with numbers of all kinds.
fn trace(scene: Scene) -> String {
    let limits = Limits { statements: 300, ..Limits::default() };
    let scene = Scene { director: None, ..scene };
    let options = Options { limits, ..Options::default() };
    let mut runtime = Runtime::with_options(scene, options).expect("programs that were decoded before");
    let mut bytes = Vec::new();
    for update in 0..4 {
        let actors: Vec<_> = runtime.world().actors().map(|actor| actor.key).take(3).collect();
        for actor in actors {
            let calls: [(&str, &[i32]); 6] = [
                ("PushAnimation", &[update, 0]),
                ("DrawSword", &[]),
                ("DisplayHandModel", &[update, i32::MAX, i32::MIN, -1]),
                ("DisplayHiltModel", &[1, 0, 0, 0]),
                ("AddItem", &[update, i32::MAX]),
                ("SelectItem", &[update]),
            ];
            for (native, arguments) in calls {
                let _ = runtime.call(actor, native, arguments);
            }
        }
        runtime.update().expect("an update");
        let engine = runtime.engine();
        bytes.extend(lines_with(&engine.defs, &engine.world, Extras { events: true, scripts: false }));
    }
    String::from_utf8(bytes).expect("a trace is text")
}

fn check(game: &Game) {
    let options = GameOptions::new(game.folder.join("game"));
    let imported = match Scene::from_game(&options) {
        Ok(imported) => imported,
        Err(error) => {
            assert!(!error.0.is_empty() && error.0.iter().all(|fault| !fault.file.is_empty()), "{error:?}");
            assert!(export(&options).is_err());
            return;
        }
    };
    let (_, warnings) = census(&options.folder).expect("a map that can be loaded");
    assert!(warnings.len() <= 201 && imported.warnings.len() <= 201);
    let played = trace(imported.scene);
    let exported = export(&options).expect("a map that can be loaded");
    exported.files.iter().for_each(|(name, bytes)| write(&game.folder.join("scene"), name, bytes));
    let scene = Scene::from_file(game.folder.join("scene/scene.toml"));
    let scene = scene.unwrap_or_else(|error| panic!("what was imported cannot be read: {error}"));
    assert_eq!(played, trace(scene));
}

fuzz_target!(|data: &[u8]| {
    let game = &*GAME;
    let (name, original) = game.file_like(data);
    write(&game.folder.join("game"), name, data);
    check(game);
    write(&game.folder.join("game"), name, original);
});
