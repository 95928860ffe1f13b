//! The function table, arguments, random numbers.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};
use soup386::{
    defs::{FunctionKind, functions},
    natives::{Given, NativeState, Natives, arguments, integer},
    update::Runtime,
};

use super::{
    support::{call, runtime},
    yard::{refuses, scene, yard},
};

/// The table is that of SOUP386.DEF: the hash is of `index,name,kind,arity` lines of the reference table.
#[test]
fn the_function_table_is_the_definition_file() {
    let rows = functions().rows();
    assert_eq!(rows.len(), 367);
    let line = |row: &soup386::defs::FunctionDecl| {
        format!("{},{},{},{}\n", row.id.0, row.name, row.kind, row.parameters.len())
    };
    let text: String = rows.iter().map(line).collect();
    let hash: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "e9df2cf7d5ebccf4458a3083b6ec5ea11af9109b74ccc76dcb89110cd47bb9c3");
    let of_kind = |kind| rows.iter().filter(|row| row.kind == kind).count();
    assert_eq!([FunctionKind::Function, FunctionKind::Task, FunctionKind::Multitask].map(of_kind), [276, 81, 10]);
    for (name, id, kind, arity) in [
        ("drawsword", 295, FunctionKind::Function, 0),
        ("HANDITEM", 302, FunctionKind::Function, 1),
        ("displayHandModel", 298, FunctionKind::Function, 4),
        ("Wait", 60, FunctionKind::Task, 1),
        ("pushanimation", 136, FunctionKind::Task, 2),
        ("FxPhase", 72, FunctionKind::Multitask, 7),
        ("NullFunction", 0, FunctionKind::Function, 0),
    ] {
        let row = functions().named(name).and_then(|id| functions().get(id)).expect("a row");
        assert_eq!((row.id.0, row.kind, row.parameters.len()), (id, kind, arity), "{name}");
    }
}

/// Every name is unique without case, and the script name is its lower case.
#[test]
fn function_names_are_unique_without_case() {
    let names: BTreeSet<_> = functions().rows().iter().map(|row| row.name.to_ascii_lowercase()).collect();
    assert_eq!(names.len(), 367);
    for row in functions().rows() {
        assert_eq!(row.script_name, row.name.to_ascii_lowercase());
        assert_eq!(functions().named(&row.name.to_ascii_uppercase()), Some(row.id));
        let parameters: BTreeSet<_> = row.parameters.iter().collect();
        assert_eq!(parameters.len(), row.parameters.len(), "parameters of {}", row.name);
    }
}

/// Every function that a rule of this file's families names is implemented; what is left is the host's.
#[test]
fn every_function_with_a_rule_is_implemented() {
    const RULED: &str = "
        NullFunction IsDrawingSword IsSheathingSword IsDrawingOrSheathing IsCombatCapable IsHoldingWeapon
        IsCarryingWeapon DrawSword SheathSword HandItem CheckPlayerWeapon DisplayHandModel DisplayHandItem
        DisplayHiltModel DisplayHiltItem beginCombat endCombat Wait WaitOnTasks WaitNonMulti PushAnimation WaitAnimFrame
        WaitPlayerAnimFrame PlayAnimation KillMyTasks Rnd QuickRnd GetAttribute SetAttribute GetMyAttr SetMyAttr HaveItem
        AddItem DropItem SelectItem ActiveItem UseItem chargeWeapon DropAllItems LockoutPlayer SetGlobalFlag
        TestGlobalFlag ResetGlobalFlag HideMe ShowMe DisableScript EnableScript DisableHook EnableHook KillMe resurrect
        MyId GetFramePassed TrueFunction IsInDeepWater IsOnEdge IsInAir IsInWater IsInLava IsShellScript SetAction
        ResetAction ResetAllAction LightTorch UnlightTorch IsLightingTorch IsUnlightingTorch IsLightingOrUnlighting
        RotateByAxis RotateToAxis sRotateByAxis sRotateToAxis MoveByAxis sMoveByAxis MoveObjectAxis PlayerDistance
        AcuratePlayerDistance PlayerFacing PlayerLooking SyncWithGroup SyncWithUser ResetGroupSync ResetUserSync
        ResetRotation ReloadRotation ResetPosition";
    let natives = Natives::default();
    let ruled: BTreeSet<_> = RULED.split_whitespace().map(str::to_ascii_lowercase).collect();
    assert_eq!(ruled.len(), 86);
    for row in functions().rows() {
        let implemented = natives.state(row) == NativeState::Implemented;
        assert_eq!(implemented, ruled.contains(&row.script_name), "{}", row.name);
        let undocumented = natives.state(row) == NativeState::Undocumented;
        assert_eq!(undocumented, !implemented && row.source == "undocumented", "{}", row.name);
    }
    assert!(ruled.iter().all(|name| functions().named(name).is_some()));
    let n = |state| functions().rows().iter().filter(|row| natives.state(row) == state).count();
    let states = [NativeState::Implemented, NativeState::Delegated, NativeState::Undocumented];
    assert_eq!(states.map(n), [86, 134, 147]);
}

/// A native without handler goes to the host; without host it returns 0, says so, and changes nothing.
#[test]
fn a_native_without_handler_is_never_silent() {
    let mut runtime = yard();
    let text = "sound refused: this runtime has no handler for the function; the host was asked";
    refuses(&mut runtime, "GUARD", "Sound", &[1, 2, 3], text);
}

