//! Files that are damaged or meant to do harm: each gives a fault with its place, none a panic, none much memory or time.

use soup386::{
    defs::{Group, Program},
    import::game::{
        Warnings, definition,
        ini::{BadLine, Ini},
        items,
        model3d::{self, VertexBudget},
        rgm::Map,
        rob,
        settings::{SystemSettings, WorldSettings},
        write::{DefinitionDraft, MapDraft, SegmentDraft, archive, model},
    },
};

use crate::game_support::{GameFolder, body, body_frames, box_segment, map, placed};

/// A map with something in every section.
fn full_map() -> MapDraft {
    let commands = ["ShowFrame 1", "EndAnimation"].map(|text| text.parse().expect("a command"));
    let mut a = body("A");
    a.groups = vec![(0, Group { speed: 1, group_type: 0, commands: commands.into() })];
    a.locations = vec![[1, 2, 3]];
    a.namespace = Some("Alias".to_owned());
    a.program = Some(Program {
        // Yield, and a hook that calls NullFunction.
        bytes: vec![0x18],
        strings: vec![b"one".to_vec(), b"".to_vec()],
        locals: vec![5, 6],
        hook: Some(vec![0, 0, 0]),
        ..Program::default()
    });
    map(vec![a, body("CYRUS")], vec![placed("A", [1, 2, 3])])
}

fn read_map(bytes: &[u8]) -> Result<Vec<String>, String> {
    let mut warnings = Warnings::default();
    match Map::read("m.rgm", bytes, &mut warnings) {
        Ok(_) => Ok(warnings.into_list().iter().map(ToString::to_string).collect()),
        Err(fault) => Err(fault.to_string()),
    }
}

/// Where a section's header is, and how long its payload is.
fn section(bytes: &[u8], tag: &[u8; 4]) -> (usize, usize) {
    let mut at = 0;
    while &bytes[at..at + 4] != tag {
        at += 8 + u32::from_be_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
    }
    (at, u32::from_be_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize)
}

/// The full map with other bytes in a section.
fn patched(tag: &[u8; 4], at: usize, patch: &[u8]) -> Vec<u8> {
    patch_in(full_map().bytes(), tag, at, patch)
}

fn patch_in(mut bytes: Vec<u8>, tag: &[u8; 4], at: usize, patch: &[u8]) -> Vec<u8> {
    let (start, _) = section(&bytes, tag);
    bytes[start + 8 + at..start + 8 + at + patch.len()].copy_from_slice(patch);
    bytes
}

/// The full map with another payload of a section, or without the section.
fn replaced(tag: &[u8; 4], payload: Option<&[u8]>) -> Vec<u8> {
    let bytes = full_map().bytes();
    let (start, length) = section(&bytes, tag);
    let mut other = bytes[..start].to_vec();
    if let Some(payload) = payload {
        other.extend(tag);
        other.extend((payload.len() as u32).to_be_bytes());
        other.extend(payload);
    }
    other.extend(&bytes[start + 8 + length..]);
    other
}

/// A field of the first definition.
fn field(at: usize, value: i32) -> Vec<u8> {
    patched(b"RAHD", 8 + at, &value.to_le_bytes())
}

#[track_caller]
fn refused(bytes: &[u8], words: &[&str]) {
    let fault = read_map(bytes).expect_err("refused");
    for word in words {
        assert!(fault.contains(word), "{word:?} is not in {fault}");
    }
}

#[track_caller]
fn warned(bytes: &[u8], words: &str) {
    let warnings = read_map(bytes).unwrap_or_else(|fault| panic!("{words}: {fault}"));
    assert!(warnings.iter().any(|warning| warning.contains(words)), "{words:?} is not in {warnings:?}");
}

#[test]
fn the_full_map_is_in_order() {
    assert_eq!(read_map(&full_map().bytes()), Ok(vec![]));
}

