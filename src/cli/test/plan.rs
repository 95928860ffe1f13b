//! Which scenarios run, and in which order.

use std::hash::{BuildHasher, RandomState};

use super::{TestArguments, cache, pool::Collected, report::Place};
use crate::cli::{
    output::{message, plain_lines},
    problem::Problem,
};

/// The scenarios to run, in the order in which they are begun.
pub(super) struct Plan {
    pub(super) order: Vec<Place>,
    pub(super) shuffle: Option<u64>,
    pub(super) left_out: usize,
}

pub(super) fn make(arguments: &TestArguments, collected: &Collected) -> Result<Plan, Problem> {
    let mut order = collected.places();
    let marked = |place: &Place| collected.declared(*place).only;
    let n_marked = order.iter().filter(|place| marked(place)).count();
    if n_marked > 0 && arguments.forbids_only() {
        return Err(refused(&order, collected));
    }
    let before = order.len();
    if n_marked > 0 {
        order.retain(marked);
    }
    let left_out = before - order.len();
    order.retain(|place| is_wanted(arguments, collected, *place));
    if order.is_empty() && (before > 0 || collected.broken.is_empty()) {
        return Err(Problem::Other(if before == 0 {
            "no script declares scenarios".to_owned()
        } else {
            format!("none of the {before} scenarios is called that way or has the tag")
        }));
    }
    let shuffle = arguments.shuffle.map(|seed| seed.unwrap_or_else(|| RandomState::new().hash_one(0) >> 32));
    if let Some(seed) = shuffle {
        shuffled(&mut order, seed);
    }
    if arguments.failed_first {
        let failed = cache::failed();
        // Stable: otherwise the order stays.
        order.sort_by_key(|place| {
            !failed.contains(&(collected.file(*place).to_owned(), collected.declared(*place).name.clone()))
        });
    }
    Ok(Plan { order, shuffle, left_out })
}

/// Every declaration with `only`.
fn refused(order: &[Place], collected: &Collected) -> Problem {
    for place in order {
        let declared = collected.declared(*place);
        if declared.only {
            let line = declared.line.map(|line| format!(":{line}")).unwrap_or_default();
            let name = plain_lines(&declared.name);
            message(format_args!("{}{line}: \"{name}\" is marked with only", collected.file(*place)));
        }
    }
    Problem::Other("only is refused here (--forbid-only, or CI=true): it would leave other scenarios out".to_owned())
}

fn is_wanted(arguments: &TestArguments, collected: &Collected, place: Place) -> bool {
    let declared = collected.declared(place);
    let named = format!("{}: {}", collected.file(place), declared.name);
    let fits = arguments.filter.is_empty() || arguments.filter.iter().any(|text| named.contains(text.as_str()));
    fits && (arguments.tag.is_empty() || arguments.tag.iter().any(|tag| declared.tags.contains(tag)))
}

/// Fisher and Yates, with the numbers of splitmix64.
fn shuffled(order: &mut [Place], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    for last in (1..order.len()).rev() {
        order.swap(last, (next() % (last as u64 + 1)) as usize);
    }
}
