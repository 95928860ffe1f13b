//! Commands with game files that were made to disturb them.

use soup386::{
    defs::Program,
    import::game::write::{DefinitionDraft, MapDraft, PlacementDraft, SegmentDraft, archive},
};

use crate::cli::Folder;

#[test]
fn a_map_with_more_than_can_be_shown_is_refused() {
    let definition = |k| DefinitionDraft { attributes: Box::new([1; 256]), ..DefinitionDraft::new(format!("D{k}")) };
    let bytes = |n| MapDraft { definitions: (0..n).map(definition).collect(), ..MapDraft::default() }.bytes();
    let folder = Folder::new("inspect-many");
    folder.write("many.rgm", bytes(781));
    folder.run(&["inspect", "many.rgm"]).exits(0).shows("D780");
    folder.write("more.rgm", bytes(782));
    folder.run(&["inspect", "more.rgm"]).exits(2).says("more than 200000 attributes, frame sources, groups and locals");
}

#[test]
fn names_in_game_files_cannot_disturb_a_terminal() {
    let folder = Folder::new("controls");
    folder.run(&["demo", ".", "--as-game"]).exits(0);
    let placed = PlacementDraft { object_type: 1, script: "\x1b[2J".to_owned(), ..PlacementDraft::default() };
    // A jump to itself spends its budget.
    let program = Program { bytes: vec![4, 0, 0, 0, 0], ..Program::default() };
    let definition = DefinitionDraft { program: Some(program), ..DefinitionDraft::new("\x1b[2J") };
    let map = MapDraft { definitions: vec![definition], placements: vec![placed], markers: vec![] };
    folder.write("maps/DEMO.RGM", map.bytes());
    let segment = SegmentDraft { name: "\x1b[2J".to_owned(), data: Some(vec![0]), halves: [[0; 2]; 3] };
    folder.write("fxart/DEMO.ROB", archive(&[segment]));
    let calls: [&[&str]; 4] = [
        &["run", "--game", ".", "--updates", "2"],
        &["inspect", "maps/DEMO.RGM"],
        &["inspect", "fxart/DEMO.ROB"],
        &["import", "--game", ".", "-o", "scene"],
    ];
    for arguments in calls {
        let ran = folder.run(arguments);
        // That no escape comes through is looked at for every command.
        assert!(format!("{}{}", ran.out, ran.err).contains("[2J"), "{arguments:?}: {} {}", ran.out, ran.err);
    }
}
