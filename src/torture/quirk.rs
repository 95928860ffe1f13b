//! Bad ends that the rules demand: the original would do the same.

use super::{Fault, Interruption};

/// A known quirk of the engine.
#[derive(Debug, PartialEq, Eq)]
pub struct Quirk {
    /// The interruptions that end so, as they are written.
    pub interruptions: &'static [&'static str],
    /// How they end.
    pub faults: &'static [Fault],
    /// The rules that say so, of `docs/rules.md`.
    pub rules: &'static str,
    /// Why.
    pub reason: &'static str,
}

const STUCK: &[Fault] = &[Fault::StuckDrawing, Fault::StuckSheathing];

/// All known quirks.
pub static QUIRKS: &[Quirk] = &[
    Quirk {
        interruptions: &["kill", "kill and resurrect, for good"],
        faults: STUCK,
        rules: "X14, U7, W12",
        reason: "a killed actor is left out of ordinary updates, so the animation that the motion state waits for stands still",
    },
    Quirk {
        interruptions: &["hidden, for good"],
        faults: STUCK,
        rules: "X12, U4, W12",
        reason: "a hidden actor is left out of the presentation, where the motion state ends",
    },
    Quirk {
        interruptions: &["nothing", "draw threshold 255, for good", "sheath threshold 255, for good"],
        faults: STUCK,
        rules: "W12",
        reason: "the group shows fewer frames than the threshold asks for, and is asked for again in every presentation",
    },
    Quirk {
        interruptions: &["weapon attribute cleared, for good", "item dropped, for good"],
        faults: STUCK,
        rules: "W12, U6, W17",
        reason: "the pass that ends the motion state needs an assigned weapon, and only the player's assignment is cleaned up",
    },
];

/// The quirk that explains an end, if one does.
pub(super) fn of(interruption: &Interruption, fault: Fault) -> Option<&'static Quirk> {
    let written = interruption.to_string();
    QUIRKS.iter().find(|quirk| quirk.interruptions.contains(&written.as_str()) && quirk.faults.contains(&fault))
}
