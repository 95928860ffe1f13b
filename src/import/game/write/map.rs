//! Maps.
//!
//! # Source
//! formats/RGM.md.

use super::{RecordWriter, latin1_bytes};
use crate::defs::{Group, Program, VertexPair};

/// An actor's definition, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionDraft {
    /// Its name, at most nine bytes.
    pub name: String,
    /// The name under which programs know it, if that is another.
    pub namespace: Option<String>,
    /// 256 attribute bytes.
    pub attributes: Box<[u8; 256]>,
    /// Vertices that hold the drawn item.
    pub grip: VertexPair,
    /// Vertices that hold the sheathed item.
    pub scabbard: VertexPair,
    /// Paths of models and how many frames of each.
    pub frames: Vec<(String, u8)>,
    /// Groups with their numbers.
    pub groups: Vec<(u32, Group)>,
    /// Its program with the locals of the first actor.
    pub program: Option<Program>,
    /// Locals of the second actor and on.
    pub more_locals: Vec<Vec<i32>>,
    /// Authored locations.
    pub locations: Vec<[i32; 3]>,
    /// The field at 2Dh; −1 with one model makes it a static one.
    pub anim_control_prefix: i32,
    /// The field at 85h; below 2 with one model makes it a static one.
    pub anim_frame_data: i32,
}

impl DefinitionDraft {
    /// A definition of this name with nothing in it.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            namespace: None,
            attributes: Box::new([0; 256]),
            grip: VertexPair::default(),
            scabbard: VertexPair::default(),
            frames: Vec::new(),
            groups: Vec::new(),
            program: None,
            more_locals: Vec::new(),
            locations: Vec::new(),
            anim_control_prefix: 0,
            anim_frame_data: 0,
        }
    }
}

/// A placement, as it is written.
#[derive(Clone, Debug, Default)]
pub struct PlacementDraft {
    /// 1 for actors.
    pub object_type: u8,
    /// Nonzero for persistent actors.
    pub activation: u8,
    /// The definition's name.
    pub script: String,
    /// A model of its own, or empty.
    pub model: String,
    /// 1 for a static model, else a number of frames.
    pub is_static: u8,
    /// Map coordinates.
    pub position: [i32; 3],
    /// Pitch, heading, roll.
    pub angles: [u32; 3],
}

/// A map, as it is written.
#[derive(Clone, Debug, Default)]
pub struct MapDraft {
    /// Definitions.
    pub definitions: Vec<DefinitionDraft>,
    /// Placements.
    pub placements: Vec<PlacementDraft>,
    /// Markers.
    pub markers: Vec<[i32; 3]>,
}

impl MapDraft {
    /// The bytes of the map.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut parts = Parts::new();
        for definition in &self.definitions {
            parts.definition(definition);
        }
        let mut rahd = (self.definitions.len() as u32).to_le_bytes().to_vec();
        rahd.extend([0x1B, 0x80, 0x37, 0x00]);
        rahd.append(&mut parts.rahd);
        let sections: [(&[u8; 4], &[u8]); 15] = [
            (b"RAHD", &rahd),
            (b"RAFS", &[0]),
            (b"RAST", &parts.rast),
            (b"RASB", &parts.rasb),
            (b"RAVA", &parts.rava),
            (b"RASC", &parts.rasc),
            (b"RAHK", &parts.rahk),
            (b"RALC", &parts.ralc),
            (b"RAEX", &parts.raex),
            (b"RAAT", &parts.raat),
            (b"RAAN", &parts.raan),
            (b"RAGR", &parts.ragr),
            (b"RANM", &parts.ranm),
            (b"MPOB", &self.placement_bytes()),
            (b"MPMK", &self.marker_bytes()),
        ];
        let mut bytes = Vec::new();
        for (tag, payload) in sections {
            bytes.extend(tag);
            bytes.extend((payload.len() as u32).to_be_bytes());
            bytes.extend(payload);
        }
        bytes.extend(b"END \0\0\0\0");
        bytes
    }

    fn placement_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.placements.len() as u32).to_le_bytes().to_vec();
        for (index, placement) in self.placements.iter().enumerate() {
            let mut record = RecordWriter::new(66);
            record.u32(0, index as u32).put(4, &[placement.object_type, placement.activation]);
            record.name(0x06, 9, &placement.script).name(0x0F, 9, &placement.model);
            record.put(0x18, &[placement.is_static]);
            for (axis, (coordinate, angle)) in placement.position.iter().zip(placement.angles).enumerate() {
                record.i24(0x1B + 4 * axis, *coordinate).u32(0x26 + 4 * axis, angle);
            }
            bytes.append(&mut record.0);
        }
        bytes
    }

    fn marker_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.markers.len() as u32).to_le_bytes().to_vec();
        for marker in &self.markers {
            let mut record = RecordWriter::new(12);
            for (axis, coordinate) in marker.iter().enumerate() {
                record.i24(4 * axis, *coordinate);
            }
            bytes.append(&mut record.0);
        }
        bytes.extend(self.markers.iter().map(|_| 1));
        bytes
    }
}

