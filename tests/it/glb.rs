//! Small `.glb` files, written byte by byte.

use serde_json::{Value, json};

/// A file under construction: numbers go into the binary chunk, the rest is JSON.
pub(crate) struct Glb {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// The nodes; set their keys freely.
    pub(crate) nodes: Vec<Value>,
    /// Everything else of the document.
    pub(crate) root: Value,
}

/// Node, property, interpolation, times, values.
pub(crate) type Track<'t> = (usize, &'t str, &'t str, &'t [f32], &'t [f32]);

impl Glb {
    /// A document without anything.
    pub(crate) fn new() -> Self {
        let root = json!({ "asset": { "version": "2.0" } });
        Self { bin: Vec::new(), views: Vec::new(), accessors: Vec::new(), nodes: Vec::new(), root }
    }

    fn accessor(&mut self, bytes: &[u8], count: usize, kind: &str, component: u32) -> usize {
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }));
        let mut accessor =
            json!({ "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind });
        if kind == "VEC3" {
            accessor["min"] = json!([-1000.0, -1000.0, -1000.0]);
            accessor["max"] = json!([1000.0, 1000.0, 1000.0]);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// An accessor of single-precision elements of `width` components.
    pub(crate) fn floats(&mut self, values: &[f32], width: usize) -> usize {
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"].get(width).copied().unwrap_or("MAT4");
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, values.len() / width, kind, 5126)
    }

    /// An accessor of bytes, four to an element.
    pub(crate) fn joint_bytes(&mut self, values: &[u8]) -> usize {
        self.accessor(values, values.len() / 4, "VEC4", 5121)
    }

    /// An accessor of vertex numbers.
    pub(crate) fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, values.len(), "SCALAR", 5123)
    }

    /// A node; the number of its parent, which must be there already, if it has one.
    pub(crate) fn node(&mut self, name: &str, parent: Option<usize>, mut keys: Value) -> usize {
        keys["name"] = json!(name);
        self.nodes.push(keys);
        let number = self.nodes.len() - 1;
        if let Some(parent) = parent.map(|parent| &mut self.nodes[parent]) {
            match parent["children"].as_array_mut() {
                Some(children) => children.push(json!(number)),
                None => parent["children"] = json!([number]),
            }
        }
        number
    }

    /// Adds an animation.
    pub(crate) fn animation(&mut self, name: &str, tracks: &[Track<'_>]) {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for &(node, property, interpolation, times, values) in tracks {
            let input = self.floats(times, 1);
            self.accessors[input]["min"] = json!([times[0]]);
            self.accessors[input]["max"] = json!([times[times.len() - 1]]);
            let width = match property {
                "rotation" => 4,
                "weights" => 1,
                _ => 3,
            };
            let output = self.floats(values, width);
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": property } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        }
        let animation = json!({ "name": name, "channels": channels, "samplers": samplers });
        match self.root["animations"].as_array_mut() {
            Some(animations) => animations.push(animation),
            None => self.root["animations"] = json!([animation]),
        }
    }

    /// The document's JSON, as it stands in the file.
    pub(crate) fn json(&self) -> Value {
        let mut root = self.root.clone();
        let children: Vec<usize> = self
            .nodes
            .iter()
            .flat_map(|node| node["children"].as_array().into_iter().flatten())
            .filter_map(|child| child.as_u64().map(|child| child as usize))
            .collect();
        let roots: Vec<usize> = (0..self.nodes.len()).filter(|number| !children.contains(number)).collect();
        root["nodes"] = json!(self.nodes);
        root["scenes"] = json!([{ "nodes": roots }]);
        root["scene"] = json!(0);
        if !self.bin.is_empty() {
            root["buffers"] = json!([{ "byteLength": self.bin.len() }]);
            root["bufferViews"] = json!(self.views);
            root["accessors"] = json!(self.accessors);
        }
        root
    }

    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        glb(&self.json().to_string(), &self.bin)
    }

    /// The binary chunk.
    pub(crate) fn bin(&self) -> &[u8] {
        &self.bin
    }
}

/// Header, JSON chunk, binary chunk.
pub(crate) fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    let bin_length = if bin.is_empty() { 0 } else { 8 + bin.len() };
    let words = |file: &mut Vec<u8>, word: usize| file.extend_from_slice(&(word as u32).to_le_bytes());
    words(&mut file, 2);
    words(&mut file, 12 + 8 + json.len() + bin_length);
    words(&mut file, json.len());
    file.extend_from_slice(b"JSON");
    file.extend_from_slice(&json);
    if !bin.is_empty() {
        words(&mut file, bin.len());
        file.extend_from_slice(b"BIN\0");
        file.extend_from_slice(bin);
    }
    file
}

/// Half the root of two: sine and cosine of an eighth turn.
pub(crate) const EIGHTH: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A fighter of three joints (X left, Y up, Z forward): hip, spine 10 above it, wrist_r 4 to the right of that. The clip
/// `draw` lifts the hip by 8 in a second, evenly, and turns the spine by a quarter to the left.
pub(crate) fn fighter() -> Glb {
    let mut glb = Glb::new();
    let hip = glb.node("hip", None, json!({ "translation": [0.0, 40.0, 0.0] }));
    let spine = glb.node("spine", Some(hip), json!({ "translation": [0.0, 10.0, 0.0] }));
    glb.node("wrist_r", Some(spine), json!({ "translation": [-4.0, 0.0, 0.0] }));
    let turned = [0.0, 0.0, 0.0, 1.0, 0.0, EIGHTH, 0.0, EIGHTH];
    glb.animation(
        "draw",
        &[
            (hip, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 40.0, 0.0, 0.0, 48.0, 0.0]),
            (spine, "rotation", "LINEAR", &[0.0, 1.0], &turned),
        ],
    );
    glb
}
