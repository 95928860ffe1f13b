//! A game with one large map, for measuring how it is read: 2,000 placements and 300 models.

use std::{fs, io, path::Path};

use soup386::{
    defs::{Command, Group, Program},
    import::game::write::{DefinitionDraft, MapDraft, PlacementDraft, SegmentDraft, archive, model},
};

const N_MODELS: usize = 300;
const N_PLACEMENTS: usize = 2000;
const N_VERTICES: i32 = 120;
const N_FRAMES: i32 = 20;

/// Writes the game; gives the bytes of all its files together.
pub(crate) fn write(folder: &Path) -> io::Result<u64> {
    let mut size = 0;
    let mut put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        size += bytes.len() as u64;
        fs::write(path, bytes)
    };
    put("SYSTEM.INI", b"[system]\nworld_ini=WORLD.INI\n")?;
    put("WORLD.INI", b"[world]\nstart_world=0\nstart_marker=0\nworld_map[0]=MAPS\\ISLAND.RGM\n")?;
    put("SOUP386/SOUP386.DEF", b"[functions]\n[refs]\n[flags]\n")?;
    put("maps/ISLAND.RGM", &map().bytes())?;
    // Every second model lies in the archive, the others beside it.
    let mut segments = Vec::new();
    for number in 0..N_MODELS {
        let (name, bytes) = (model_name(number), body(number as i32));
        let is_embedded = number % 2 == 0;
        if !is_embedded {
            put(&format!("fxart/{name}.3DC"), &bytes)?;
        }
        segments.push(SegmentDraft { name, data: is_embedded.then_some(bytes), halves: [[9, 9]; 3] });
    }
    put("fxart/ISLAND.ROB", &archive(&segments))?;
    Ok(size)
}

fn model_name(number: usize) -> String {
    format!("MODEL{number:03}")
}

fn body(number: i32) -> Vec<u8> {
    let vertex = |k: i32, v: i32| [v * 17 + k, number * 3 - v, k * 5 + v * v];
    let frames: Vec<Vec<_>> = (0..N_FRAMES).map(|k| (0..N_VERTICES).map(|v| vertex(k, v)).collect()).collect();
    let faces: Vec<_> = (0..N_VERTICES as u32 - 2).map(|v| vec![v, v + 1, v + 2]).collect();
    model(&frames, &faces)
}

fn map() -> MapDraft {
    let show = |frame: i32| format!("ShowFrame {frame}").parse::<Command>();
    let commands: Vec<_> = (0..N_FRAMES).filter_map(|frame| show(frame).ok()).collect();
    let group = Group { speed: 2, group_type: 1, commands: commands.into() };
    let mut base = 0;
    let mut definition = |number: usize| {
        // Local 0 counts up for ever.
        let bytes = vec![0x0A, 0, 0x0A, 0, 1, 7, 1, 0, 0, 0, 0, 0x18, 0x13];
        let program = Program { bytes, locals: vec![0], base, ..Program::default() };
        base += 13;
        DefinitionDraft {
            frames: vec![(format!("3dart\\{}.3d", model_name(number)), N_FRAMES as u8)],
            groups: (0..40).map(|index| (index, group.clone())).collect(),
            program: Some(program),
            ..DefinitionDraft::new(format!("ACTOR{number:03}"))
        }
    };
    let placement = |number: usize| PlacementDraft {
        object_type: 1,
        script: format!("ACTOR{:03}", number % N_MODELS),
        position: [(number % 97 * 500) as i32, 0, (number % 89 * 600) as i32],
        ..PlacementDraft::default()
    };
    MapDraft {
        definitions: (0..N_MODELS).map(&mut definition).collect(),
        placements: (0..N_PLACEMENTS).map(placement).collect(),
        markers: Vec::new(),
    }
}