/// The sections of definitions, growing.
struct Parts {
    rahd: Vec<u8>,
    rast: Vec<u8>,
    rasb: Vec<u8>,
    rava: Vec<u8>,
    rasc: Vec<u8>,
    rahk: Vec<u8>,
    ralc: Vec<u8>,
    raex: Vec<u8>,
    raat: Vec<u8>,
    raan: Vec<u8>,
    ragr: Vec<u8>,
    ranm: Vec<u8>,
}

impl Parts {
    fn new() -> Self {
        Self {
            rahd: Vec::new(),
            rast: Vec::new(),
            rasb: Vec::new(),
            // The first local is never anybody's.
            rava: vec![0; 4],
            rasc: Vec::new(),
            // Offset 0 means no hook, no locations, no namespace.
            rahk: vec![0],
            ralc: vec![0; 12],
            raex: Vec::new(),
            raat: Vec::new(),
            raan: Vec::new(),
            ragr: Vec::new(),
            ranm: vec![0],
        }
    }

    fn definition(&mut self, definition: &DefinitionDraft) {
        let mut record = RecordWriter::new(165);
        record.name(0x04, 9, &definition.name).u16(0x0D, 1 + definition.more_locals.len() as u16);
        record.i32(0x2D, definition.anim_control_prefix).i32(0x85, definition.anim_frame_data);
        // No bounds, no combat data, no texture set, no collision data.
        for at in [0x89, 0x8D, 0x91, 0x9D] {
            record.i32(at, -1);
        }
        record.u16(0x97, u16::MAX).u16(0x99, u16::MAX);
        record.u32(0x1D, self.raat.len() as u32).u32(0x71, self.raex.len() as u32);
        self.raat.extend(&definition.attributes[..]);
        self.vertices(definition);
        self.namespace(&mut record, definition);
        self.frames(&mut record, definition);
        record.u32(0x31, self.ragr.len() as u32);
        self.groups(definition);
        self.locations(&mut record, definition);
        if let Some(program) = &definition.program {
            self.program(&mut record, program, &definition.more_locals);
        }
        self.rahd.append(&mut record.0);
    }

    fn vertices(&mut self, definition: &DefinitionDraft) {
        let pairs =
            [definition.grip.first, definition.grip.second, definition.scabbard.first, definition.scabbard.second];
        let mut record = RecordWriter::new(30);
        for (k, vertex) in pairs.into_iter().enumerate() {
            record.put(2 * k, &vertex.0.to_le_bytes());
        }
        self.raex.append(&mut record.0);
    }

    fn namespace(&mut self, record: &mut RecordWriter, definition: &DefinitionDraft) {
        let name = definition.namespace.as_ref().unwrap_or(&definition.name);
        record.u32(0x19, self.ranm.len() as u32);
        self.ranm.extend(latin1_bytes(name));
        self.ranm.push(0);
    }

    fn frames(&mut self, record: &mut RecordWriter, definition: &DefinitionDraft) {
        let start = self.raan.len();
        for (path, n_frames) in &definition.frames {
            self.raan.extend([0, 0, 0, 0, *n_frames, b'c']);
            self.raan.extend(latin1_bytes(path));
            self.raan.push(0);
        }
        record.u32(0x21, definition.frames.len() as u32).u32(0x25, (self.raan.len() - start) as u32);
        record.u32(0x29, start as u32);
    }

    fn groups(&mut self, definition: &DefinitionDraft) {
        for (index, group) in &definition.groups {
            let n_commands = group.commands.len() as u16;
            for word in [8 + 3 * n_commands, *index as u16, group.speed.into(), group.group_type.into(), n_commands] {
                self.ragr.extend(word.to_le_bytes());
            }
            for command in group.commands.iter() {
                // Commands of a scene were decoded or checked, so they encode.
                self.ragr.extend(command.encode().unwrap_or_default());
            }
        }
        self.ragr.extend([0, 0]);
    }

    fn locations(&mut self, record: &mut RecordWriter, definition: &DefinitionDraft) {
        record.u32(0x61, definition.locations.len() as u32).u32(0x69, self.ralc.len() as u32);
        for coordinate in definition.locations.iter().flatten() {
            self.ralc.extend(coordinate.to_le_bytes());
        }
    }

    fn program(&mut self, record: &mut RecordWriter, program: &Program, more_locals: &[Vec<i32>]) {
        let end = program.base as usize + program.bytes.len();
        if self.rasc.len() < end {
            self.rasc.resize(end, 0);
        }
        self.rasc[program.base as usize..end].copy_from_slice(&program.bytes);
        record.u32(0x4D, program.bytes.len() as u32).u32(0x51, program.base).u32(0x55, program.start);
        record.u32(0x41, program.strings.len() as u32).u32(0x49, self.rasb.len() as u32);
        for string in &program.strings {
            self.rasb.extend((self.rast.len() as u32).to_le_bytes());
            self.rast.extend(string);
            self.rast.push(0);
        }
        let offset = self.rava.len() as u32;
        record.u32(0x75, program.locals.len() as u32).u32(0x7D, offset).u32(0x81, offset);
        for local in std::iter::once(&program.locals).chain(more_locals).flatten() {
            self.rava.extend(local.to_le_bytes());
        }
        if let Some(hook) = &program.hook {
            record.u32(0x5D, self.rahk.len() as u32);
            self.rahk.extend(hook);
        }
    }
}
