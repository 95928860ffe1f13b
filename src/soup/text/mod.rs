//! Programs as text that can be changed and read back to the byte (rules Y90 to Y98).

mod builder;
mod cursor;
mod error;
mod foreign;
mod lex;
mod names;
mod phrase;
mod read;
mod statement;
mod suggest;
mod value;
mod write;

pub use builder::Listing;
pub use error::TextError;
pub use foreign::Numbered;
use phrase::usual_opcode;
pub use read::{read, read_mod_manager};
pub use write::{statement_line, write};

/// The first line of a file.
const HEADER: &str = "soup386 program 1";

/// Blocks that may lie in one another.
const MAX_BLOCKS: usize = 32;

/// Longer names and strings are written as numbers where they are used, lest a small program become a huge text.
const LONGEST_WORD: usize = 255;

/// A byte string in quotes (rule Y95).
fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0x20..=0x7E => text.push(char::from(byte)),
            other => text += &format!("\\x{other:02X}"),
        }
    }
    text.push('"');
    text
}

/// Whether a byte can stand in a key of four letters (rule Y96).
fn is_key_byte(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E) && byte != b'\'' && byte != b'\\'
}