#[test]
fn sixteen_bytes_with_a_count_are_an_error_that_names_section_and_count() {
    for tag in ["MPSF", "WDNM", "MPMK", "MPSL", "MPOB", "RAHD", "RAEX", "RAGR", "MPSO", "MPRP"] {
        let mut bytes = tag.as_bytes().to_vec();
        bytes.extend([0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF]);
        bytes.extend(b"END ");
        refused(&bytes, &[tag, "4294967295"]);
    }
}

#[test]
fn the_frame_of_a_map_is_checked() {
    refused(b"", &["the file is empty"]);
    refused(b"RAHD", &["the header of a section needs 8 bytes, 4 are left"]);
    refused(b"RAHD\0\0\0\x05abcd", &["RAHD", "needs 5 bytes, 4 are left"]);
    let valid = full_map().bytes();
    let (start, length) = section(&valid, b"RAVA");
    let mut twice = valid.clone();
    twice.splice(0..0, valid[start..start + 8 + length].iter().copied());
    refused(&twice, &["RAVA", "the section is there twice"]);
    let (start, length) = section(&valid, b"RAFS");
    let mut twice = valid.clone();
    twice.splice(0..0, valid[start..start + 8 + length].iter().copied());
    refused(&twice, &["RAFS", "the section is there twice"]);

    warned(&valid[..valid.len() - 8], "the section END is missing");
    let mut more = valid.clone();
    more.extend(b"123");
    warned(&more, "3 bytes after END are not read");
    let mut length = valid.clone();
    *length.last_mut().expect("bytes") = 9;
    warned(&length, "END has no payload, but gives the length 9");
    let mut unknown = b"XY\0\x01\0\0\0\x01z".to_vec();
    unknown.extend(&valid);
    warned(&unknown, "XY\\x00\\x01: offset 0x8: unknown section of 1 bytes");
    let many = b"XXXX\0\0\0\0".repeat(5000);
    refused(&many, &["more than 4096 sections"]);
}

#[test]
fn sections_may_stand_in_any_order() {
    let valid = full_map().bytes();
    let mut sections = Vec::new();
    let mut at = 0;
    while at < valid.len() - 8 {
        let length = u32::from_be_bytes(valid[at + 4..at + 8].try_into().expect("four bytes")) as usize;
        sections.push(&valid[at..at + 8 + length]);
        at += 8 + length;
    }
    sections.reverse();
    let mut other = sections.concat();
    other.extend(b"END \0\0\0\0");
    assert_eq!(read_map(&other), Ok(vec![]));
}

#[test]
fn sections_that_are_needed_must_be_there() {
    for tag in [b"RAHD", b"RAAT", b"RAEX", b"RAGR", b"RAAN", b"RASC", b"RASB", b"RAST", b"RAVA", b"RAHK", b"RALC"] {
        refused(&replaced(tag, None), &[&format!("the section {} is missing", String::from_utf8_lossy(tag))]);
    }
    warned(&replaced(b"RANM", None), "the section RANM is missing");
    warned(&replaced(b"MPOB", None), "the section MPOB is missing");
    let folder = GameFolder::with_map("needed", &full_map());
    folder.write("maps/TEST.RGM", replaced(b"MPMK", None));
    assert!(folder.fault().contains("the player starts at marker 0, but there are 0 markers"));
    // Without definitions hardly anything is needed.
    assert!(read_map(b"RAHD\0\0\0\x08\0\0\0\0\x1B\x80\x37\0END \0\0\0\0").is_ok());
}

