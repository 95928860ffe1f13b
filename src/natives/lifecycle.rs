//! Hiding, script control, death, identity, time.

use super::{Call, Entry};
use crate::world::{CombatRecord, DEAD, Event, EventKind, Gate, IN_COMBAT};

/// Rule X12; engine/SOUP.md, "HideMe and ShowMe". The actor goes on updating; presentation passes it over. Returns 0.
fn hideme(call: &mut Call<'_>) -> i32 {
    call.actor_mut().hide = 1;
    0
}

/// Rule X12. Returns 0.
fn showme(call: &mut Call<'_>) -> i32 {
    call.actor_mut().hide = 0;
    0
}

/// Script-control bits (rule X13; engine/SOUP.md, "Ordinary update gates", "DisableHook and EnableHook").
const SCRIPT_OFF: u8 = 1;
const HOOK_OFF: u8 = 2;

/// Rule X13: the script stage passes the actor's script and tasks over, from its next update on. Returns 0.
fn disablescript(call: &mut Call<'_>) -> i32 {
    call.actor_mut().disable_script |= SCRIPT_OFF;
    0
}

/// Rule X13. Returns 0.
fn enablescript(call: &mut Call<'_>) -> i32 {
    call.actor_mut().disable_script &= !SCRIPT_OFF;
    0
}

/// Rule X13. Returns 0.
fn disablehook(call: &mut Call<'_>) -> i32 {
    call.actor_mut().disable_script |= HOOK_OFF;
    0
}

/// Rule X13. Returns 0.
fn enablehook(call: &mut Call<'_>) -> i32 {
    call.actor_mut().disable_script &= !HOOK_OFF;
    0
}

/// Rule X14; engine/SOUP.md, "KillMe and Resurrect". Ordinary updates end; the last pose goes on being presented.
/// Returns 0.
fn killme(call: &mut Call<'_>) -> i32 {
    let actor = call.actor_mut();
    actor.dead = 1;
    actor.ai_type = DEAD;
    let key = actor.key;
    call.world.events.push(Event { actor: key, kind: EventKind::SoundsStopped });
    0
}

/// Rule X15; engine/SOUP.md, "KillMe and Resurrect". Clears the killed flag and sets the combat record up anew; the
/// lifecycle selector of the dead stays. Returns 0.
fn resurrect(call: &mut Call<'_>) -> i32 {
    let actor = call.actor_mut();
    if actor.dead == 0 && !actor.is_dead() {
        let gate = Gate::NotDead { dead: actor.dead.into(), ai_type: actor.ai_type.into() };
        call.refuse(gate);
        return 0;
    }
    actor.dead = 0;
    if let Some(combat) = &mut actor.combat {
        if actor.ai_type == IN_COMBAT {
            actor.ai_type = 1;
            actor.cold.ai_mode = 0;
        }
        *combat = CombatRecord::new(combat.index);
    }
    0
}

/// Rule X16: the runtime identifier, unsigned.
fn myid(call: &mut Call<'_>) -> i32 {
    call.actor().cold.id.into()
}

/// Rule X17; engine/SOUP.md, "GetFramePassed": the tick input of this update.
fn getframepassed(call: &mut Call<'_>) -> i32 {
    call.world.clock.ticks
}

/// Rule X17.
fn truefunction(_: &mut Call<'_>) -> i32 {
    1
}

/// Function 0 does nothing (rule Y80).
fn nullfunction(_: &mut Call<'_>) -> i32 {
    0
}

pub(super) const NATIVES: &[Entry] = &[
    ("HideMe", hideme),
    ("ShowMe", showme),
    ("DisableScript", disablescript),
    ("EnableScript", enablescript),
    ("DisableHook", disablehook),
    ("EnableHook", enablehook),
    ("KillMe", killme),
    ("resurrect", resurrect),
    ("MyId", myid),
    ("GetFramePassed", getframepassed),
    ("TrueFunction", truefunction),
    ("NullFunction", nullfunction),
];
