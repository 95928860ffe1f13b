//! "Did you mean" for the first errors of a text: a text of errors alone shall not take long.

use crate::defs::did_you_mean;

/// So many errors of a text are worth a search.
const SEARCHES: u32 = 100;

/// Looks for names like a wrong one.
#[derive(Debug, Default)]
pub(super) struct Suggest {
    searches: u32,
}

impl Suggest {
    /// The end of an error's sentence, empty when no name is near.
    pub(super) fn of<'n>(&mut self, word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
        self.searches += 1;
        if self.searches > SEARCHES { String::new() } else { did_you_mean(word, names) }
    }
}