#[test]
fn counts_and_offsets_are_held_against_the_bytes() {
    let most = [0xFF; 4];
    refused(&patched(b"RAHD", 0, &most), &["RAHD", "4294967295"]);
    refused(&patched(b"MPOB", 0, &most), &["MPOB", "4294967295"]);
    refused(&patched(b"MPMK", 0, &most), &["MPMK", "4294967295"]);
    let place = "definition 0 (A)";
    let fields = [
        (0x1D, "RAAT", "attributes"),
        (0x21, "RAAN", "frame sources"),
        (0x29, "RAAN", "frame sources"),
        (0x31, "RAGR", "groups"),
        (0x41, "RASB", "text offsets"),
        (0x49, "RASB", "text offsets"),
        (0x4D, "RASC", "program"),
        (0x51, "RASC", "program"),
        (0x5D, "RAHK", "hook"),
        (0x61, "RALC", "locations"),
        (0x69, "RALC", "locations"),
        (0x71, "RAEX", "vertices"),
        (0x75, "RAVA", "locals"),
        (0x7D, "RAVA", "locals"),
    ];
    for (at, section, what) in fields {
        for value in [-1, i32::MIN, i32::MAX, 0x0100_0000] {
            refused(&field(at, value), &[section, place, what]);
        }
    }
    refused(&field(0x69, 0), &["RALC", "the offset 0 of the locations is not positive"]);
    refused(&patched(b"RASB", 0, &most), &["RASB", "text 0: the offset -1 is negative"]);
    refused(&patched(b"RASB", 4, &[200, 0, 0, 0]), &["RASB", "text 1: the offset 200 is outside"]);
    let open = field_in(replaced(b"RAST", Some(b"one\0two")), 0, 0x41, 2);
    refused(&patch_in(open, b"RASB", 4, &[4, 0, 0, 0]), &["RASB", "text 1: the offset 4 is not ended by a zero byte"]);
    warned(&field(0x19, 1000), "RANM, definition 0 (A): offset");
    warned(&field(0x71, 15), "the offset is between records");
    warned(&field(0x25, 77), "RAHD says 77");
    warned(&patched(b"RAHD", 4, &[0; 4]), "unusual bytes after the count");
}

#[test]
fn bytes_that_are_left_over_are_told() {
    for (tag, words) in [
        (b"RAHD", "bytes after the last record are not read"),
        (b"MPOB", "bytes after the last placement are not read"),
        (b"MPMK", "bytes after the last marker are not read"),
        (b"RAEX", "bytes are not whole records of 30"),
    ] {
        let bytes = full_map().bytes();
        let (start, length) = section(&bytes, tag);
        let mut payload = bytes[start + 8..start + 8 + length].to_vec();
        payload.push(0);
        warned(&replaced(tag, Some(&payload)), words);
    }
}

#[test]
fn frame_sources_are_checked() {
    refused(&field(0x21, -2), &["RAAN", "the count -2 of frame sources is negative"]);
    refused(&replaced(b"RAAN", Some(b"\0\0\0\0\x03cab")), &["RAAN", "not ended by a zero byte"]);
    refused(&patched(b"RAAN", 6, b"\0"), &["RAAN", "the path names no model"]);
    let mut long = b"\0\0\0\0\x03c".to_vec();
    long.extend([b'x'; 256]);
    long.push(0);
    refused(&replaced(b"RAAN", Some(&long)), &["RAAN", "the path has 256 bytes, at most 255"]);
    warned(&patched(b"RAAN", 5, b"x"), "the model type 0x78 is neither c nor s");
    assert_eq!(read_map(&patched(b"RAAN", 5, b"S")), Ok(vec![]));
    let folder = GameFolder::with_map("model", &full_map());
    folder.write("maps/TEST.RGM", patched(b"RAAN", 12, b"Q"));
    let fault = folder.fault();
    assert!(fault.contains("definition 0 (A): there is no model"), "{fault}");
}

