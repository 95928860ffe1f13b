//! Errors and warnings that are found while one text is read.

use super::tree::Span;
use crate::import::Fault;

/// More than anyone reads; the rest are counted.
const MAX_FAULTS: usize = 50;

pub(super) struct Faults<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
    errors: Vec<Fault>,
    warnings: Vec<Fault>,
    duplicates: Vec<Fault>,
    n_unreported: usize,
}

impl<'t> Faults<'t> {
    pub(super) fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, text, errors: Vec::new(), warnings: Vec::new(), duplicates: Vec::new(), n_unreported: 0 }
    }

    pub(super) fn error(&mut self, span: Span, path: &str, reason: impl Into<String>) {
        if self.errors.len() < MAX_FAULTS {
            self.errors.push(Fault::at(self.file, self.text, span, path, reason));
        } else {
            self.n_unreported += 1;
        }
    }

    pub(super) fn warning(&mut self, span: Span, path: &str, reason: impl Into<String>) {
        if self.warnings.len() < MAX_FAULTS {
            self.warnings.push(Fault::at(self.file, self.text, span, path, reason));
        }
    }

    /// A name that comes again and does not count: a warning of its own kind.
    pub(super) fn duplicate(&mut self, span: Span, path: &str, reason: impl Into<String>) {
        if self.duplicates.len() < MAX_FAULTS {
            self.duplicates.push(Fault::at(self.file, self.text, span, path, reason));
        }
    }

    /// Whether a close name for a fault would still be shown.
    pub(super) fn is_shown(&self) -> bool {
        self.errors.len() < MAX_FAULTS
    }

    /// Duplicates and warnings, or all errors.
    pub(super) fn finish(mut self) -> Result<(Vec<Fault>, Vec<Fault>), Vec<Fault>> {
        if self.errors.is_empty() {
            return Ok((self.duplicates, self.warnings));
        }
        if self.n_unreported > 0 {
            self.errors.push(Fault::of_file(self.file, format!("{} more faults are not shown", self.n_unreported)));
        }
        Err(self.errors)
    }
}
