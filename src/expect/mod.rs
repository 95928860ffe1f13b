//! What scenarios declare and expect, in words that every language shares.
//!
//! A scenario file is a script whose top level declares scenarios. While it runs, its calls of `scenario`, `expect` and
//! their like are entered on a [`Sheet`], which lies in the engine that scripts are lent; whoever runs scenarios reads it
//! afterwards. Values are compared here, once for all languages.

mod declare;
mod matcher;
mod sheet;
mod value;

pub use declare::{Declaration, Declared};
pub use matcher::{MATCHERS, Matcher, Mismatch, unknown_matcher};
pub use sheet::{Broken, GoldenCall, Involved, Moment, Place, Reached, Sheet};
pub use value::{MOST_NESTED, MOST_VALUES, Room, TooLarge, Value};
