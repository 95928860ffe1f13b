//! What an update does to one actor and to nothing else, so that its order among actors and threads is free.

use crate::{
    anim, attach,
    defs::{ActorDef, Defs, ItemId, attr},
    units::Vec3,
    weapon::{self, Conditions},
    world::{Actor, Event},
};

/// Whether an ordinary update of this actor is to be made at all (rule U7, step 1).
pub(super) fn is_updated(actor: &Actor) -> bool {
    !actor.object_excluded && actor.dead == 0 && actor.disable_script & 8 == 0
}

/// Whether anything runs in the actor's script stage, which may look at every actor.
pub(super) fn has_script_stage(def: &ActorDef, actor: &Actor) -> bool {
    def.script.is_some() || actor.script.is_some() || !actor.tasks.is_empty()
}

/// Presentation: matrix, floating position, equipped weapon, torch. Returns a torch that is used up, to be dropped.
///
/// `torch` is the update's index and the time that a torch burns.
///
/// # Source
/// Rules U4, M4, A1, W12, X22; engine/SOUP.md, "Current model presentation".
pub(super) fn present(
    defs: &Defs,
    actor: &mut Actor,
    conditions: Conditions,
    torch: (u64, i32),
    events: &mut Vec<Event>,
) -> Option<ItemId> {
    if actor.hide != 0 || actor.object_excluded || actor.animation_excluded {
        actor.presented = None;
        actor.attachment = None;
        return None;
    }
    if let Some(matrix) = attach::refreshed_matrix(actor) {
        actor.set_matrix(matrix);
    }
    if actor.has_pose() {
        actor.float();
    }
    weapon::equip(defs, actor, conditions, events);
    let used_up = weapon::tend_torch(defs.actor(actor.def), actor, conditions, torch, events);
    actor.presented = Some(actor.pose);
    used_up
}

/// The ordinary update before the script stage (rule U7, steps 2 to 5).
pub(super) fn animate(def: &ActorDef, actor: &mut Actor, conditions: Conditions, events: &mut Vec<Event>) {
    actor.last_angle = actor.angle;
    actor.last_pos = actor.pos;
    let default = weapon::default_group(def, actor, conditions, events);
    anim::change_default(def, actor, default, conditions.ticks, events);
    if !actor.animation_excluded {
        anim::advance(def, actor, conditions.ticks, events);
        anim::request(def, actor, default.into(), 0, conditions.ticks, events);
    }
}

/// Restores the locked coordinates and angles of a root actor from the start of its update.
///
/// Collision would repeat the draw admission of states 20 and 21 before it, which its own gates always refuse.
///
/// # Source
/// Rule U7, step 8; engine/SOUP.md, "Ordinary axis locks".
pub(super) fn lock_axes(actor: &mut Actor) {
    if actor.attribute(attr::SLAVE) != 0 {
        return;
    }
    let (now, then) = (&mut actor.pos, actor.last_pos);
    let attributes = &actor.attributes;
    let restore = |lock: u8| attributes[lock] != 0;
    *now = Vec3 {
        x: if restore(attr::STOP_X_MOVE) { then.x } else { now.x },
        y: if restore(attr::STOP_Y_MOVE) { then.y } else { now.y },
        z: if restore(attr::STOP_Z_MOVE) { then.z } else { now.z },
    };
    let (now, then) = (&mut actor.angle, actor.last_angle);
    *now = Vec3 {
        x: if restore(attr::STOP_X_ROTATE) { then.x } else { now.x },
        y: if restore(attr::STOP_Y_ROTATE) { then.y } else { now.y },
        z: if restore(attr::STOP_Z_ROTATE) { then.z } else { now.z },
    };
}
