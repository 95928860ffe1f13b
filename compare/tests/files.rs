//! The same bytes, read by soup386 and by redguard-preservation.

use soup386::{
    import::{
        demo_game_files,
        game::{
            Warnings,
            definition::{self, DeclaredFunction},
            items,
            model3d::{self, VertexBudget},
            rgm::Map,
            rob::{self, SegmentKind},
            settings::SystemSettings,
            write,
        },
    },
};

/// The demo as a game folder.
fn demo() -> Vec<(String, Vec<u8>)> {
    demo_game_files()
}

fn demo_file(name: &str) -> Vec<u8> {
    let found = demo().into_iter().find(|(path, _)| path == name);
    found.unwrap_or_else(|| panic!("the demo has no {name}")).1
}

fn text(name: &str) -> String {
    String::from_utf8(demo_file(name)).expect("a text")
}

fn same_model(bytes: &[u8]) {
    let ours = model3d::read("ours", "", bytes, &mut VertexBudget::default(), &mut Warnings::default());
    let ours = ours.unwrap_or_else(|error| panic!("{error}"));
    let theirs = rgpre::model3d::parse_3d_file(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(theirs.header.version, ours.version.name().as_bytes());
    let face = |face: &rgpre::model3d::FaceData| face.face_vertices.iter().map(|vertex| vertex.vertex_index).collect();
    let faces: Vec<Vec<u32>> = theirs.face_data.iter().map(face).collect();
    assert_eq!(faces, ours.faces);
    for (k, frame) in ours.frames.iter().enumerate() {
        let posed = theirs.at_frame(k).unwrap_or_else(|error| panic!("{error}"));
        let points: Vec<_> = posed.vertex_coords.iter().map(|point| [point.x, point.y, point.z]).collect();
        assert_eq!(&points, frame, "frame {k}");
    }
}

/// A model of four vertices, one face and three frames, put together field by field.
fn model_of(version: &[u8; 4], encoding: u32) -> Vec<u8> {
    let is_software = version[1] == b'2';
    let mut bytes = vec![0; 64];
    bytes[..4].copy_from_slice(version);
    let word = |bytes: &mut Vec<u8>, at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let push = |bytes: &mut Vec<u8>, numbers: &[i32], width: usize| -> u32 {
        let at = bytes.len() as u32;
        numbers.iter().for_each(|number| bytes.extend(&number.to_le_bytes()[..width]));
        at
    };
    let faces = bytes.len() as u32;
    bytes.push(3);
    bytes.resize(bytes.len() + if is_software { 7 } else { 9 }, 0);
    for vertex in [0, 1, 2] {
        push(&mut bytes, &[if is_software { 12 * vertex } else { vertex }, 0], 4);
    }
    let base = push(&mut bytes, &[0, 256, -512, 1, 2, 3, 300, -300, 70_000, 7, -7, 1_000_001], 4);
    let deltas = [1, -1, 2, 100, -100, 127, -128, 0, 5, 6, -7, 8];
    let later = push(&mut bytes, &deltas, if encoding == 0 || encoding == 4 { 4 } else { 2 });
    let normals = push(&mut bytes, &[0; 3], 4);
    let table = bytes.len() as u32;
    let mut frame_data = table;
    for k in 0..3 {
        let vertices = if k == 0 { base } else { later } as i32;
        let kind = if k == 0 { encoding as i32 } else { 0 };
        push(&mut bytes, &[vertices, normals as i32, 0, kind][..if is_software { 3 } else { 4 }], 4);
    }
    if is_software {
        frame_data = push(&mut bytes, &[table as i32, 0, 0, 1, 0, 5 << 24], 4);
    }
    let fields = [(0x04, 4), (0x08, 1), (0x10, 3), (0x14, frame_data), (0x30, base), (0x34, normals), (0x3C, faces)];
    fields.into_iter().for_each(|(at, value)| word(&mut bytes, at, value));
    if !is_software {
        word(&mut bytes, 0x18, 3);
    }
    bytes
}

/// But for encoding 1, which that reader does not know.
#[test]
fn models_have_the_same_vertices_and_faces() {
    let embedded = write::model(&[vec![[0, 0, 0], [256, 0, 0], [0, 0, 256]]], &[vec![0, 1, 2]]);
    same_model(&embedded);
    same_model(&demo_file("fxart/FENCER.3DC"));
    for encoding in [0, 2, 4, 0x12] {
        same_model(&model_of(b"v4.0", encoding));
        same_model(&model_of(b"v5.0", encoding));
    }
    same_model(&model_of(b"v2.6", 2));
    same_model(&model_of(b"v2.7", 2));
}

#[test]
fn archives_have_the_same_segments() {
    let bytes = demo_file("fxart/DEMO.ROB");
    let mut warnings = Warnings::default();
    let ours = rob::read("ours", &bytes, &mut warnings).unwrap_or_else(|error| panic!("{error}"));
    assert!(warnings.is_empty());
    let theirs = rgpre::rob::parse_rob_file(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ours.len(), theirs.segments.len());
    for (ours, theirs) in ours.iter().zip(&theirs.segments) {
        assert_eq!(ours.name, theirs.name());
        assert_eq!(ours.kind == SegmentKind::External, theirs.points_to_external_file());
        assert_eq!(ours.data, theirs.data);
        let extents = [theirs.bbox.extent_x, theirs.bbox.extent_y, theirs.bbox.extent_z];
        assert_eq!(ours.extents.map(|extent| extent as u32), extents);
        if ours.kind == SegmentKind::Embedded {
            same_model(ours.data);
        }
    }
}

#[test]
fn maps_have_the_same_placements_vertices_and_groups() {
    use rgpre::import::rgm::{RgmSection, parse_ragr_actor_groups, parse_rahd_ragr_index, parse_rgm_file};
    let bytes = demo_file("maps/DEMO.RGM");
    let ours = Map::read("ours", &bytes, &mut Warnings::default()).unwrap_or_else(|error| panic!("{error}"));
    let theirs = parse_rgm_file(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let (mut n_placements, mut n_vertices) = (0, 0);
    let mut rahd: &[u8] = &[];
    let mut ragr: &[u8] = &[];
    for section in &theirs.sections {
        match section {
            RgmSection::MpobParsed(_, records) => {
                n_placements = records.len();
                for (ours, theirs) in ours.placements.iter().zip(records) {
                    assert_eq!(ours.script, theirs.script_name());
                    assert_eq!(ours.angles, [theirs.angle_x, theirs.angle_y, theirs.angle_z]);
                    assert_eq!(ours.position[..2], [theirs.pos_x, theirs.pos_y]);
                    assert_eq!(ours.position[2] & 0xFF_FFFF, theirs.pos_z as i32);
                    assert_eq!([ours.object_type, ours.activation], [theirs.object_type, theirs.is_active]);
                }
            }
            RgmSection::RaexParsed(_, records) => {
                n_vertices = records.len();
                for (ours, theirs) in ours.definitions.iter().zip(records) {
                    assert_eq!([ours.grip.first.0, ours.grip.second.0], [theirs.grip0, theirs.grip1]);
                    assert_eq!([ours.scabbard.first.0, ours.scabbard.second.0], [theirs.scabbard0, theirs.scabbard1]);
                }
            }
            RgmSection::Rahd(header, data) if &header.name == b"RAHD" => rahd = data,
            RgmSection::Ragr(_, data) => ragr = data,
            _ => {}
        }
    }
    assert_eq!((n_placements, n_vertices), (ours.placements.len(), ours.definitions.len()));
    let index = parse_rahd_ragr_index(rahd);
    for definition in &ours.definitions {
        let groups = parse_ragr_actor_groups(ragr, index[&definition.name]);
        assert_eq!(groups.len(), definition.groups.groups.len());
        for ((index, ours), theirs) in definition.groups.groups.iter().zip(&groups) {
            assert_eq!((*index, u16::from(ours.speed)), (theirs.group_index.into(), theirs.anim_id));
            assert_eq!(ours.group_type, theirs.flag);
            let encoded = ours.commands.iter().map(|command| command.encode().expect("it was read"));
            let raw = encoded.map(|[b0, b1, b2]| u32::from_le_bytes([b0, b1, b2, 0]));
            assert!(raw.eq(theirs.commands.iter().map(|command| command.raw)), "{} group {index}", definition.name);
        }
    }
}

#[test]
fn settings_and_definitions_say_the_same() {
    let items = items::read("ours", &demo_file("ITEM.INI"), &mut Warnings::default()).unwrap_or_else(|e| panic!("{e}"));
    let theirs = rgpre::import::item_ini::ItemIni::parse(&text("ITEM.INI")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(items.items.len(), theirs.items.len());
    for ours in &items.items {
        let theirs = &theirs.items[&(ours.id.0 as u32)];
        assert_eq!((Some(&ours.name), Some(ours.player_total)), (theirs.name.as_ref(), theirs.player_total));
    }
    assert!(SystemSettings::read("ours", &demo_file("SYSTEM.INI"), &mut Warnings::default()).is_ok());
    assert!(rgpre::import::system_ini::SystemIni::parse(&text("SYSTEM.INI")).is_ok());

    let file = "SOUP386/SOUP386.DEF";
    let ours = definition::read("ours", &demo_file(file), &mut Warnings::default()).unwrap_or_else(|e| panic!("{e}"));
    let theirs = rgpre::import::soup_def::parse_soup_def(&text(file)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ours.references, theirs.references);
    let plain = |function: &DeclaredFunction| (function.name.clone(), function.n_parameters, format!("{:?}", function.kind));
    let functions: Vec<_> = ours.functions.iter().map(plain).collect();
    // That reader puts NullFunction first.
    let theirs = theirs.functions.iter().skip(1);
    let theirs: Vec<_> =
        theirs.map(|function| (function.name.clone(), function.param_count, format!("{:?}", function.kind))).collect();
    assert_eq!(functions, theirs);
}