#[test]
fn groups_are_checked() {
    // The list of A: size 14, group 0, speed 1, type 0, two commands, end; then the empty list of CYRUS.
    for size in [1, 7] {
        refused(&patched(b"RAGR", 0, &[size, 0]), &["RAGR", "at least 8 are needed"]);
    }
    refused(&patched(b"RAGR", 0, &[200, 0]), &["RAGR", "a group needs 200 bytes, 18 are left"]);
    refused(&patched(b"RAGR", 8, &[3, 0]), &["RAGR", "3 commands of 3 bytes need 9 bytes, 6 are left"]);
    refused(&patched(b"RAGR", 2, &[178, 0]), &["RAGR", "the group number 178 is above 177"]);
    refused(&replaced(b"RAGR", Some(&[0])), &["RAGR", "a single byte is left"]);
    warned(&patched(b"RAGR", 8, &[1, 0]), "group 0 has 3 bytes after its commands");
    warned(&patched(b"RAGR", 6, &[3, 0]), "group 0 has the type 3");
    let bytes = full_map().bytes();
    let (start, length) = section(&bytes, b"RAGR");
    let list = &bytes[start + 8..start + 8 + length];
    let twice = [&list[..16], list].concat();
    warned(&field_in(replaced(b"RAGR", Some(&twice)), 1, 0x31, 32), "group 0 is there twice: the last one counts");
    let open = &list[..16];
    warned(&field_in(replaced(b"RAGR", Some(open)), 1, 0x31, 16), "the last group list has no end");
    let folder = GameFolder::with_map("groups", &full_map());
    folder.write("maps/TEST.RGM", patched(b"RAGR", 10, &[0x30, 0, 0]));
    assert!(folder.fault().contains("ShowFrame 3 is outside the frame table of 3 frames"), "{}", folder.fault());
}

