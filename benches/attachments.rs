//! Evaluations of attachments, and reading and saving of their files: `cargo bench --bench attachments`.

use std::{fmt::Write, hint::black_box};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soup386::{
    attach::list::evaluate,
    defs::{Attachment, AttachmentList, BoundPoint, Influence, Joint, JointPose, Rig},
    import::{AttachmentFile, Form},
    units::Quat,
};

/// Joints of a character.
const N_JOINTS: u32 = 60;

fn rig() -> Rig {
    let joint = |i: u32| Joint { name: format!("joint_{i}").into(), parent: i.checked_sub(1) };
    let pose = |i: u32| JointPose {
        translation: [f64::from(i), 1.0, 2.0],
        rotation: Quat::of_angles(f64::from(i), 20.0, 30.0),
        scale: [1.0; 3],
    };
    Rig::new((0..N_JOINTS).map(joint).collect(), (0..N_JOINTS).map(pose).collect(), 1.0).expect("one whole frame")
}

fn attachment(i: u32, n_influences: u32) -> Attachment {
    let influence = |k| Influence {
        translation: [1.5, -2.25, 0.125],
        weight: f64::from(k + 1),
        ..Influence::new(format!("joint_{}", (i + 7 * k) % N_JOINTS))
    };
    let influences = (0..n_influences).map(influence).collect();
    Attachment { name: format!("attachment_{i}"), influences, ignore_rotation: false }
}

fn evaluations(criterion: &mut Criterion) {
    let rig = rig();
    let joints = rig.frame(0).expect("a frame");
    let mut group = criterion.benchmark_group("evaluate 1000 attachments");
    group.throughput(Throughput::Elements(1000));
    for n in [1, 3] {
        let points: Vec<_> = (0..1000).filter_map(|i| BoundPoint::bind(&attachment(i, n), Some(&rig))).collect();
        group.bench_function(format!("{n} influences"), |bencher| {
            bencher.iter(|| points.iter().filter_map(|point| evaluate(black_box(point), joints)).count());
        });
    }
    group.finish();
}

/// A file of about 50 KB.
fn file(form: Form) -> AttachmentFile {
    let n = if form == Form::Typed { 115 } else { 150 };
    let list = AttachmentList { name: String::new(), attachments: (0..n).map(|i| attachment(i, 1)).collect() };
    AttachmentFile::new("bench", form, &list).expect("a file")
}

fn files(criterion: &mut Criterion) {
    for form in [Form::Typed, Form::ModelDoc] {
        let file = file(form);
        let mut name = String::new();
        let _ = write!(name, "{} file of {} bytes", form.name(), file.text().len());
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(file.text().len() as u64));
        group.bench_function("read", |bencher| {
            bencher.iter(|| AttachmentFile::parse("bench", file.text()).expect("a file").list().attachments.len());
        });
        let mut moved = file.attachment("attachment_50").expect("it is there").clone();
        moved.influences[0].translation[0] += 1.0;
        group.bench_function("read, change one, save", |bencher| {
            bencher.iter(|| {
                let mut file = AttachmentFile::parse("bench", file.text()).expect("a file");
                file.replace("attachment_50", &moved).expect("a change");
                file.text().len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, evaluations, files);
criterion_main!(benches);
