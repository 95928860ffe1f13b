//! Models and archives. The folder compare/ reads such files beside an independent reader.

use soup386::import::game::{
    Warnings,
    model3d::{self, Model3d, VertexBudget},
    rob, write,
};

use crate::game_support::box_segment;

fn read(bytes: &[u8]) -> Result<(Model3d, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let model = model3d::read("m.3dc", "", bytes, &mut VertexBudget::default(), &mut warnings);
    let warnings = warnings.into_list().iter().map(ToString::to_string).collect();
    model.map(|model| (model, warnings)).map_err(|fault| fault.to_string())
}

/// A model of two faces and `n` frames of four vertices, put together by hand.
struct Raw {
    version: &'static [u8; 4],
    bytes: Vec<u8>,
}

impl Raw {
    fn new(version: &'static [u8; 4]) -> Self {
        let mut raw = Self { version, bytes: vec![0; 64] };
        raw.bytes[..4].copy_from_slice(version);
        raw.word(0x04, 4);
        raw.word(0x08, 2);
        let faces = raw.bytes.len();
        raw.word(0x3C, faces as u32);
        let (head, unit) = if raw.is_software() { (8, 12) } else { (10, 1) };
        for face in [[0_u32, 1, 2], [1, 2, 3]] {
            raw.bytes.push(3);
            raw.bytes.resize(raw.bytes.len() + head - 1, 0);
            for vertex in face {
                raw.bytes.extend((vertex * unit).to_le_bytes());
                raw.bytes.extend([0; 4]);
            }
        }
        if !raw.is_software() {
            raw.word(0x18, 6);
        }
        raw
    }

    fn is_software(&self) -> bool {
        self.version[1] == b'2'
    }

    fn word(&mut self, at: usize, value: u32) {
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Adds numbers of a width and gives their place.
    fn add(&mut self, numbers: &[i32], width: usize) -> u32 {
        let at = self.bytes.len() as u32;
        numbers.iter().for_each(|number| self.bytes.extend(&number.to_le_bytes()[..width]));
        at
    }

    /// Whole positions and, behind them, normals of 32 bits.
    fn base(&mut self, positions: &[i32; 12]) -> u32 {
        let at = self.add(positions, 4);
        self.word(0x30, at);
        let normals = self.add(&[0; 6], 4);
        self.word(0x34, normals);
        at
    }

    /// A directory whose entries are given by vertices and type, with normals of zeros.
    fn directory(&mut self, entries: &[(u32, u32)]) {
        let normals = self.add(&[0; 6], 4);
        let at = self.bytes.len() as u32;
        for (vertices, kind) in entries {
            self.add(&[*vertices as i32, normals as i32, 0, *kind as i32], 4);
        }
        self.word(0x10, entries.len() as u32);
        self.word(0x14, at);
    }
}

const BASE: [i32; 12] = [0, 256, -512, 1, 2, 3, 300, -300, 70_000, 7, -7, 1_000_001];
const DELTAS: [i32; 12] = [1, -1, 2, 100, -100, 127, -128, 0, 5, 6, -7, 8];

/// A model of three frames of one encoding; frame 2 shares the bytes of frame 1.
fn encoded(kind: u32) -> Raw {
    let mut raw = Raw::new(b"v4.0");
    let base = raw.base(&BASE);
    let width = match kind {
        0 | 4 => 4,
        1 => 1,
        _ => 2,
    };
    let later = raw.add(&DELTAS, width);
    raw.directory(&[(base, kind), (later, 0), (later, 0)]);
    raw
}

#[test]
fn later_frames_are_stored_in_five_ways() {
    // I20 I23 V1.
    let base = BASE.map(f64::from);
    let expected = |kind: u32, k: usize| match kind {
        0 | 4 => f64::from(DELTAS[k]) / 256.0,
        1 | 0x12 => base[k] / 256.0 - f64::from(DELTAS[k]),
        _ => base[k] / 256.0 - f64::from(DELTAS[k]) / 256.0,
    };
    for kind in [0, 1, 2, 4, 0x12] {
        let (model, warnings) = read(&encoded(kind).bytes).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(warnings, [""; 0], "{kind}");
        assert_eq!(model.faces, [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(
            model.frames[0],
            [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]].map(|at| at.map(|k: usize| (base[k] / 256.0) as f32))
        );
        let frame = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]].map(|at| at.map(|k| expected(kind, k) as f32));
        assert_eq!(model.frames[1], frame, "{kind}");
        assert_eq!(model.frames[2], frame, "{kind}");
    }
}