/// S7: integers, and floats with an integral value, within i32; anything else is an error that says what was given.
/// Where S7 would wrap an integer beyond i32, interfaces.md section 4 makes it an error; that is what holds.
#[test]
fn arguments_are_integral_numbers_within_i32() {
    for (given, expected) in [
        (Given::Int(-7), -7),
        (Given::Int(i32::MIN.into()), i32::MIN),
        (Given::Int(i32::MAX.into()), i32::MAX),
        (Given::Float(3.0), 3),
        (Given::Float(-0.0), 0),
        (Given::Float(-2_147_483_648.0), i32::MIN),
    ] {
        assert_eq!(integer(given), Ok(expected), "{given:?}");
    }
    let range = "an integer in -2147483648..=2147483647";
    for (given, expected, found) in [
        (Given::Float(2.5), "an integer", "2.5"),
        (Given::Float(f64::NAN), "an integer", "NaN"),
        (Given::Float(f64::INFINITY), "an integer", "inf"),
        (Given::Int(2_147_483_648), range, "2147483648"),
        (Given::Int(i64::MIN), range, "-9223372036854775808"),
        (Given::Float(2_147_483_648.0), range, "2147483648"),
        (Given::Float(1e300), range, &1e300_f64.to_string()),
        (Given::Text("2"), "an integer", "\"2\""),
        (Given::Other("a table"), "an integer", "a table"),
    ] {
        assert_eq!(integer(given), Err((expected, found.to_owned())), "{given:?}");
    }
}

/// S7: the count of arguments is checked first; a wrong one names function, position and parameter.
#[test]
fn a_wrong_call_names_function_and_argument() {
    let row = functions().named("setattribute").and_then(|id| functions().get(id)).expect("a row");
    let check = |given: &[Given<'_>]| match arguments(row, given.iter().copied()) {
        Ok(args) => format!("{} {}", args.int(0), args.int(1)),
        Err(error) => error.to_string(),
    };
    let [first, second] = row.parameters[..] else { panic!("two parameters") };
    assert_eq!(check(&[Given::Int(35), Given::Float(2.0)]), "35 2");
    assert_eq!(check(&[Given::Int(1)]), format!("setattribute: expected 2 arguments ({first}, {second}), found 1"));
    let many = [Given::Other("nil"); 9];
    assert_eq!(check(&many), format!("setattribute: expected 2 arguments ({first}, {second}), found 9"));
    let text = format!("setattribute argument 2 ({second}): expected an integer, found \"x\"");
    assert_eq!(check(&[Given::Int(1), Given::Text("x")]), text);
}

fn draws(runtime: &mut Runtime, name: &str, n: usize) -> Vec<i32> {
    (0..n).map(|_| call(runtime, name, "QuickRnd", &[-1])).collect()
}

/// N1: one shared generator that starts at 1, or at the scene's seed.
#[test]
fn random_numbers_come_from_one_state() {
    let mut runtime = yard();
    let mut drawn = draws(&mut runtime, "CYRUS", 2);
    drawn.extend(draws(&mut runtime, "GUARD", 3));
    assert_eq!(drawn, [16838, 5758, 10113, 17515, 31051]);
    // 0 × a + 12345 = 12345, below 2^16: the first draw is 0. Then 12345 × 1103515245 + 12345 = 13622895711870, which is
    // 3554416254 mod 2^32; >> 16 is 54236, & 32767 is 21468.
    let mut seeded = runtime_of_seed_0();
    assert_eq!(draws(&mut seeded, "CYRUS", 2), [0, 21468]);
}

fn runtime_of_seed_0() -> Runtime {
    runtime(&scene("").replace("soup386 = 1", "soup386 = 1\nseed = 0"))
}

/// N2: the bound's mask, then the remainder; without a positive bound 0, which still draws. Draws: 16838, 5758, 10113.
#[test]
fn rnd_masks_and_takes_the_remainder() {
    let first = |bound: i32| {
        let mut runtime = yard();
        let value = call(&mut runtime, "CYRUS", "Rnd", &[bound]);
        assert_eq!(draws(&mut runtime, "CYRUS", 1), [5758], "Rnd({bound}) draws once");
        value
    };
    // 16838 = 0b100000111000110.
    for (bound, expected) in [
        (1, 0),
        (2, 0),
        (3, 2),
        // & 7 = 6; 6 mod 5 = 1. Without the mask 16838 mod 5 would be 3.
        (5, 1),
        (7, 6),
        (8, 6),
        // & 15 = 6.
        (9, 6),
        // & 127 = 70, mod 100.
        (100, 70),
        // & 511 = 454, mod 300 = 154.
        (300, 154),
        // & 16383 = 454.
        (16384, 454),
        // Unmasked.
        (16385, 453),
        (16838, 0),
        (16839, 16838),
        (i32::MAX, 16838),
        (0, 0),
        (-5, 0),
        (i32::MIN, 0),
    ] {
        assert_eq!(first(bound), expected, "Rnd({bound})");
    }
}

/// N2: QuickRnd is the draw and the whole mask.
#[test]
fn quickrnd_masks_the_draw() {
    for (mask, expected) in [(0, 0), (255, 198), (0x4000, 0x4000), (-1, 16838), (i32::MIN, 0), (0x1_0006, 6)] {
        let mut runtime = yard();
        assert_eq!(call(&mut runtime, "CYRUS", "QuickRnd", &[mask]), expected, "QuickRnd({mask})");
        assert_eq!(draws(&mut runtime, "CYRUS", 1), [5758]);
    }
}

/// The README's coverage is the registry's.
#[test]
fn the_readme_counts_the_states() {
    let natives = Natives::default();
    let count = |state| natives.rows().iter().filter(|native| natives.state(&native.decl) == state).count();
    let states = [NativeState::Implemented, NativeState::Delegated, NativeState::Undocumented].map(count);
    let [implemented, delegated, undocumented] = states;
    let line = format!("{implemented} implemented, {delegated} delegated to the host, {undocumented} undocumented");
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&line), "README.md ought to say: {line}");
}
