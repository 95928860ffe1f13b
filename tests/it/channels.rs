//! Synchronisation channels.

use soup386::{
    update::Runtime,
    world::{ChannelKind, World},
};

use super::{
    support::{actor, call, runtime, updates},
    yard::{edit, set_attribute},
};

/// A, B and C without animation; the first two share group channel 3 and user channel 4.
fn three() -> Runtime {
    let mut text = "soup386 = 1\n".to_owned();
    for (name, channels) in [("A", "29 = 3, 30 = 4"), ("B", "29 = 3, 30 = 4"), ("C", "43 = 1")] {
        text += &format!("[[actor]]\nname = \"{name}\"\nattributes = {{ {channels} }}\n");
    }
    runtime(&text)
}

fn waits(runtime: &Runtime, name: &str) -> bool {
    !actor(runtime, name).tasks.is_empty()
}

fn released(world: &World) -> (u8, u8) {
    (world.channels.released(ChannelKind::Group, 3), world.channels.released(ChannelKind::User, 4))
}

/// X32, X33: who waits for a group is released once all members wait, and the channel goes on to the next group.
#[test]
fn groups_are_released_together() {
    let mut runtime = three();
    call(&mut runtime, "A", "SyncWithGroup", &[5]);
    updates(&mut runtime, 3);
    assert!(waits(&runtime, "A"));
    assert_eq!(released(runtime.world()).0, 0, "B holds group 0, without a mark");
    call(&mut runtime, "B", "SyncWithGroup", &[7 + 256]);
    updates(&mut runtime, 1);
    assert_eq!(released(runtime.world()).0, 5 | 128);
    assert_eq!((waits(&runtime, "A"), waits(&runtime, "B")), (false, true));
    assert_eq!(actor(&runtime, "A").cold.group_channel.posted, 5, "the group stays, the mark does not");
    updates(&mut runtime, 1);
    assert_eq!(released(runtime.world()).0, 7, "after a marked release the scan starts behind its group");
    assert!(waits(&runtime, "B"), "A does not wait, so there is no mark");
    call(&mut runtime, "A", "SyncWithGroup", &[5]);
    updates(&mut runtime, 1);
    assert_eq!((released(runtime.world()).0, waits(&runtime, "B")), (7 | 128, false));
}

/// X32, X33: attribute 43 excludes; a channel whose members are all excluded releases the mark alone.
#[test]
fn excluded_members_are_not_waited_for() {
    let mut runtime = three();
    set_attribute(&mut runtime, "B", 43, 1);
    call(&mut runtime, "A", "SyncWithGroup", &[1]);
    updates(&mut runtime, 1);
    assert_eq!((released(runtime.world()).0, waits(&runtime, "A")), (129, false));
    set_attribute(&mut runtime, "A", 43, 1);
    updates(&mut runtime, 1);
    assert_eq!(released(runtime.world()).0, 128);
}

/// X32: without a channel, or in one that was not joined at load, there is nothing to wait for.
#[test]
fn only_members_wait() {
    for function in ["SyncWithGroup", "SyncWithUser"] {
        let mut runtime = three();
        set_attribute(&mut runtime, "C", 29, 3);
        set_attribute(&mut runtime, "C", 30, 4);
        set_attribute(&mut runtime, "B", 29, 9);
        set_attribute(&mut runtime, "B", 30, 9);
        for name in ["B", "C"] {
            call(&mut runtime, name, function, &[5]);
            updates(&mut runtime, 1);
            assert!(!waits(&runtime, name), "{name}, {function}");
            let cold = &actor(&runtime, name).cold;
            assert_eq!((cold.group_channel.posted, cold.user_channel.posted), (0, 0));
        }
    }
}

/// X32, X33: a user channel releases what is posted, and its members wait for as long as one of them takes part.
#[test]
fn user_channels() {
    let mut runtime = three();
    call(&mut runtime, "A", "SyncWithUser", &[133]);
    updates(&mut runtime, 1);
    assert_eq!(released(runtime.world()).1, 0, "B has posted 0");
    edit(&mut runtime, "B", |actor| actor.cold.user_channel.posted = 133);
    updates(&mut runtime, 1);
    assert_eq!(released(runtime.world()).1, 0, "candidates after the first are below 128");
    edit(&mut runtime, "B", |actor| actor.cold.user_channel.posted = 9);
    updates(&mut runtime, 1);
    assert_eq!((released(runtime.world()).1, waits(&runtime, "A")), (9, true));
    for name in ["A", "B"] {
        set_attribute(&mut runtime, name, 43, 1);
    }
    call(&mut runtime, "B", "SyncWithUser", &[0]);
    updates(&mut runtime, 1);
    assert_eq!((released(runtime.world()).1, waits(&runtime, "A"), waits(&runtime, "B")), (0, true, false));
    assert_eq!(actor(&runtime, "B").cold.user_channel.posted, 0);
}

/// X32: the resets take back what was posted; the full operand is compared.
#[test]
fn resets_and_full_operands() {
    let mut runtime = three();
    for (post, reset) in [("SyncWithGroup", "ResetGroupSync"), ("SyncWithUser", "ResetUserSync")] {
        call(&mut runtime, "A", post, &[5]);
        assert_eq!(call(&mut runtime, "A", reset, &[]), 0);
        let cold = &actor(&runtime, "A").cold;
        assert_eq!((cold.group_channel.posted, cold.user_channel.posted), (0, 0), "{reset}");
    }
    let mut runtime = three();
    for name in ["A", "B"] {
        set_attribute(&mut runtime, name, 43, 1);
    }
    call(&mut runtime, "A", "SyncWithUser", &[256]);
    updates(&mut runtime, 2);
    assert!(waits(&runtime, "A"), "256 is not the released 0");
}