#[test]
fn a_model_of_one_frame_has_its_base_alone() {
    // I20.
    for kind in [0, 1, 2, 4, 8, 0x12] {
        let mut raw = Raw::new(b"v5.0");
        let base = raw.base(&BASE);
        raw.directory(&[(base, kind)]);
        assert_eq!(read(&raw.bytes).expect("a model").0.frames.len(), 1, "{kind}");
    }
    let mut raw = Raw::new(b"v5.0");
    raw.base(&BASE);
    let (model, warnings) = read(&raw.bytes).expect("a model");
    assert_eq!(model.frames.len(), 1);
    assert!(warnings[0].contains("the number of frames is 0"), "{warnings:?}");
}

/// A software model: whole positions in `reference`, words in the others.
fn software(version: &'static [u8; 4], reference: u16, shift: u8) -> Raw {
    let mut raw = Raw::new(version);
    let whole = raw.add(&BASE, 4);
    let deltas = raw.add(&DELTAS, 2);
    let normals = raw.add(&[0; 2], 4);
    let table = raw.bytes.len() as u32;
    for k in 0..3 {
        let vertices = if k == reference { whole } else { deltas };
        raw.add(&[vertices as i32, normals as i32, 0], 4);
    }
    let header = raw.add(&[table as i32, 0, 0, 1 | i32::from(reference) << 16, 0, i32::from(shift) << 24], 4);
    raw.word(0x10, 3);
    raw.word(0x14, header);
    raw
}

#[test]
fn software_frames_add_shifted_deltas_to_a_reference() {
    // I21: the shift has five bits; sums wrap.
    for (version, reference, shift) in [(b"v2.6", 0_u16, 3_u8), (b"v2.7", 1, 33), (b"v2.7", 2, 31)] {
        let raw = software(version, reference, shift);
        let (model, warnings) = read(&raw.bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(warnings, [""; 0]);
        let position = |k: usize| BASE[k].wrapping_add(DELTAS[k].wrapping_shl(u32::from(shift & 31))) as f32 / 256.0;
        let delta = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]].map(|at| at.map(position));
        for k in 0..3 {
            if k == usize::from(reference) {
                assert_eq!(model.frames[k][2][2], 70_000.0 / 256.0);
            } else {
                assert_eq!(model.frames[k], delta, "{k}");
            }
        }
        // Face vertices are offsets.
        assert_eq!(model.faces, [[0, 1, 2], [1, 2, 3]]);
    }
    let mut raw = Raw::new(b"v2.7");
    raw.base(&BASE);
    assert_eq!(read(&raw.bytes).expect("a static model").0.frames.len(), 1);
}

#[test]
fn what_nothing_reads_may_hold_anything() {
    // I22: normals, texture words, radius, sub-objects; only their places are looked at.
    let mut raw = encoded(2);
    for at in [0x0C, 0x1C, 0x20, 0x24, 0x28, 0x2C, 0x38] {
        raw.word(at, 0xFFC0_0000);
    }
    raw.bytes[64 + 1..64 + 10].fill(0xFF);
    assert_eq!(read(&raw.bytes).expect("a model").1, [""; 0]);
    raw.word(0x34, 0x7FFF_FFFF);
    assert!(read(&raw.bytes).expect("a model").1[0].contains("normals of frame 0 are outside"));
}

#[test]
fn odd_models_are_read_with_a_warning() {
    let warning = |raw: &Raw| read(&raw.bytes).unwrap_or_else(|error| panic!("{error}")).1.join("\n");
    let mut raw = encoded(2);
    raw.word(0x18, 7);
    assert!(warning(&raw).contains("the faces have 6 vertices, the header says 7"));
    let mut raw = Raw::new(b"v4.0");
    let base = raw.base(&BASE);
    raw.directory(&[(base + 12, 2), (base, 5)]);
    let words = warning(&raw);
    assert!(words.contains("frame 0 is not at the base vertices"), "{words}");
    assert!(words.contains("a later frame has a type"), "{words}");
}

