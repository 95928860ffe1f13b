//! What a script may use up.

/// Budgets of scripts. All are on by default; a script that spends one is ended and cannot catch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of one script in one update: loop rounds, calls and returns in Luau, five
    /// instructions each in Lua 5.4. Calls of natives, errors, memory taken, and library calls that work on large values
    /// cost more. Coroutines that the script makes itself count with it.
    pub steps: u64,
    /// Bytes that all scripts of a runtime hold together.
    pub memory: usize,
    /// Bytes by which one script may grow that memory while it is short: when more than half of `memory` stays in use
    /// after a collection, a script that holds more than this, or more than is still free, is ended.
    pub memory_share: usize,
    /// Bytes of text that one script may print in one update.
    pub printed: usize,
    /// Bytes of one string that `string.rep`, `string.format`, `table.concat` may make, or a pattern may search.
    pub string: usize,
    /// Actors in the world up to which scripts may spawn more.
    pub actors: usize,
    /// Rhai scripts that may wait at once, each on a stack of its own. An operating system has two entries in a table
    /// of some 65,000 for each.
    pub stacks: usize,
    /// Statements of one invocation of a SOUP program (rule Y42).
    pub statements: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            memory: 256 << 20,
            memory_share: 64 << 20,
            printed: 1 << 20,
            string: 1 << 20,
            actors: 16_384,
            stacks: 30_000,
            statements: 65_536,
        }
    }
}
