//! Any bytes: they are a model or refused; every frame has the same vertices, and faces stay among them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use soup386::import::game::{
    Warnings,
    model3d::{VertexBudget, read},
};

fuzz_target!(|data: &[u8]| {
    let model = match read("fuzz.3dc", "", data, &mut VertexBudget::default(), &mut Warnings::default()) {
        Ok(model) => model,
        Err(fault) => return assert!(fault.to_string().starts_with("fuzz.3dc")),
    };
    let n_vertices = model.frames[0].len();
    assert!(model.frames.iter().all(|frame| frame.len() == n_vertices));
    assert!(model.frames.iter().flatten().flatten().all(|coordinate| coordinate.is_finite()));
    assert!(model.faces.iter().all(|face| face.len() >= 3));
    assert!(model.faces.iter().flatten().all(|&vertex| (vertex as usize) < n_vertices));
});
