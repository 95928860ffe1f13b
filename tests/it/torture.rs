//! Disturbed draws and sheaths end well, or as the rules demand; and what would not is found.

use soup386::{
    Scene,
    torture::{Finding, QUIRKS, Torture, torture},
};

use super::support::scene;

/// Findings as `actor stage interruption fault rules`, of one actor.
fn ends(found: &Torture, actor: &str) -> Vec<String> {
    let of_actor = found.findings.iter().filter(|finding| finding.actor == actor);
    of_actor
        .map(|Finding { disturbance, fault, quirk, .. }| {
            let rules = quirk.map_or("new", |quirk| quirk.rules);
            format!("{:?} | {} | {fault:?} | {rules}", disturbance.stage, disturbance.interruption)
        })
        .collect()
}

/// Rules W12, X12, X14, U6: all that goes wrong in the demo is what they demand.
#[test]
fn the_demo_shows_the_known_quirks_and_nothing_else() {
    let found = torture(&Scene::demo(), None).expect("a torture");
    assert!(found.n_disturbances > 5_000 && found.left_out.is_empty());
    let player = [
        "Draw | kill | StuckDrawing | X14, U7, W12",
        "Draw | kill and resurrect, for good | StuckDrawing | X14, U7, W12",
        "Draw | hidden, for good | StuckDrawing | X12, U4, W12",
        "Draw | draw threshold 255, for good | StuckDrawing | W12",
        "Sheath | kill | StuckSheathing | X14, U7, W12",
        "Sheath | kill and resurrect, for good | StuckSheathing | X14, U7, W12",
        "Sheath | hidden, for good | StuckSheathing | X12, U4, W12",
        "Sheath | sheath threshold 255, for good | StuckSheathing | W12",
    ];
    assert_eq!(ends(&found, "CYRUS"), player);
    let guard = ends(&found, "GUARD");
    assert_eq!(guard.len(), player.len() + 2, "{guard:#?}");
    assert!(guard.contains(&"Draw | weapon attribute cleared, for good | StuckDrawing | W12, U6, W17".to_owned()));
    let every_quirk_is_seen = QUIRKS
        .iter()
        .filter(|quirk| !quirk.interruptions.contains(&"nothing"))
        .all(|quirk| found.findings.iter().any(|finding| finding.quirk == Some(quirk)));
    assert!(every_quirk_is_seen);
}

/// A scene with one actor whose draw has `frames` frames.
fn fencer(frames: usize, attributes: &str) -> Scene {
    let shows: Vec<String> = (0..frames).map(|_| "\"ShowFrame 0\"".to_owned()).collect();
    let group = |index, commands: &str| format!("[[actor.group]]\nindex = {index}\ncommands = [{commands}]\n");
    let shows = shows.join(", ");
    scene(&format!(
        "soup386 = 1\n[[item]]\nid = 1\ntype = \"weapon\"\nhand_model = \"S\"\nhilt_model = \"H\"\nplayer_total = 1\n\
         [[model]]\nname = \"B\"\nframes = [[[0, 0, 0], [0, 0, 1]]]\n\
         [[actor]]\nname = \"A\"\nframes = [{{ model = \"B\", count = 1 }}]\nattributes = {{ {attributes} }}\n{}{}{}{}",
        group(0, "\"ShowFrame 0\", \"GoToPrevious 0\""),
        group(8, "\"ShowFrame 0\", \"GoToPrevious 0\""),
        group(91, &format!("{shows}, \"EndAnimation\"")),
        group(129, &format!("{shows}, \"EndAnimation\"")),
    ))
}

/// Rule W12: a threshold beyond the group's frames needs no disturbance to be stuck.
#[test]
fn a_draw_that_never_ends_is_told_and_not_disturbed() {
    let found = torture(&fencer(3, "14 = 1, 23 = 1, 35 = 200"), None).expect("a torture");
    assert_eq!(ends(&found, "A"), ["Draw | nothing | StuckDrawing | W12"]);
    assert_eq!(found.n_disturbances, 0);
}

#[test]
fn an_actor_without_a_weapon_is_left_out_with_the_reason() {
    let found = torture(&fencer(3, "14 = 1"), Some("a")).expect("a torture");
    assert!(found.findings.is_empty());
    assert_eq!(
        found.left_out[0],
        ("A".to_owned(), "drawsword refused: no weapon is assigned (attribute_23 = 0)".to_owned())
    );
}

#[test]
fn an_unknown_actor_is_an_error() {
    let error = torture(&Scene::demo(), Some("CYRIS")).expect_err("no such actor").to_string();
    assert!(error.contains("CYRIS") && error.contains("CYRUS"), "{error}");
}

/// A finding's script leads to the state that was found, in either language.
#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
#[test]
fn the_minimal_script_shows_what_was_found() {
    use soup386::{
        Runtime,
        defs::Language,
        torture::{Fault, minimal_script},
    };

    let found = torture(&Scene::demo(), Some("GUARD")).expect("a torture");
    for finding in found.findings.iter().filter(|finding| finding.disturbance.interruption.ticks.is_none()) {
        let state = if finding.fault == Fault::StuckDrawing { "20" } else { "21" };
        for (language, name) in [(Language::Lua, "found.lua"), (Language::Rhai, "found.rhai")] {
            let text = minimal_script(finding, language);
            let mut runtime = Runtime::new(Scene::demo()).expect("a runtime");
            runtime.set_director(name, text.clone()).expect("a script");
            let mut printed = Vec::new();
            for _ in 0..1000 {
                runtime.update().expect("an update");
                printed.extend(runtime.drain_output());
                let failures = runtime.drain_failures();
                assert!(failures.is_empty(), "{failures:?}\n{text}");
            }
            let line = printed.last().unwrap_or_else(|| panic!("nothing was printed:\n{text}"));
            assert!(line.starts_with(state), "{line}\n{text}");
        }
    }
}
