//! SOUP programs as they are stored: bytes with their strings and locals, not yet decoded.

/// The longest program, in bytes (rule Y1).
pub const MAX_PROGRAM: usize = 1 << 20;

/// One actor's bytecode and what belongs to it.
///
/// An empty `bytes` means that the actor has no program. The bytes may be anything: `soup::decode` tells whether they
/// are a program.
///
/// # Source
/// Rule Y1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The name that errors and the text show; for a game file the actor's.
    pub name: String,
    /// Statements, one after the other.
    pub bytes: Vec<u8>,
    /// Offset at which the main cursor begins.
    pub start: u32,
    /// The string table, in whatever encoding the game used.
    pub strings: Vec<Vec<u8>>,
    /// Initial values of the locals.
    pub locals: Vec<i32>,
    /// Address of byte 0 (rule Y2).
    pub base: u32,
    /// The call that is made before each script stage (rule Y14), encoded.
    pub hook: Option<Vec<u8>>,
}
