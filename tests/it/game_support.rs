//! Game folders for tests.

use std::{fs, path::PathBuf};

use soup386::{
    Runtime, Scene,
    import::game::{
        GameOptions, Imported,
        write::{DefinitionDraft, MapDraft, PlacementDraft, SegmentDraft, archive, model},
    },
    trace::{Extras, lines_with},
};

/// A game folder of one test, removed at its end.
pub(crate) struct GameFolder(pub(crate) PathBuf);

impl GameFolder {
    /// An empty folder.
    pub(crate) fn empty(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("soup386-game-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// The files of a map TEST with two models, BODY of three frames and BOX of one.
    pub(crate) fn with_map(test: &str, map: &MapDraft) -> Self {
        let folder = Self::empty(test);
        folder.write("SYSTEM.INI", "[system]\nworld_ini=WORLD.INI\n");
        folder.write("WORLD.INI", "[world]\nstart_world=3\nstart_marker=0\nworld_map[3]=MAPS\\test.rgm\n");
        folder.write("SOUP386/SOUP386.DEF", "[functions]\n[refs]\n[equates]\n[flags]\n");
        folder.write("maps/TEST.RGM", map.bytes());
        folder.write("fxart/TEST.ROB", archive(&[box_segment()]));
        folder.write("fxart/body.3dc", model(&body_frames(), &[vec![0, 1, 2]]));
        folder
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, bytes).expect("a file can be written");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn options(&self) -> GameOptions {
        GameOptions::new(&self.0)
    }

    /// The scene of the start world.
    #[track_caller]
    pub(crate) fn load(&self) -> Imported {
        Scene::from_game(&self.options()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The fault of the start world.
    #[track_caller]
    pub(crate) fn fault(&self) -> String {
        match Scene::from_game(&self.options()) {
            Ok(_) => panic!("the game was loaded"),
            Err(error) => error.to_string(),
        }
    }
}

impl Drop for GameFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The one embedded segment, whose box is 24 units high.
pub(crate) fn box_segment() -> SegmentDraft {
    let data = model(&[vec![[0, 0, 0], [256, 0, 0], [0, 0, 256], [0, 256, 0]]], &[vec![0, 1, 2], vec![1, 2, 3]]);
    SegmentDraft { name: "BOX".to_owned(), data: Some(data), halves: [[1, 0], [20, 4], [1, 0]] }
}

/// Three frames of four vertices, the later ones moved down by one and two units.
pub(crate) fn body_frames() -> Vec<Vec<[i32; 3]>> {
    (0..3).map(|k| vec![[0, 256 * k, 0], [128, 256 * k, 0], [0, 256 * k, 384], [-77, 256 * k, 1]]).collect()
}

/// A definition with the three frames of BODY.
pub(crate) fn body(name: &str) -> DefinitionDraft {
    DefinitionDraft { frames: vec![("3dart\\Body.3d".to_owned(), 3)], ..DefinitionDraft::new(name) }
}

/// A persistent placement.
pub(crate) fn placed(script: &str, position: [i32; 3]) -> PlacementDraft {
    PlacementDraft { object_type: 1, activation: 1, script: script.to_owned(), position, ..PlacementDraft::default() }
}

/// A map of these definitions and placements, with a marker at (1, 2, 3).
pub(crate) fn map(definitions: Vec<DefinitionDraft>, placements: Vec<PlacementDraft>) -> MapDraft {
    MapDraft { definitions, placements, markers: vec![[1, 2, 3]] }
}

/// The names of the scene's actors in update order, templates left out.
pub(crate) fn actor_names(scene: &Scene) -> Vec<&str> {
    scene.defs.actors().iter().filter(|actor| !actor.template).map(|actor| actor.name.as_str()).collect()
}

/// The trace of `n` updates with events and programs, without a director.
pub(crate) fn trace(scene: &Scene, n: u32) -> String {
    let scene = Scene { director: None, ..scene.clone() };
    let mut runtime = Runtime::new(scene).unwrap_or_else(|error| panic!("{error}"));
    let mut bytes = Vec::new();
    for _ in 0..n {
        runtime.update().unwrap_or_else(|error| panic!("{error}"));
        let engine = runtime.engine();
        bytes.extend(lines_with(&engine.defs, &engine.world, Extras { events: true, scripts: true }));
    }
    String::from_utf8(bytes).expect("a trace is text")
}

/// Whether one of the warnings holds these words.
#[track_caller]
pub(crate) fn assert_warns(imported: &Imported, words: &str) {
    let found = imported.warnings.iter().any(|warning| warning.to_string().contains(words));
    assert!(found, "no warning holds {words:?}: {:#?}", imported.warnings);
}
