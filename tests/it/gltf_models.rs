//! Models from glTF files: joints, clips, morph targets, skins, and what cannot be read.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};
use soup386::{
    import::{ModelClip, ModelFrames, model_from_bytes, model_from_file},
    units::Quat,
};

use crate::glb::{EIGHTH, Glb, fighter, glb};
use crate::support::random_cases;

fn load(glb: &Glb, clip: &str, fps: f64) -> ModelFrames {
    let clip = ModelClip { name: (!clip.is_empty()).then(|| clip.to_owned()), fps, ..ModelClip::default() };
    model_from_bytes("test.glb", &glb.bytes(), &clip).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(bytes: &[u8], clip: Option<&str>) -> String {
    let clip = ModelClip { name: clip.map(str::to_owned), ..ModelClip::default() };
    model_from_bytes("test.glb", bytes, &clip).expect_err("the file is wrong").to_string()
}

fn close(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

/// The origin of a joint in a frame.
fn origin(model: &ModelFrames, joint: &str, frame: i16) -> [f64; 3] {
    let joint = model.rig.joint_named(joint).expect("a joint") as usize;
    model.rig.frame(frame).expect("a frame")[joint].translation
}

/// L15, L17: joints by name, parents first, in model space; frame k is the pose at k / fps.
#[test]
fn a_clip_gives_frames() {
    let model = load(&fighter(), "DRAW", 4.0);
    let names: Vec<_> = model.rig.joints().iter().map(|joint| &*joint.name).collect();
    assert_eq!(names, ["hip", "spine", "wrist_r"]);
    assert_eq!(model.rig.joints()[2].parent, Some(1));
    assert_eq!((model.rig.n_frames(), model.frames.len()), (5, 5));
    assert!(close(origin(&model, "wrist_r", 0), [0.0, -4.0, 50.0]), "X forward, Y left, Z up");
    assert!(close(origin(&model, "wrist_r", 4), [4.0, 0.0, 58.0]), "{:?}", origin(&model, "wrist_r", 4));
    let half = origin(&model, "wrist_r", 2);
    let eighth = 4.0 * f64::from(EIGHTH);
    assert!(close(half, [eighth, -eighth, 54.0]), "{half:?}");
    assert_eq!(model.rig.frame(5), None);
    assert_eq!(model.rig.frame(-1), None);
}

/// L17: without a clip the rest pose is the only frame.
#[test]
fn without_a_clip_there_is_the_rest_pose() {
    let model = load(&fighter(), "", 15.0);
    assert_eq!(model.rig.n_frames(), 1);
    assert!(close(origin(&model, "spine", 0), [0.0, 0.0, 50.0]));
    let rotation = model.rig.frame(0).expect("a frame")[0].rotation;
    assert!(close(rotation.rotate([0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]), "forward is Z in the file");
    assert!(close(rotation.rotate([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]), "up is Y in the file");
}

/// One node whose translation moves along Z of the file, which is X here.
fn mover(interpolation: &str, times: &[f32], values: &[f32]) -> Glb {
    let mut glb = Glb::new();
    let node = glb.node("a", None, json!({}));
    let triples: Vec<f32> = values.iter().flat_map(|&z| [0.0, 0.0, z]).collect();
    glb.animation("go", &[(node, "translation", interpolation, times, &triples)]);
    glb
}

/// L17: steps hold, lines go evenly, cubic splines follow their tangents; outside the keys the ends hold.
#[test]
fn keys_are_sampled() {
    let at = |glb: &Glb, frame| origin(&load(glb, "go", 4.0), "a", frame)[0];
    let step = mover("STEP", &[0.5, 1.0], &[2.0, 6.0]);
    assert_eq!([0, 1, 2, 3, 4].map(|k| at(&step, k)), [2.0, 2.0, 2.0, 2.0, 6.0]);
    let line = mover("LINEAR", &[0.5, 1.0], &[2.0, 6.0]);
    assert_eq!([0, 1, 2, 3, 4].map(|k| at(&line, k)), [2.0, 2.0, 2.0, 4.0, 6.0]);
    // In-tangent, value, out-tangent of each key: flat at the first, rising by 8 a second at the second.
    let cubic = mover("CUBICSPLINE", &[0.0, 1.0], &[9.0, 0.0, 0.0, 8.0, 4.0, 9.0]);
    let expected = |s: f64| 4.0 * (3.0 * s * s - 2.0 * s * s * s) + 8.0 * (s * s * s - s * s);
    for k in 0..=4 {
        assert!((at(&cubic, k) - expected(f64::from(k) / 4.0)).abs() < 1e-9, "frame {k}");
    }
}

/// L17: rotations take the short way and keep their length, also on a spline.
#[test]
fn rotations_take_the_short_way() {
    let mut glb = Glb::new();
    let node = glb.node("a", None, json!({}));
    let turn = [0.0, 0.0, 0.0, 1.0, 0.0, -EIGHTH, 0.0, -EIGHTH];
    let flat = [0.0; 4];
    let spline: Vec<f32> = [&flat[..], &turn[..4], &flat, &flat, &[0.0, EIGHTH, 0.0, EIGHTH], &flat].concat();
    glb.animation("line", &[(node, "rotation", "LINEAR", &[0.0, 1.0], &turn)]);
    glb.animation("spline", &[(node, "rotation", "CUBICSPLINE", &[0.0, 1.0], &spline)]);
    for clip in ["line", "spline"] {
        let model = load(&glb, clip, 2.0);
        let half = model.rig.frame(1).expect("a frame")[0].rotation;
        assert!((half.dot(half) - 1.0).abs() < 1e-9);
        // X of the file is Y here; half of a quarter turn brings it halfway to −Z of the file, which is −X here.
        let eighth = f64::from(EIGHTH);
        assert!(close(half.rotate([1.0, 0.0, 0.0]), [-eighth, eighth, 0.0]), "{clip}: {half:?}");
    }
}

/// L9, L17: scales go down the tree: they move children, and offsets of points.
#[test]
fn scales_go_down_the_tree() {
    let mut glb = Glb::new();
    let top = glb.node("top", None, json!({ "scale": [2.0, 2.0, 2.0] }));
    let low = glb.node("low", Some(top), json!({ "translation": [0.0, 0.0, 5.0], "scale": [1.5, 1.5, 1.5] }));
    glb.node("tip", Some(low), json!({ "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,1,1] }));
    let model = load(&glb, "", 15.0);
    let frame = model.rig.frame(0).expect("a frame");
    assert_eq!(frame[1].scale, [3.0; 3]);
    assert!(close(frame[2].translation, [13.0, 0.0, 0.0]));
    assert!((frame[1].rotation.dot(frame[1].rotation) - 1.0).abs() < 1e-12);
}

/// A triangle, in the axes of the file.
const TRIANGLE: [f32; 9] = [1.0, 2.0, 3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 5.0];

/// L15, L17: morph targets give vertex frames, in the engine's axes and scale.
#[test]
fn morph_targets_give_vertex_frames() {
    let mut glb = Glb::new();
    let (base, target) = (glb.floats(&TRIANGLE, 3), glb.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 3));
    let indices = glb.indices(&[0, 1, 2]);
    let primitive =
        json!({ "attributes": { "POSITION": base }, "targets": [{ "POSITION": target }], "indices": indices });
    glb.root["meshes"] = json!([{ "primitives": [primitive], "weights": [0.0] }]);
    let node = glb.node("face", None, json!({ "mesh": 0, "translation": [0.0, 10.0, 0.0] }));
    glb.animation("smile", &[(node, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0])]);
    let clip = ModelClip { name: Some("smile".to_owned()), fps: 2.0, scale: 2.0 };
    let model = model_from_bytes("test.glb", &glb.bytes(), &clip).expect("a model");
    assert_eq!(model.frames.len(), 3);
    assert_eq!(model.frames[0], [[-2.0, -24.0, 6.0], [0.0, -28.0, 0.0], [0.0, -20.0, 10.0]]);
    assert_eq!(model.frames[1][0], [-2.0, -24.0, 7.0]);
    assert_eq!(model.frames[2][0], [-2.0, -24.0, 8.0]);
    assert_eq!(model.faces, [[0, 1, 2]]);
}

/// L17: skinned vertices follow their joints, each skin with its own; the node of the mesh does not move them.
#[test]
fn skins_move_vertices() {
    let mut glb = Glb::new();
    let positions = glb.floats(&TRIANGLE, 3);
    let joints = glb.joint_bytes(&[0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    let weights = glb.floats(&[1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 4);
    let back = |x: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, 0.0, 0.0, 1.0];
    let bind = glb.floats(&[back(0.0), back(-10.0)].concat(), 16);
    let second_bind = glb.floats(&back(0.0), 16);
    let only_first = glb.joint_bytes(&[0; 12]);
    let whole = glb.floats(&[1.0, 0.0, 0.0, 0.0].repeat(3), 4);
    let primitive =
        |joints, weights| json!({ "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights } });
    glb.root["meshes"] = json!([
        { "primitives": [primitive(joints, weights)] },
        { "primitives": [primitive(only_first, whole)] },
    ]);
    let a = glb.node("a", None, json!({}));
    let b = glb.node("b", None, json!({ "translation": [10.0, 0.0, 0.0] }));
    glb.node("body", None, json!({ "mesh": 0, "skin": 0, "translation": [99.0, 0.0, 0.0] }));
    glb.node("hat", None, json!({ "mesh": 1, "skin": 1 }));
    glb.root["skins"] = json!([{ "joints": [a, b], "inverseBindMatrices": bind }, { "joints": [b], "inverseBindMatrices": second_bind }]);
    glb.animation("lift", &[(b, "translation", "STEP", &[0.0, 1.0], &[10.0, 0.0, 0.0, 10.0, 8.0, 0.0])]);
    let model = load(&glb, "lift", 1.0);
    let at_rest = [[-1.0, -2.0, 3.0], [0.0, -4.0, 0.0], [0.0, 0.0, 5.0]];
    assert_eq!(model.frames[0][..3], at_rest);
    assert_eq!(model.frames[1][..3], [[-1.0, -2.0, 3.0], [0.0, -8.0, 0.0], [0.0, -8.0, 5.0]]);
    assert_eq!(model.frames[1][3..], at_rest.map(|[x, y, z]| [x - 10.0, y - 8.0, z]));
    assert_eq!(model.faces, [[0, 1, 2], [3, 4, 5]]);
}

/// L17: buffers may stand in the text or beside the file, but nowhere else.
#[test]
fn buffers_stand_in_the_text_or_beside_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let fighter = fighter();
    let with = |uri: &str| {
        let mut root = fighter.json();
        root["buffers"][0]["uri"] = json!(uri);
        fs::write(folder.path().join("a.gltf"), root.to_string()).expect("a file");
        let clip = ModelClip { name: Some("draw".to_owned()), ..ModelClip::default() };
        model_from_file(folder.path().join("a.gltf"), &clip)
            .map(|model| model.rig.n_frames())
            .map_err(|e| e.to_string())
    };
    fs::write(folder.path().join("my bin"), fighter.bin()).expect("a file");
    assert_eq!(with("my%20bin"), Ok(16));
    let hex = |bytes: &[u8]| bytes.chunks(3).map(base64_of).collect::<String>();
    assert_eq!(with(&format!("data:application/octet-stream;base64,{}", hex(fighter.bin()))), Ok(16));
    for (uri, reason) in
        [("../x", "leaves"), ("/x", "absolute"), ("none", "cannot read"), ("data:;base64,??", "base64")]
    {
        assert!(with(uri).expect_err("no bytes").contains(reason), "{uri}: {:?}", with(uri));
    }
}

fn base64_of(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = bytes.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - bytes.len()));
    let digit = |i: usize| if i <= bytes.len() { DIGITS[(bits >> (18 - 6 * i) & 63) as usize] as char } else { '=' };
    (0..4).map(digit).collect()
}

/// L17: what cannot be read says why.
#[test]
fn wrong_files_say_why() {
    let fighter = fighter();
    let (json, bin) = (fighter.json(), fighter.bin().to_vec());
    let with = |change: &dyn Fn(&mut Value)| {
        let mut json = json.clone();
        change(&mut json);
        fault(&glb(&json.to_string(), &bin), Some("draw"))
    };
    assert!(fault(b"", None).contains("no glTF 2.0 file"));
    assert!(fault(b"glTF\x01\0\0\0", None).contains("no glTF 2.0 file"));
    assert!(fault(&fighter.bytes()[..200], None).contains("no glTF 2.0 file"));
    assert!(fault(&glb(&json.to_string(), &bin[..8]), Some("draw")).contains("should have"));
    let unknown = fault(&fighter.bytes(), Some("drew"));
    assert!(unknown.contains("no animation is named \"drew\", there are draw; did you mean \"draw\"?"), "{unknown}");
    let circle = with(&|json| json["nodes"][2]["children"] = json!([1]));
    assert!(circle.contains("more than one parent"), "{circle}");
    let beyond = with(&|json| json["accessors"][0]["count"] = json!(1000));
    assert!(beyond.contains("reaches beyond its buffer"), "{beyond}");
    let narrow = with(&|json| json["accessors"][1]["type"] = json!("VEC2"));
    assert!(narrow.contains("2 components, expected 3"), "{narrow}");
    let index = with(&|json| json["nodes"][0]["children"] = json!([77]));
    assert!(index.contains("node 77 is named, but there are 3"), "{index}");
    let huge = with(&|json| json["accessors"][1]["count"] = json!(4_000_000_000_u32));
    assert!(huge.contains("more than 4194304 keys and values"), "{huge}");
    let draco = with(&|json| json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]));
    assert!(draco.contains("no glTF 2.0 file that can be read"), "{draco}");
    let fast = ModelClip { name: Some("draw".to_owned()), fps: 1e9, scale: 1.0 };
    let many = model_from_bytes("x", &fighter.bytes(), &fast).expect_err("too many").to_string();
    assert!(many.contains("take a lower fps"), "{many}");
    let unlit = fighter.json();
    assert!(unlit.get("extensionsRequired").is_none());
    let mut unlit = unlit;
    unlit["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    assert!(model_from_bytes("x", &glb(&unlit.to_string(), &bin), &ModelClip::default()).is_ok());
}

fn other_number() -> impl Strategy<Value = String> {
    let few = prop::sample::select(vec!["-1", "1e300", "0", "1", "2", "3", "4", "5", "9"]);
    prop_oneof![any::<i64>().prop_map(|number| number.to_string()), few.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(random_cases(200))]

    /// L17: no file makes the reader fall over.
    #[test]
    fn no_file_panics(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in any::<prop::sample::Index>()) {
        let mut bytes = fighter().bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let clip = ModelClip { name: Some("draw".to_owned()), ..ModelClip::default() };
        let _ = model_from_bytes("x", &bytes, &clip);
        bytes.truncate(cut.index(bytes.len()));
        let _ = model_from_bytes("x", &bytes, &clip);
    }

    /// L17: nor do numbers of the document that are other numbers.
    #[test]
    fn no_numbers_panic(at in any::<prop::sample::Index>(), number in other_number()) {
        let fighter = fighter();
        let json = fighter.json().to_string();
        let digits: Vec<usize> = json.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
        let at = digits[at.index(digits.len())];
        let mut changed = json.clone();
        changed.replace_range(at..=at, &number);
        let clip = ModelClip { name: Some("draw".to_owned()), ..ModelClip::default() };
        let _ = model_from_bytes("x", &glb(&changed, fighter.bin()), &clip);
    }
}

/// L17: the sampled rotation is the file's, brought to length 1.
#[test]
fn rotations_are_brought_to_length_one() {
    let mut glb = Glb::new();
    glb.node("a", None, json!({ "rotation": [0.0, 0.0, 0.0, 0.999_999_94] }));
    let model = load(&glb, "", 15.0);
    assert!(model.rig.frame(0).expect("a frame")[0].rotation == Quat::new(0.5, 0.5, 0.5, 0.5));
}
