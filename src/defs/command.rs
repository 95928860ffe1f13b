//! The 16 animation commands: typed form, 24-bit packing, mnemonics.

use std::{fmt, str::FromStr};

/// What a command does; its number is the low four bits of the packed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// Shows an entry of the frame table (rule P8).
    ShowFrame,
    /// Ends the group (rule P9).
    EndAnimation,
    /// Jumps back, counted by the loop countdown (rule P10).
    GoToPrevious,
    /// Jumps to the exit when another group waits (rule P11).
    GoToFuture,
    /// Asks for a sound (rule P14).
    PlaySound,
    /// Suppresses movement (rule P12).
    BreakPoint,
    /// Stores three rotation deltas (rule P16).
    SetRotationXYZ,
    /// Stores one rotation delta (rule P16).
    SetRotationAxis,
    /// Stores three translation deltas (rule P16).
    SetPositionXYZ,
    /// Stores one translation delta (rule P16).
    SetPositionAxis,
    /// Goes on in another group (rule P17).
    ChangeAnimGroup,
    /// Raises an actor event (rule P15).
    Rumble,
    /// Waits a number of ticks (rule P13).
    DelayCounter,
    /// Waits a number of ticks, forward only (rule P18).
    ConditionalDelay,
    /// Repeats a stretch of commands (rule P19).
    LoopControl,
    /// Leaves the group on a trigger (rule P20).
    Transition,
}

/// One operand's place in the packed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The operand's name, as errors show it.
    pub name: &'static str,
    /// Lowest bit.
    pub shift: u32,
    /// Number of bits.
    pub bits: u32,
    /// Whether the top bit is a sign.
    pub signed: bool,
}

const fn signed(name: &'static str, shift: u32, bits: u32) -> Field {
    Field { name, shift, bits, signed: true }
}

const fn unsigned(name: &'static str, shift: u32, bits: u32) -> Field {
    Field { name, shift, bits, signed: false }
}

const XYZ: &[Field] = &[signed("x", 4, 6), signed("y", 10, 6), signed("z", 16, 6)];
const AXIS: &[Field] = &[unsigned("axis", 4, 2), signed("value", 6, 18)];

/// Name and operands of every command, by opcode (rules C0 to C15).
///
/// Bits of the little-endian word `w = b0 | b1 << 8 | b2 << 16`; the low four are the opcode.
///
/// # Source
/// engine/attachment.md, "Complete Opcode Table" and "Bit Layout Summary"; engine/animation.md, "Transition command".
const LAYOUTS: [(Opcode, &str, &[Field]); 16] = [
    (Opcode::ShowFrame, "ShowFrame", &[unsigned("reference", 4, 20)]),
    (Opcode::EndAnimation, "EndAnimation", &[signed("unused", 4, 20)]),
    (Opcode::GoToPrevious, "GoToPrevious", &[signed("target", 4, 20)]),
    (Opcode::GoToFuture, "GoToFuture", &[signed("target", 4, 20)]),
    (Opcode::PlaySound, "PlaySound", &[signed("effect", 4, 10), signed("rate", 14, 10)]),
    (Opcode::BreakPoint, "BreakPoint", &[signed("unused", 4, 20)]),
    (Opcode::SetRotationXYZ, "SetRotationXYZ", XYZ),
    (Opcode::SetRotationAxis, "SetRotationAxis", AXIS),
    (Opcode::SetPositionXYZ, "SetPositionXYZ", XYZ),
    (Opcode::SetPositionAxis, "SetPositionAxis", AXIS),
    (Opcode::ChangeAnimGroup, "ChangeAnimGroup", &[signed("group", 4, 10), signed("frame", 14, 10)]),
    (Opcode::Rumble, "Rumble", &[signed("mask", 4, 20)]),
    (Opcode::DelayCounter, "DelayCounter", &[signed("ticks", 4, 20)]),
    (Opcode::ConditionalDelay, "ConditionalDelay", &[signed("ticks", 4, 20)]),
    (Opcode::LoopControl, "LoopControl", &[signed("target", 4, 20)]),
    (Opcode::Transition, "Transition", &[unsigned("mask", 4, 6), signed("start", 10, 7), signed("target", 17, 7)]),
];

impl Field {
    fn extract(self, word: u32) -> i32 {
        let left = word << (32 - self.shift - self.bits);
        if self.signed { (left as i32) >> (32 - self.bits) } else { (left >> (32 - self.bits)) as i32 }
    }

    fn insert(self, value: i32) -> Result<u32, CommandError> {
        let (min, max) = self.range();
        if value < min || value > max {
            return Err(CommandError::OutOfRange { operand: self.name, value: value.into(), min, max });
        }
        let mask = (1_u32 << self.bits) - 1;
        Ok((value as u32 & mask) << self.shift)
    }

