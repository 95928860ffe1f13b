//! Synchronisation channels: what their members post, and what each channel released last.
//!
//! # Source
//! Rules X32 and X33; engine/SOUP.md, "Group synchronization channels", "User synchronization channels".

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Actor, Cold, World};
use crate::defs::attr;

/// The two systems of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChannelKind {
    /// Attribute 29 names the channel.
    Group,
    /// Attribute 30 names the channel.
    User,
}

impl ChannelKind {
    /// The attribute that names an actor's channel of this kind.
    #[must_use]
    pub fn attribute(self) -> u8 {
        match self {
            Self::Group => attr::GROUP,
            Self::User => attr::USER,
        }
    }
}

/// An actor's entry in a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// The channel that it joined at load; 0 none.
    pub joined: u8,
    /// What it posted last; bit 7 is set while it waits.
    pub posted: u8,
}

impl Cold {
    /// The entry in a kind of channels.
    #[must_use]
    pub fn membership(&self, kind: ChannelKind) -> Membership {
        match kind {
            ChannelKind::Group => self.group_channel,
            ChannelKind::User => self.user_channel,
        }
    }

    /// The same, to change it.
    pub fn membership_mut(&mut self, kind: ChannelKind) -> &mut Membership {
        match kind {
            ChannelKind::Group => &mut self.group_channel,
            ChannelKind::User => &mut self.user_channel,
        }
    }
}

impl Actor {
    /// The channel that the attribute names now, if the actor joined that one at load.
    #[must_use]
    pub fn channel(&self, kind: ChannelKind) -> Option<u8> {
        let channel = self.attribute(kind.attribute());
        (channel != 0 && channel == self.cold.membership(kind).joined).then_some(channel)
    }

    /// Takes back what the actor posted to the channel that its attribute names.
    pub fn leave_channel(&mut self, kind: ChannelKind) {
        if self.channel(kind).is_some() {
            self.cold.membership_mut(kind).posted = 0;
        }
    }
}

/// What each channel released last; only channels that an actor joined are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    group: BTreeMap<u8, u8>,
    user: BTreeMap<u8, u8>,
}

impl Channels {
    fn of(&self, kind: ChannelKind) -> &BTreeMap<u8, u8> {
        match kind {
            ChannelKind::Group => &self.group,
            ChannelKind::User => &self.user,
        }
    }

    /// The byte that a channel released last; 0 before the first.
    #[must_use]
    pub fn released(&self, kind: ChannelKind, channel: u8) -> u8 {
        self.of(kind).get(&channel).copied().unwrap_or(0)
    }

    /// Enters the channels of a new actor.
    pub(super) fn join(&mut self, cold: &Cold) {
        for (channels, entry) in [(&mut self.group, cold.group_channel), (&mut self.user, cold.user_channel)] {
            if entry.joined != 0 {
                channels.entry(entry.joined).or_insert(0);
            }
        }
    }
}

/// What the members of one channel posted.
#[derive(Clone, Copy)]
struct Posted {
    /// One bit for each byte.
    values: [u64; 4],
    /// Whether every member waits.
    all_wait: bool,
}

impl Posted {
    const NOTHING: Self = Self { values: [0; 4], all_wait: true };

    fn add(&mut self, byte: u8) {
        self.values[usize::from(byte >> 6)] |= 1 << (byte & 63);
        self.all_wait &= byte & 128 != 0;
    }

    fn has(&self, byte: u8) -> bool {
        self.values[usize::from(byte >> 6)] & 1 << (byte & 63) != 0
    }

    /// A group with this number, waiting or not.
    fn has_group(&self, group: u8) -> bool {
        group < 128 && (self.has(group) || self.has(group | 128))
    }

    /// The first byte that `wanted` accepts, from `first` on and then around 0 to 127.
    fn scan(first: u8, tries: usize, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let candidates = std::iter::successors(Some(first), |byte| Some(byte.wrapping_add(1) & 127));
        candidates.take(tries).find(|&byte| wanted(byte))
    }

    fn release_group(&self, before: u8) -> u8 {
        let mark = if self.all_wait { 128 } else { 0 };
        Self::scan(before, 129, |byte| self.has_group(byte)).unwrap_or(0) | mark
    }

    fn release_user(&self, before: u8) -> u8 {
        Self::scan(before, 256, |byte| self.has(byte)).unwrap_or(0)
    }
}

impl World {
    /// Whether a member of a channel takes part in its rendezvous.
    #[must_use]
    pub fn takes_part(&self, kind: ChannelKind, channel: u8) -> bool {
        self.actors().any(|actor| takes_part(actor, kind, channel))
    }

    /// Releases the next group and value of every channel (rule X33).
    pub fn update_channels(&mut self) {
        for kind in [ChannelKind::Group, ChannelKind::User] {
            if !self.channels.of(kind).is_empty() {
                self.update_channels_of(kind);
            }
        }
    }

    fn update_channels_of(&mut self, kind: ChannelKind) {
        let mut posted = [Posted::NOTHING; 256];
        for actor in self.actors() {
            let entry = actor.cold.membership(kind);
            if takes_part(actor, kind, entry.joined) {
                posted[usize::from(entry.joined)].add(entry.posted);
            }
        }
        let (channels, release): (_, fn(&Posted, u8) -> u8) = match kind {
            ChannelKind::Group => (&mut self.channels.group, Posted::release_group),
            ChannelKind::User => (&mut self.channels.user, Posted::release_user),
        };
        for (&channel, released) in channels {
            *released = release(&posted[usize::from(channel)], *released);
        }
    }
}

/// A member is left out of the rendezvous while its attribute 43 is set.
fn takes_part(actor: &Actor, kind: ChannelKind, channel: u8) -> bool {
    channel != 0 && actor.cold.membership(kind).joined == channel && actor.attribute(attr::ALWAYS_SYNC) == 0
}
