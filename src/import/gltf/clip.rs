//! One animation: keys, and the values between them.

use gltf::animation::{Interpolation, Property};

use super::accessor::numbers;
use crate::units::Quat;

/// What one property of one node does over time.
pub(super) struct Track {
    /// The node's number in the document.
    pub(super) node: usize,
    pub(super) property: Property,
    interpolation: Interpolation,
    times: Vec<f64>,
    values: Vec<f64>,
    /// Numbers in one value.
    width: usize,
}

/// Keys and values of all tracks together.
const MAX_NUMBERS: usize = 1 << 22;

/// The tracks of an animation, and when its last key is.
pub(super) fn tracks(animation: &gltf::Animation<'_>, buffers: &[Vec<u8>]) -> Result<(Vec<Track>, f64), String> {
    let mut tracks = Vec::new();
    let mut n_numbers = 0_usize;
    for channel in animation.channels() {
        let sampler = channel.sampler();
        n_numbers = n_numbers.saturating_add(sampler.input().count()).saturating_add(sampler.output().count());
        if n_numbers > MAX_NUMBERS {
            return Err(format!("the animation has more than {MAX_NUMBERS} keys and values"));
        }
        let times = numbers(&sampler.input(), buffers, 1)?;
        if times.is_empty() || times.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(format!("accessor {}: the times of keys must ascend", sampler.input().index()));
        }
        let property = channel.target().property();
        let element = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphTargetWeights => 1,
        };
        let values = numbers(&sampler.output(), buffers, element)?;
        let per_key = if sampler.interpolation() == Interpolation::CubicSpline { 3 } else { 1 };
        let width = values.len() / (times.len() * per_key);
        let is_whole = values.len() == width * per_key * times.len();
        if !is_whole || width == 0 || (element > 1 && width != element) {
            let reason = format!(
                "accessor {}: {} values do not fit {} keys",
                sampler.output().index(),
                values.len() / element,
                times.len()
            );
            return Err(reason);
        }
        let node = channel.target().node().index();
        tracks.push(Track { node, property, interpolation: sampler.interpolation(), times, values, width });
    }
    let end = tracks.iter().filter_map(|track| track.times.last()).fold(0.0_f64, |end, &time| end.max(time));
    Ok((tracks, end))
}

impl Track {
    /// The value at a time; before the first and after the last key it is theirs.
    ///
    /// # Source
    /// Rule L17; glTF 2.0, "Animations" and appendix C.
    pub(super) fn sample(&self, time: f64) -> Vec<f64> {
        let next = self.times.partition_point(|&key| key <= time);
        let (Some(before), true) = (next.checked_sub(1), next < self.times.len()) else {
            return self.value(next.min(self.times.len() - 1)).to_vec();
        };
        let span = self.times[next] - self.times[before];
        let s = (time - self.times[before]) / span;
        let is_rotation = self.property == Property::Rotation;
        let (a, b) = (self.value(before), self.value(next));
        match self.interpolation {
            Interpolation::Step => a.to_vec(),
            Interpolation::Linear if is_rotation => {
                let Quat { x, y, z, w } = unit(a).slerp(unit(b), s);
                vec![x, y, z, w]
            }
            Interpolation::Linear => a.iter().zip(b).map(|(a, b)| a + (b - a) * s).collect(),
            Interpolation::CubicSpline => self.cubic(before, s, span),
        }
    }

    fn cubic(&self, before: usize, s: f64, span: f64) -> Vec<f64> {
        let (s2, s3) = (s * s, s * s * s);
        let out = &self.values[(3 * before + 2) * self.width..][..self.width];
        let into = &self.values[3 * (before + 1) * self.width..][..self.width];
        let (a, b) = (self.value(before), self.value(before + 1));
        let value = |i: usize| {
            (2.0 * s3 - 3.0 * s2 + 1.0) * a[i]
                + span * (s3 - 2.0 * s2 + s) * out[i]
                + (3.0 * s2 - 2.0 * s3) * b[i]
                + span * (s3 - s2) * into[i]
        };
        (0..self.width).map(value).collect()
    }

    /// The value of a key, without its tangents.
    fn value(&self, key: usize) -> &[f64] {
        let at = if self.interpolation == Interpolation::CubicSpline { 3 * key + 1 } else { key };
        &self.values[at * self.width..][..self.width]
    }
}

/// A rotation of four numbers, brought to length 1.
pub(super) fn unit(numbers: &[f64]) -> Quat {
    let [x, y, z, w] = <[f64; 4]>::try_from(numbers).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Quat::new(x, y, z, w).normalised().unwrap_or(Quat::IDENTITY)
}