#[test]
fn wrong_models_are_told_with_their_places() {
    let patched = |raw: Raw, at: usize, value: u32| {
        let mut raw = raw;
        raw.word(at, value);
        read(&raw.bytes).expect_err("refused")
    };
    let cases = [
        (patched(encoded(2), 0, 0x302E_3376), "expected the version v2.6, v2.7, v4.0 or v5.0, found v3.0"),
        (patched(encoded(2), 0x04, u32::MAX), "4294967295 vertices of 12 bytes need"),
        (patched(encoded(2), 0x08, u32::MAX), "4294967295 faces of three vertices of 34 bytes need"),
        (patched(encoded(2), 0x10, u32::MAX), "4294967295 frames, at most 32768"),
        (patched(encoded(2), 0x10, 32_768), "32768 frame entries of 16 bytes need"),
        (patched(encoded(2), 0x14, 63), "the offset 63 of the frame entries is inside the header"),
        (patched(encoded(2), 0x14, u32::MAX), "3 frame entries of 16 bytes need 48 bytes, 0 are left"),
        (patched(encoded(2), 0x30, 60), "the offset 60 of the vertices is inside the header"),
        (patched(encoded(2), 0x3C, 0), "the offset 0 of the faces is inside the header"),
        (patched(encoded(2), 74, 4), "face 0: offset 0x4A: vertex 4 is none of the 4"),
        (patched(encoded(2), 64, 2), "a face has 2 vertices: at least 3 are needed"),
        (patched(encoded(3), 0, u32::from_le_bytes(*b"v4.0")), "unknown frame type 3"),
        (patched(encoded(8), 0, u32::from_le_bytes(*b"v4.0")), "the type 8 is for one frame, there are 3"),
        (patched(software(b"v2.7", 0, 0), 0x14, 10), "the offset 10 of the animation header is inside the header"),
        (
            patched(software(b"v2.7", 3, 0), 0, u32::from_le_bytes(*b"v2.7")),
            "the reference frame 3 is none of the 3 frames",
        ),
    ];
    for (fault, words) in cases {
        assert!(fault.contains(words), "{words:?} is not in {fault}");
    }
}

#[test]
fn frames_that_share_their_bytes_are_bounded() {
    // I23: 32,768 frames of 1,000 vertices in half a megabyte would be 393 MB.
    let mut raw = Raw::new(b"v4.0");
    raw.word(0x04, 1000);
    let base = raw.add(&vec![0; 3000], 4);
    raw.word(0x30, base);
    let entries: Vec<_> = (0..32_768).map(|_| (base, 0)).collect();
    raw.directory(&entries);
    assert!(read(&raw.bytes).expect_err("too many").contains("all models together have more than 6291456"));
}

#[test]
fn archives_are_strict_where_it_matters() {
    let archive = || {
        write::archive(&[box_segment(), write::SegmentDraft { name: "B".to_owned(), data: None, halves: [[0; 2]; 3] }])
    };
    let patched = |at: usize, bytes: &[u8]| {
        let mut archive = archive();
        archive[at..at + bytes.len()].copy_from_slice(bytes);
        let mut warnings = Warnings::default();
        let read = rob::read("a.rob", &archive, &mut warnings)
            .map(|segments| segments.len())
            .map_err(|fault| fault.to_string());
        (read, warnings.into_list().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    };
    let end = archive().len() - 4;
    let second = end - 80;
    let errors: [(usize, &[u8], &str); 7] = [
        (0, b"OARX", "expected OARC, found OARX"),
        (12, b"\0\0\0\0", "expected OARD, found \\x00\\x00\\x00\\x00"),
        (8, &[0xFF; 4], "4294967295 segments of 80 bytes need"),
        (20 + 0x4C, &[0xFF; 4], "segment 0: offset 0x64: the data of the segment needs 4294967295 bytes"),
        (second + 0x4C, &[4, 0, 0, 0], "B is an external segment, but has 4 bytes of data"),
        (8, &[1, 0, 0, 0], "expected END after the last segment"),
        (end, b"END?", "expected END after the last segment, found END?"),
    ];
    for (at, bytes, words) in errors {
        let fault = patched(at, bytes).0.expect_err("refused");
        assert!(fault.contains(words), "{words:?} is not in {fault}");
    }
    let warnings: [(usize, &[u8], &str); 5] = [
        (16, &[0; 4], "the payload size is 0"),
        (20, &[0; 4], "the total size 0 is not the data size"),
        (20 + 0x1C, &[9], "the extents of BOX are not the sums of their halves"),
        (20 + 4, &[0], "a segment without a name"),
        (second + 4, b"box", "the segment box is there twice: the first counts"),
    ];
    for (at, bytes, words) in warnings {
        let (read, warnings) = patched(at, bytes);
        assert_eq!(read, Ok(2));
        assert!(warnings.contains(words), "{words:?} is not in {warnings}");
    }
    let mut warnings = Warnings::default();
    assert!(rob::read("a.rob", &archive()[..end], &mut warnings).is_ok() && !warnings.is_empty());
}
