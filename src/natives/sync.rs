//! Waiting for other actors: group and user channels.
//!
//! # Source
//! Rule X32; engine/SOUP.md, "Group synchronization channels", "User synchronization channels".

use super::{Call, Entry};
use crate::world::ChannelKind;

/// Bit 7 of a posted byte: its actor waits.
const MARK: u8 = 128;

/// Posts a group and waits until the channel releases it.
fn syncwithgroup(call: &mut Call<'_>) -> i32 {
    let posted = call.int(0) as u8 | MARK;
    post(call, ChannelKind::Group, posted, i32::from(posted))
}

/// Posts a value and waits until no member takes part in the rendezvous any more and the channel released the value.
fn syncwithuser(call: &mut Call<'_>) -> i32 {
    let posted = call.int(0) as u8 | MARK;
    post(call, ChannelKind::User, posted, call.int(0))
}

/// 1 while the task waits for `wanted`.
fn post(call: &mut Call<'_>, kind: ChannelKind, posted: u8, wanted: i32) -> i32 {
    let Some(channel) = call.actor().channel(kind) else { return 0 };
    call.actor_mut().cold.membership_mut(kind).posted = posted;
    let held_up = kind == ChannelKind::User && call.world.takes_part(kind, channel);
    if held_up || i32::from(call.world.channels.released(kind, channel)) != wanted {
        return 1;
    }
    call.actor_mut().cold.membership_mut(kind).posted &= !MARK;
    0
}

/// Takes the posted group back. Returns 0.
fn resetgroupsync(call: &mut Call<'_>) -> i32 {
    call.actor_mut().leave_channel(ChannelKind::Group);
    0
}

/// Takes the posted value back. Returns 0.
fn resetusersync(call: &mut Call<'_>) -> i32 {
    call.actor_mut().leave_channel(ChannelKind::User);
    0
}

pub(super) const NATIVES: &[Entry] = &[
    ("SyncWithGroup", syncwithgroup),
    ("SyncWithUser", syncwithuser),
    ("ResetGroupSync", resetgroupsync),
    ("ResetUserSync", resetusersync),
];