/// Another value in a field of a definition.
fn field_in(mut bytes: Vec<u8>, definition: usize, at: usize, value: i32) -> Vec<u8> {
    let (start, _) = section(&bytes, b"RAHD");
    let at = start + 16 + definition * 165 + at;
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

#[test]
fn odd_names_are_told() {
    warned(&patched(b"RAHD", 8 + 4, b"\0"), "definition without a name");
    warned(&patched(b"RAHD", 8 + 4, b"\x07\x80"), "unusual bytes in the name of a definition: \\x07\\x80");
    warned(&patched(b"RAHD", 8 + 4, b"cyrus"), "CYRUS is defined twice: the first counts");
    // Names of full width, and bytes after the NUL, are in order.
    assert_eq!(read_map(&patched(b"RAHD", 8 + 4, b"ABCDEFGHI")), Ok(vec![]));
    assert_eq!(read_map(&patched(b"RAHD", 8 + 4, b"A\0junk")), Ok(vec![]));
}

#[test]
fn lists_that_are_shared_cost_once_and_lists_that_overlap_have_a_bound() {
    // 4,000 definitions share a list of 20,000 commands: unshared that would be 1.3 GB.
    let commands = std::iter::repeat_n("EndAnimation".parse().expect("a command"), 20_000).collect();
    let mut first = body("A");
    first.groups = vec![(0, Group { speed: 1, group_type: 0, commands })];
    let mut definitions = vec![first];
    definitions.extend((0..4000).map(|k| DefinitionDraft::new(format!("D{k}"))));
    let mut shared = map(definitions, vec![]).bytes();
    for k in 1..=4000 {
        shared = field_in(shared, k, 0x31, 0);
    }
    assert!(read_map(&shared).is_ok());
    // Group lists at every even offset of a field of groups without commands: each is walked to its end.
    let entry = [8, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut overlapping = map((0..4000).map(|k| DefinitionDraft::new(format!("D{k}"))).collect(), vec![]).bytes();
    for k in 0..4000 {
        overlapping = field_in(overlapping, k, 0x31, 10 * k as i32);
    }
    let (start, length) = section(&overlapping, b"RAGR");
    let list = entry.repeat(4000);
    let mut other = overlapping[..start].to_vec();
    other.extend(b"RAGR");
    other.extend((list.len() as u32).to_be_bytes());
    other.extend(&list);
    other.extend(&overlapping[start + 8 + length..]);
    let fault = read_map(&other).expect_err("too much");
    assert!(fault.contains("refer to more than 4194304 entries"), "{fault}");
}

#[test]
fn too_many_records_are_refused() {
    let bytes = map(vec![DefinitionDraft::new("A")], vec![placed("A", [0; 3]); 16_385]).bytes();
    refused(&bytes, &["MPOB", "16385 placements, at most 16384 are read"]);
    let mut many = map(vec![DefinitionDraft::new("A")], vec![]);
    many.markers = vec![[0; 3]; 16_385];
    refused(&many.bytes(), &["MPMK", "16385 markers, at most 16384 are read"]);
    let segment = SegmentDraft { name: "A".to_owned(), data: None, halves: [[0; 2]; 3] };
    let many = archive(&vec![segment; 32_768]);
    let fault = rob::read("a.rob", &many, &mut Warnings::default()).expect_err("too many");
    assert!(fault.to_string().contains("32768 segments, at most 32767 are read"), "{fault}");
    let bytes = map(vec![DefinitionDraft::new("A"); 16_385], vec![]).bytes();
    refused(&bytes, &["RAHD", "16385 definitions, at most 16384 are read"]);
}

/// A reader of one kind of file, without what it reads.
type Reader = fn(&[u8]) -> Result<(), String>;

/// Small files of every kind, with their readers.
fn samples() -> Vec<(&'static str, Vec<u8>, Reader)> {
    fn done<T>(result: Result<T, soup386::import::Fault>) -> Result<(), String> {
        result.map(drop).map_err(|fault| fault.to_string())
    }
    vec![
        ("rgm", full_map().bytes(), |bytes| done(Map::read("f", bytes, &mut Warnings::default()).map(|_| ()))),
        ("rob", archive(&[box_segment()]), |bytes| done(rob::read("f", bytes, &mut Warnings::default()).map(|_| ()))),
        ("3dc", model(&body_frames(), &[vec![0, 1, 2]]), |bytes| {
            done(model3d::read("f", "", bytes, &mut VertexBudget::default(), &mut Warnings::default()))
        }),
        ("item.ini", b"[items]\r\ntype[1]=1\r\nstart_item_list=1\r\n".to_vec(), |bytes| {
            done(items::read("f", bytes, &mut Warnings::default()))
        }),
        ("system.ini", b"[system]\r\njump_time=6\r\n".to_vec(), |bytes| {
            done(SystemSettings::read("f", bytes, &mut Warnings::default()))
        }),
        ("world.ini", b"[world]\r\nstart_world=1\r\n".to_vec(), |bytes| {
            done(WorldSettings::read("f", bytes, &mut Warnings::default()))
        }),
        ("def", b"[functions]\ntask a parms 1\n[equates]\nauto\nb\nendauto\n[flags]\nBOOL c 1\n".to_vec(), |bytes| {
            done(definition::read("f", bytes, &mut Warnings::default()))
        }),
    ]
}

#[test]
fn every_prefix_of_a_file_is_read_or_refused() {
    for (kind, bytes, read) in samples() {
        read(&bytes).unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        let mut n_refused = 0;
        for end in 0..bytes.len() {
            if let Err(fault) = read(&bytes[..end]) {
                assert!(fault.starts_with("f:"), "{kind}, {end} bytes: {fault}");
                n_refused += 1;
            }
        }
        assert!(n_refused > 0, "{kind}");
    }
}

#[test]
fn every_word_of_a_file_may_be_anything() {
    for (kind, bytes, read) in samples() {
        for at in 0..bytes.len() {
            for patch in [[0xFF; 4], [0; 4], [0, 0, 0, 0x80], [1, 0, 0, 0], [0xFE, 0xFF, 0xFF, 0x7F]] {
                let mut other = bytes.clone();
                let end = (at + 4).min(bytes.len());
                other[at..end].copy_from_slice(&patch[..end - at]);
                if let Err(fault) = read(&other) {
                    assert!(fault.starts_with("f:"), "{kind}, {patch:?} at {at}: {fault}");
                }
            }
        }
    }
}

#[test]
fn one_warning_is_given_once_and_many_are_counted() {
    let mut warnings = Warnings::default();
    let text = format!("[a]\n{}", "x\n".repeat(1000));
    let ini = Ini::read("f", text.as_bytes(), BadLine::Warning, &mut warnings);
    assert!(ini.is_ok());
    let list = warnings.into_list();
    assert_eq!(list.len(), 201);
    assert_eq!(list[200].to_string(), "f: 800 more warnings are not shown");
}
