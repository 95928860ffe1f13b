//! What can be wrong with a program's bytes.

use std::fmt;

use thiserror::Error;

use super::Tables;

/// One fault of a program, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct DecodeError {
    /// Name of the program.
    pub program: String,
    /// Offset of the statement.
    pub statement: u32,
    /// Offset of the byte at fault; for a fault of the whole statement its own offset.
    pub offset: u32,
    /// Whether both offsets count from the start of the hook's bytes.
    pub in_hook: bool,
    /// The reason.
    pub fault: DecodeFault,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, statement, offset, in_hook, fault } = self;
        let name = if program.is_empty() { "program" } else { program };
        let place = if *in_hook { " hook" } else { "" };
        write!(f, "{name}{place} at 0x{statement:02X}")?;
        if offset != statement {
            write!(f, ", byte 0x{offset:02X}")?;
        }
        write!(f, ": {fault}")
    }
}

/// Why bytes are not a program.
///
/// # Source
/// Rules Y1, Y21, Y22, Y23.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// More bytes than a program may have.
    #[error("{length} bytes, more than the {limit} that a program may have", limit = crate::defs::MAX_PROGRAM)]
    TooLong {
        /// Length of the program.
        length: usize,
    },
    /// More locals than can be numbered.
    #[error("{count} locals, more than 256")]
    TooManyLocals {
        /// How many there are.
        count: usize,
    },
    /// The bytes end within an operand.
    #[error("truncated operand: {needed} bytes needed, {left} left")]
    Truncated {
        /// Bytes of the operand.
        needed: u32,
        /// Bytes that are there.
        left: u32,
    },
    /// No statement begins with this byte.
    #[error("unknown opcode 0x{0:02X}")]
    UnknownOpcode(u8),
    /// No value begins with this byte.
    #[error("opcode 0x{0:02X} is not a value")]
    NotAValue(u8),
    /// No parameter begins with this byte.
    #[error("opcode 0x{0:02X} is not a parameter")]
    NotAParameter(u8),
    /// Not one of the five ways to name an object.
    #[error("object selector {0}")]
    Selector(u8),
    /// Neither task, multitask nor function.
    #[error("dispatch byte {0}")]
    Dispatch(u8),
    /// Neither read, increment nor decrement.
    #[error("update byte {0}")]
    Update(u8),
    /// Not one of the six comparisons.
    #[error("comparison {0}")]
    Comparison(u8),
    /// Neither end, `and` nor `or`.
    #[error("conjunction {0}")]
    Conjunction(u8),
    /// Not one of the nine operators.
    #[error("formula operator {0}")]
    Operator(u8),
    /// A call of a function that does not exist.
    #[error("function {0} is not in the table")]
    UnknownFunction(u16),
    /// A call with another number of parameters than declared.
    #[error("{function} takes {declared} parameters, not {given}")]
    ParameterCount {
        /// The function's name.
        function: String,
        /// Declared number.
        declared: u8,
        /// Number in the program.
        given: u8,
    },
    /// A jump beyond the end.
    #[error("the target 0x{target:02X} is outside the program, whose length is 0x{length:02X}")]
    TargetOutside {
        /// Where it leads.
        target: u32,
        /// Length of the program.
        length: u32,
    },
    /// A jump between statements.
    #[error("the target 0x{target:02X} is inside the instruction at 0x{statement:02X}")]
    TargetInside {
        /// Where it leads.
        target: u32,
        /// The statement that holds that byte.
        statement: u32,
    },
    /// Execution cannot start there.
    #[error("the start 0x{0:02X} is not a statement")]
    Start(u32),
    /// Index beyond the properties.
    #[error("property {0} is not in the table")]
    UnknownProperty(u16),
    /// Index beyond the flags.
    #[error("flag {index} of {count}")]
    UnknownFlag {
        /// The index.
        index: u16,
        /// Number of flags.
        count: usize,
    },
    /// Index beyond the locals.
    #[error("local {index} of {count}")]
    UnknownLocal {
        /// The index.
        index: u8,
        /// Number of locals.
        count: usize,
    },
    /// A hook with more parameters than its record holds.
    #[error("{0} hook parameters, more than 8")]
    HookParameters(u8),
    /// Bytes behind the hook's call.
    #[error("{0} bytes are left over")]
    LeftOver(u32),
}

impl DecodeError {
    /// Whether the program may only need names other than the crate's own, which are these.
    pub(crate) fn may_need_other_tables(&self, tables: &Tables) -> bool {
        use DecodeFault::{ParameterCount, UnknownFunction, UnknownProperty};
        matches!(self.fault, UnknownFunction(_) | UnknownProperty(_) | ParameterCount { .. })
            && tables.functions() == Tables::built_in(&[]).functions()
    }
}

/// What a program may do but hardly means.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Warning {
    /// A TaskStop, TaskPause or TaskResume that can never find its task (rule Y22).
    #[error("0x{statement:02X}: no task call has the label 0x{label:02X}")]
    Label {
        /// Offset of the statement.
        statement: u32,
        /// The label.
        label: u32,
    },
}
