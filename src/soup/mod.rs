//! SOUP programs: the game's own bytecode, decoded, checked, and as text.
//!
//! [`decode()`] turns a [`Program`](crate::defs::Program) into [`Code`] once; whatever runs, lists or lints a program
//! reads that.
//! Offsets are byte offsets in the program; errors show them in upper-case hexadecimal.

pub mod code;
pub mod op;
pub mod text;

mod check;
mod decode;
mod error;
mod flow;
mod lint;
mod quick;
mod reader;
mod walk;

pub use crate::defs::{FunctionRow, PropertyRow, Tables};
pub use code::Code;
pub use decode::decode;
pub use error::{DecodeError, DecodeFault, Warning};
pub use lint::{Finding, FindingKind, Home, lint};
pub use quick::{Exit, Quick};
