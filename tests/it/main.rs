//! Index of the integration tests, one line for each module.

#[cfg(feature = "gltf")]
mod glb;
mod program;
mod random_program;
mod stage;
mod support;
mod yard;

#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
mod agreement;
mod attach_files;
mod attach_points;
mod attach_share;
mod attach_world;
mod attachment;
mod channels;
#[cfg(all(feature = "cli", any(feature = "luau", feature = "lua54")))]
mod cli;
#[cfg(all(feature = "cli", any(feature = "luau", feature = "lua54")))]
mod cli_attach;
#[cfg(all(feature = "cli", any(feature = "luau", feature = "lua54")))]
mod cli_game;
#[cfg(feature = "cli")]
mod cli_programs;
mod commands;
mod embed;
mod examples;
mod floors;
mod game_costs;
mod game_hostile;
mod game_map;
mod game_models;
mod game_programs;
mod game_random;
mod game_support;
mod game_texts;
#[cfg(feature = "gltf")]
mod gltf_models;
mod golden;
mod items;
mod loading;
#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua;
#[cfg(any(feature = "luau", feature = "lua54"))]
mod lua_hostile;
mod motion;
mod natives;
mod numbers;
mod playback;
mod properties;
mod registry;
#[cfg(all(feature = "cli", any(feature = "luau", feature = "lua54")))]
mod repl;
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
mod reports;
mod requests;
mod reverse;
#[cfg(feature = "rhai")]
mod rhai;
#[cfg(feature = "rhai")]
mod rhai_hostile;
mod rules;
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
mod scenario;
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
mod scenarios;
mod scene;
#[cfg(all(feature = "rhai", any(feature = "luau", feature = "lua54")))]
mod scripts;
#[cfg(all(feature = "send", any(feature = "luau", feature = "lua54")))]
mod send;
#[cfg(feature = "cli")]
mod soup_cli;
mod soup_debug;
mod soup_decode;
mod soup_foreign;
mod soup_lint;
mod soup_machine;
mod soup_made;
mod soup_round;
mod soup_run;
mod soup_scene;
mod soup_text;
mod tasks;
#[cfg(all(feature = "cli", any(feature = "luau", feature = "lua54")))]
mod test_command;
mod threads;
mod torches;
mod torture;
mod trace;
#[cfg(feature = "cli")]
mod trace_plot;
#[cfg(any(feature = "luau", feature = "lua54", feature = "rhai"))]
mod twins;
mod update;
mod weapon;
mod weapon_cycles;
mod weapon_pass;
mod weapon_state;
