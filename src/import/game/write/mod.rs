//! Writing the game's file formats: a scene as a game folder.
//!
//! What is written is what the readers of this crate and of others read; it is not what the game's own tools would have
//! written byte for byte.

mod map;
mod models;
mod scene;
mod texts;

pub use map::{DefinitionDraft, MapDraft, PlacementDraft};
pub use models::{SegmentDraft, archive, model};
pub use scene::{GameFile, WriteError, game_files};

/// Little-endian fields of a record that starts as zeros.
#[derive(Clone, Debug)]
struct RecordWriter(Vec<u8>);

impl RecordWriter {
    fn new(size: usize) -> Self {
        Self(vec![0; size])
    }

    /// Puts bytes at an offset. The record has room for all fields of its table.
    fn put(&mut self, at: usize, bytes: &[u8]) -> &mut Self {
        if let Some(field) = self.0.get_mut(at..at + bytes.len()) {
            field.copy_from_slice(bytes);
        } else {
            debug_assert!(false, "field {at:X} is outside the record");
        }
        self
    }

    fn u16(&mut self, at: usize, value: u16) -> &mut Self {
        self.put(at, &value.to_le_bytes())
    }

    fn u32(&mut self, at: usize, value: u32) -> &mut Self {
        self.put(at, &value.to_le_bytes())
    }

    fn i32(&mut self, at: usize, value: i32) -> &mut Self {
        self.put(at, &value.to_le_bytes())
    }

    /// The low three bytes of a number.
    fn i24(&mut self, at: usize, value: i32) -> &mut Self {
        let bytes = value.to_le_bytes();
        self.put(at, &bytes[..3])
    }

    /// As much of a name as fits.
    fn name(&mut self, at: usize, width: usize, name: &str) -> &mut Self {
        let bytes = latin1_bytes(name);
        self.put(at, &bytes[..bytes.len().min(width)])
    }
}

/// Latin-1 bytes of a text; other characters become question marks.
fn latin1_bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}
