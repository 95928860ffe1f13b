//! Problem: I render the characters myself and need to know where to put the sword in each frame of a draw.
//!
//! Draws seven moments of a draw side by side into an SVG file: the body from the published pose, the weapon from the
//! published attachment. Everything a renderer needs is in the publication and the definitions.
//!
//! `cargo run --example attach_sword -- draw.svg`

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use soup386::{
    Runtime, Scene,
    defs::{Defs, Shape},
    publish::Publication,
    units::Matrix,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = draw()?;
    match std::env::args().nth(1) {
        Some(file) => std::fs::write(file, picture)?,
        None => io::stdout().write_all(picture.as_bytes())?,
    }
    Ok(())
}

/// Width of one moment, in map units.
const COLUMN: f32 = 68.0;
/// The updates that are shown.
const MOMENTS: [u64; 7] = [4, 8, 11, 14, 17, 20, 26];

/// A polygon on the picture, with how far away it is.
struct Polygon {
    corners: Vec<[f32; 2]>,
    depth: f32,
    colour: &'static str,
}

/// The whole example: an SVG of a draw.
pub fn draw() -> Result<String, Box<dyn std::error::Error>> {
    let mut runtime = Runtime::new(Scene::demo())?;
    let fencer = runtime.world().named("CYRUS").ok_or("the demo has a fencer")?;
    let mut polygons = Vec::new();
    for tick in 0..=MOMENTS[MOMENTS.len() - 1] {
        if tick == 5 {
            runtime.call(fencer, "drawsword", &[])?;
        }
        runtime.update()?;
        if let Some(column) = MOMENTS.iter().position(|&moment| moment == tick) {
            let defs = &runtime.engine().defs;
            polygons.extend(moment(defs, runtime.publication(), column as f32 * COLUMN));
        }
    }
    Ok(svg(&polygons))
}

/// What one moment shows of the player: body and weapon, far polygons first.
fn moment(defs: &Defs, publication: &Publication, shift: f32) -> Vec<Polygon> {
    let mut polygons = Vec::new();
    let Some(body) = publication.poses().first() else { return polygons };
    if let Some(shape) = defs.shape_of_handle(body.pose.handle) {
        polygons.extend(project(shape, body.pose.frame, &body.matrix, body.position, "#9c8468"));
    }
    for held in publication.attachments().iter().filter(|held| held.actor == body.actor) {
        let model = defs.model_named(&held.model).and_then(|index| defs.models().get(usize::from(index.0)));
        if let Some(model) = model {
            polygons.extend(project(&model.shape, 0, &held.matrix, held.position, "#3d5a80"));
        }
    }
    polygons.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    for corner in polygons.iter_mut().flat_map(|polygon| &mut polygon.corners) {
        corner[0] += shift;
    }
    polygons
}

/// Seen from the actor's right: its front (+Z) is to the right, down (+Y) is down.
fn project(shape: &Shape, frame: i16, matrix: &Matrix, position: [f32; 3], colour: &'static str) -> Vec<Polygon> {
    let Shape::Frames { vertices, n_vertices, faces, .. } = shape else { return Vec::new() };
    let first = usize::try_from(frame).unwrap_or(0) * n_vertices;
    let points: Vec<[f32; 3]> =
        vertices[first..first + n_vertices].iter().map(|&v| place(matrix, v, position)).collect();
    faces
        .iter()
        .map(|face| {
            let corners: Vec<_> = face.iter().map(|&v| points[v as usize]).collect();
            let depth = corners.iter().map(|corner| -corner[0]).sum::<f32>() / corners.len() as f32;
            Polygon { corners: corners.iter().map(|corner| [corner[2], corner[1]]).collect(), depth, colour }
        })
        .collect()
}

/// A vertex in the world: row-major matrix times column, plus position.
fn place(Matrix(m): &Matrix, [x, y, z]: [f32; 3], position: [f32; 3]) -> [f32; 3] {
    let row = |at: usize| m[at] * x + m[at + 1] * y + m[at + 2] * z;
    [row(0) + position[0], row(3) + position[1], row(6) + position[2]]
}

fn svg(polygons: &[Polygon]) -> String {
    let width = COLUMN * MOMENTS.len() as f32;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-36 -72 {width} 80\" stroke=\"#222\" stroke-width=\".2\">\n"
    );
    for Polygon { corners, colour, .. } in polygons {
        let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(text, "<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "));
    }
    text + "</svg>\n"
}
