//! Commands about SOUP programs: as text, as bytes, and what is doubtful in them.

pub(crate) mod asm;
pub(crate) mod disasm;
pub(crate) mod lint;

mod content;
mod load;

pub(crate) use content::{as_bytes, of_bytes, of_text};
pub(crate) use load::{is_program_text as is_text, read_text, tables};
