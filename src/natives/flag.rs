//! Global flags with their latches.
//!
//! # Source
//! Rules X11 and Y71; engine/SOUP.md, "Global Flags".

use super::{Call, Entry};
use crate::{
    defs::FlagKind,
    world::{Flag, Gate},
};

/// The flag that the first argument names, with its kind.
fn flag<'a>(call: &'a mut Call<'_>) -> Result<(FlagKind, &'a mut Flag), Gate> {
    let unknown = Gate::UnknownFlag { flag: call.int(0) };
    let Ok(index) = usize::try_from(call.int(0)) else { return Err(unknown) };
    let kind = call.defs.flags().get(index).map(|def| def.kind);
    kind.zip(call.world.flags.get_mut(index)).ok_or(unknown)
}

/// Acts as the flag's kind says, and latches all but flip-flops. Returns 0.
fn setglobalflag(call: &mut Call<'_>) -> i32 {
    let id = call.int(0);
    let outcome = flag(call).and_then(|(kind, flag)| set(kind, flag, id));
    call.note(outcome);
    0
}

fn set(kind: FlagKind, flag: &mut Flag, id: i32) -> Result<(), Gate> {
    match kind {
        FlagKind::Bool if flag.latch => return Err(Gate::FlagLatched { flag: id }),
        FlagKind::Counter if flag.value == 0 => return Err(Gate::CounterAtZero { flag: id }),
        FlagKind::Bool | FlagKind::Flipflop => flag.value = (flag.value == 0).into(),
        FlagKind::Counter => flag.value = flag.value.wrapping_sub(1),
        FlagKind::Number => {}
    }
    flag.latch |= kind != FlagKind::Flipflop;
    Ok(())
}

/// The latch: 1 or 0.
fn testglobalflag(call: &mut Call<'_>) -> i32 {
    match flag(call) {
        Ok((_, flag)) => flag.latch.into(),
        Err(gate) => {
            call.refuse(gate);
            0
        }
    }
}

/// Clears the latch. Returns 0.
fn resetglobalflag(call: &mut Call<'_>) -> i32 {
    let outcome = flag(call).map(|(_, flag)| flag.latch = false);
    call.note(outcome);
    0
}

pub(super) const NATIVES: &[Entry] =
    &[("SetGlobalFlag", setglobalflag), ("TestGlobalFlag", testglobalflag), ("ResetGlobalFlag", resetglobalflag)];
