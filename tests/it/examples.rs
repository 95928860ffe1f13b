//! The examples run, and say what they are for.

#[path = "../../examples/attach_sword.rs"]
#[allow(dead_code, unreachable_pub, reason = "its main is the example's")]
mod attach_sword;
#[path = "../../examples/custom_native.rs"]
#[allow(dead_code, unreachable_pub, reason = "its main is the example's")]
mod custom_native;
#[path = "../../examples/headless_server.rs"]
#[allow(dead_code, unreachable_pub, reason = "its main is the example's")]
mod headless_server;
#[path = "../../examples/hello_actor.rs"]
#[allow(dead_code, unreachable_pub, reason = "its main is the example's")]
mod hello_actor;
#[path = "../../examples/render_thread.rs"]
#[allow(dead_code, unreachable_pub, reason = "its main is the example's")]
mod render_thread;

fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(out).expect("text")
}

#[test]
fn hello_actor_shows_the_sword_in_hand_and_home_again() {
    let shown: Vec<String> =
        output(hello_actor::run).lines().filter_map(|line| line.split(' ').nth(5).map(str::to_owned)).collect();
    assert_eq!(shown, ["hilt", "hand", "hilt_grip", "hilt"]);
}

#[test]
fn custom_native_is_called_and_the_host_asked() {
    let text = output(custom_native::run);
    assert!(text.contains("cheer returned 7") && text.contains("playerhealth returned 77"), "{text}");
}

#[test]
fn render_thread_sees_the_last_update() {
    assert!(output(render_thread::run).contains("the renderer saw update Some(199)"));
}

#[test]
fn headless_server_plays_alike_on_every_thread() {
    assert!(output(headless_server::run).contains("came out alike: true"));
}

#[test]
fn attach_sword_draws_polygons() {
    let picture = attach_sword::draw().unwrap_or_else(|error| panic!("{error}"));
    assert!(picture.matches("#3d5a80").count() > 100, "the weapon is drawn in every moment");
    assert!(picture.ends_with("</svg>\n"));
}
