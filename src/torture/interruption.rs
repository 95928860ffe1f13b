//! What may happen to an actor in the middle of a draw or a sheath.

use crate::{
    defs::{Defs, ItemType, attr},
    world::World,
};

/// Groups of hit reactions (rule X23).
const HITS: [i32; 6] = [117, 118, 119, 120, 132, 133];
/// A motion state on an edge (rule W7).
const ON_EDGE: i32 = 12;
/// A deep surface (rule W7).
const DEEP: i32 = 2;

/// One thing done to the actor, as a script would say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A call of a function.
    Call(&'static str, Vec<i32>),
    /// A property is written.
    Set(&'static str, i32),
    /// The actor is removed and made again under its name.
    Recreate,
}

/// Something that begins, and ends after some updates unless it is for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// What it is called.
    pub name: &'static str,
    /// Done before the first of its updates.
    pub begin: Vec<Act>,
    /// Done after the last one.
    pub end: Vec<Act>,
    /// Whether it never ends, though it could.
    pub for_good: bool,
    /// The nominal ticks of its updates, where they are not the scene's.
    pub ticks: Option<i32>,
}

impl Interruption {
    /// None: what goes wrong then, goes wrong by itself.
    #[must_use]
    pub fn nothing() -> Self {
        Self { name: "nothing", begin: Vec::new(), end: Vec::new(), for_good: false, ticks: None }
    }
}

impl std::fmt::Display for Interruption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        if self.for_good { f.write_str(", for good") } else { Ok(()) }
    }
}

fn state(name: &'static str, property: &'static str, value: i32) -> Interruption {
    Interruption {
        name,
        begin: vec![Act::Set(property, value)],
        end: vec![Act::Set(property, 0)],
        for_good: false,
        ticks: None,
    }
}

fn calls(name: &'static str, begin: (&'static str, &[i32]), end: Option<(&'static str, &[i32])>) -> Interruption {
    let call = |(function, args): (_, &[i32])| Act::Call(function, args.to_vec());
    Interruption {
        name,
        begin: vec![call(begin)],
        end: end.map(call).into_iter().collect(),
        for_good: false,
        ticks: None,
    }
}

fn ticks(name: &'static str, ticks: i32) -> Interruption {
    Interruption { name, begin: Vec::new(), end: Vec::new(), for_good: false, ticks: Some(ticks) }
}

/// Everything that can happen to this actor in this world: what ends again, then the same for good. What the actor has
/// nothing for, such as a hit without a hit group, is left out.
#[must_use]
pub fn interruptions(defs: &Defs, world: &World, name: &str) -> Vec<Interruption> {
    let mut all = passing(defs, world, name);
    let ending: Vec<_> = all.iter().filter(|passing| !passing.end.is_empty()).cloned().collect();
    all.extend(ending.into_iter().map(|passing| Interruption { end: Vec::new(), for_good: true, ..passing }));
    all
}

fn passing(defs: &Defs, world: &World, name: &str) -> Vec<Interruption> {
    let Some(actor) = world.named(name).and_then(|key| world.get(key)) else { return Vec::new() };
    let byte = |index| i32::from(actor.attribute(index));
    let set = |index: u8, value: i32| ("setattribute", [i32::from(index), value]);
    let (weapon, draw, sheath) = (byte(attr::WEAPON), byte(attr::DRAW_FRAME), byte(attr::SHEATH_FRAME));
    let threshold = |name, index, value, usual| {
        let ((function, begin), (_, end)) = (set(index, value), set(index, usual));
        calls(name, (function, &begin), Some((function, &end)))
    };
    let mut all = vec![
        state("fall", "fall_flag", 1),
        state("slide", "slide_flag", 1),
        state("jump", "jump_flag", 1),
        state("edge", "extra_flag", ON_EDGE),
        state("deep water", "under_surface", DEEP),
    ];
    let groups = &defs.actor(actor.def).groups;
    if let Some(&hit) = HITS.iter().find(|&&hit| groups.get(hit).is_some()) {
        all.push(calls("hit", ("pushanimation", &[hit, 1]), None));
    }
    all.push(Interruption { end: Vec::new(), ..state("death", "ai_type", 8) });
    all.push(calls("kill", ("killme", &[]), None));
    all.push(calls("kill and resurrect", ("killme", &[]), Some(("resurrect", &[]))));
    if let Some(other) = defs.items().find(|item| item.item_type != ItemType::Weapon && item.id.0 != 0) {
        let end = vec![Act::Set("hand_item", 0)];
        all.push(Interruption { end, ..calls("hand item", ("handitem", &[other.id.0]), None) });
    }
    all.push(threshold("weapon attribute cleared", attr::WEAPON, 0, weapon));
    all.push(calls("item dropped", ("dropitem", &[weapon, 1]), Some(("additem", &[weapon, 1]))));
    all.push(calls("hidden", ("hideme", &[]), Some(("showme", &[]))));
    all.push(Interruption {
        name: "removed and made again",
        begin: vec![Act::Recreate],
        end: Vec::new(),
        for_good: false,
        ticks: None,
    });
    all.push(ticks("no ticks", 0));
    all.push(ticks("several ticks", 3));
    all.push(threshold("draw threshold 0", attr::DRAW_FRAME, 0, draw));
    all.push(threshold("draw threshold 255", attr::DRAW_FRAME, 255, draw));
    all.push(threshold("sheath threshold 0", attr::SHEATH_FRAME, 0, sheath));
    all.push(threshold("sheath threshold 255", attr::SHEATH_FRAME, 255, sheath));
    all
}