    /// Smallest and greatest value the field holds.
    #[must_use]
    pub const fn range(self) -> (i32, i32) {
        if self.signed { (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1) } else { (0, (1 << self.bits) - 1) }
    }
}

impl Opcode {
    /// The command's name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        LAYOUTS[self as usize].1
    }

    /// The operands in mnemonic order.
    #[must_use]
    pub fn fields(self) -> &'static [Field] {
        LAYOUTS[self as usize].2
    }

    /// All sixteen, by their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        LAYOUTS.iter().map(|(opcode, ..)| *opcode)
    }

    /// All names of commands, for suggestions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LAYOUTS.iter().map(|&(_, name, _)| name)
    }

    /// EndAnimation and BreakPoint carry an operand that nothing reads; mnemonics may leave it out.
    const fn operand_is_ignored(self) -> bool {
        matches!(self, Self::EndAnimation | Self::BreakPoint)
    }
}

/// A command with its operands; unused places are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it does.
    pub opcode: Opcode,
    /// Its operands, in the order of [`Opcode::fields`].
    pub operands: [i32; 3],
}

/// Why a command text or operand was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// No command has this name.
    #[error("unknown command \"{name}\"")]
    UnknownName {
        /// The word that stands where a name belongs.
        name: String,
    },
    /// The wrong number of operands follows the name.
    #[error("{name} takes {expected} operand(s), found {found}")]
    OperandCount {
        /// The command.
        name: &'static str,
        /// How many it takes.
        expected: usize,
        /// How many stand there.
        found: usize,
    },
    /// An operand is not a decimal integer.
    #[error("operand {operand}: expected a decimal integer, found \"{found}\"")]
    NotAnInteger {
        /// The operand's name.
        operand: &'static str,
        /// What stands there.
        found: String,
    },
    /// An operand does not fit its field.
    #[error("operand {operand}: {value} is outside {min}..={max}")]
    OutOfRange {
        /// The operand's name.
        operand: &'static str,
        /// The value.
        value: i64,
        /// Smallest value that fits.
        min: i32,
        /// Greatest value that fits.
        max: i32,
    },
}

impl Command {
    /// Unpacks three bytes. Every word is a command; bits above the last operand are ignored (rule C16).
    #[must_use]
    pub fn decode(bytes: [u8; 3]) -> Self {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        let (opcode, _, fields) = LAYOUTS[(word & 15) as usize];
        let mut operands = [0; 3];
        for (operand, field) in operands.iter_mut().zip(fields) {
            *operand = field.extract(word);
        }
        Self { opcode, operands }
    }

    /// Packs into three bytes; bits above the last operand are zero (rule C16).
    ///
    /// # Errors
    /// [`CommandError::OutOfRange`] when an operand does not fit its field.
    pub fn encode(self) -> Result<[u8; 3], CommandError> {
        let mut word = self.opcode as u32;
        for (&operand, field) in self.operands.iter().zip(self.opcode.fields()) {
            word |= field.insert(operand)?;
        }
        let [b0, b1, b2, _] = word.to_le_bytes();
        Ok([b0, b1, b2])
    }
}

/// The mnemonic form: `Name a b c`, decimal (rule C18).
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opcode.name())?;
        if self.opcode.operand_is_ignored() && self.operands[0] == 0 {
            return Ok(());
        }
        for operand in &self.operands[..self.opcode.fields().len()] {
            write!(f, " {operand}")?;
        }
        Ok(())
    }
}

/// Reads the mnemonic form; names compare without case, `ActorEvent` is `Rumble` (rule C18).
impl FromStr for Command {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Self, CommandError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let wanted = if name.eq_ignore_ascii_case("ActorEvent") { "Rumble" } else { name };
        let Some(&(opcode, name, fields)) = LAYOUTS.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(wanted))
        else {
            return Err(CommandError::UnknownName { name: name.to_owned() });
        };
        let words: Vec<_> = words.collect();
        let may_be_left_out = opcode.operand_is_ignored() && words.is_empty();
        if words.len() != fields.len() && !may_be_left_out {
            return Err(CommandError::OperandCount { name, expected: fields.len(), found: words.len() });
        }
        let mut operands = [0; 3];
        for ((operand, field), word) in operands.iter_mut().zip(fields).zip(words) {
            *operand = parse_operand(*field, word)?;
        }
        Ok(Self { opcode, operands })
    }
}

fn parse_operand(field: Field, word: &str) -> Result<i32, CommandError> {
    let value: i64 =
        word.parse().map_err(|_| CommandError::NotAnInteger { operand: field.name, found: word.to_owned() })?;
    let (min, max) = field.range();
    if value < i64::from(min) || value > i64::from(max) {
        return Err(CommandError::OutOfRange { operand: field.name, value, min, max });
    }
    Ok(value as i32)
}
