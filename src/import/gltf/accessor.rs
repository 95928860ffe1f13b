//! Numbers out of buffers. Every index is checked: a file can claim anything.

use gltf::{
    Accessor,
    accessor::{DataType, Dimensions, sparse::IndexType},
    buffer::View,
};

/// More numbers than any accessor here is allowed to have.
const MAX_NUMBERS: usize = 1 << 24;

/// The numbers of an accessor whose elements have `width` components, element after element.
pub(super) fn numbers(accessor: &Accessor<'_>, buffers: &[Vec<u8>], width: usize) -> Result<Vec<f64>, String> {
    let what = format!("accessor {}", accessor.index());
    let found = components(accessor.dimensions());
    if found != width {
        return Err(format!("{what} has {found} components, expected {width}"));
    }
    let total = accessor.count().checked_mul(width).filter(|&total| total <= MAX_NUMBERS);
    let total = total.ok_or_else(|| format!("{what} has {} elements, which is too many", accessor.count()))?;
    let mut numbers = match accessor.view() {
        Some(view) => {
            let bytes = view_bytes(&view, buffers)?;
            let size = width * accessor.data_type().size();
            let layout = Layout { offset: accessor.offset(), stride: view.stride().unwrap_or(size), width };
            let kind = (accessor.data_type(), accessor.normalized());
            read(bytes, layout, accessor.count(), kind).ok_or_else(|| format!("{what} reaches beyond its buffer"))?
        }
        None => vec![0.0; total],
    };
    if let Some(sparse) = accessor.sparse() {
        let n = sparse.count();
        let (indices, values) = (sparse.indices(), sparse.values());
        let index_kind = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let beyond = || format!("the sparse values of {what} reach beyond their buffer");
        let at = Layout { offset: indices.offset(), stride: index_kind.size(), width: 1 };
        let places = read(view_bytes(&indices.view(), buffers)?, at, n, (index_kind, false)).ok_or_else(beyond)?;
        let size = width * accessor.data_type().size();
        let at = Layout { offset: values.offset(), stride: size, width };
        let kind = (accessor.data_type(), accessor.normalized());
        let values = read(view_bytes(&values.view(), buffers)?, at, n, kind).ok_or_else(beyond)?;
        for (place, value) in places.iter().zip(values.chunks_exact(width)) {
            let start = *place as usize * width;
            numbers.get_mut(start..start + width).ok_or_else(beyond)?.copy_from_slice(value);
        }
    }
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(format!("{what} holds {number}, which is no finite number")),
        None => Ok(numbers),
    }
}

fn components(dimensions: Dimensions) -> usize {
    dimensions.multiplicity()
}

fn view_bytes<'b>(view: &View<'_>, buffers: &'b [Vec<u8>]) -> Result<&'b [u8], String> {
    let range = || {
        let end = view.offset().checked_add(view.length())?;
        buffers.get(view.buffer().index())?.get(view.offset()..end)
    };
    range().ok_or_else(|| format!("buffer view {} reaches beyond its buffer", view.index()))
}

#[derive(Clone, Copy)]
struct Layout {
    offset: usize,
    stride: usize,
    width: usize,
}

/// `count` elements; none when they are not all there.
fn read(bytes: &[u8], layout: Layout, count: usize, (kind, normalised): (DataType, bool)) -> Option<Vec<f64>> {
    let Layout { offset, stride, width } = layout;
    let size = kind.size() * width;
    let last = count.checked_sub(1)?.checked_mul(stride)?.checked_add(offset)?.checked_add(size)?;
    if count > 0 && (last > bytes.len() || stride < size.min(1)) {
        return None;
    }
    let mut numbers = Vec::with_capacity(count * width);
    for element in 0..count {
        let start = offset + element * stride;
        for at in (start..start + size).step_by(kind.size()) {
            numbers.push(number(bytes.get(at..at + kind.size())?, kind, normalised)?);
        }
    }
    Some(numbers)
}

/// One component, little-endian.
fn number(bytes: &[u8], kind: DataType, normalised: bool) -> Option<f64> {
    let (raw, largest) = match kind {
        DataType::I8 => (f64::from(i8::from_le_bytes(bytes.try_into().ok()?)), f64::from(i8::MAX)),
        DataType::U8 => (f64::from(u8::from_le_bytes(bytes.try_into().ok()?)), f64::from(u8::MAX)),
        DataType::I16 => (f64::from(i16::from_le_bytes(bytes.try_into().ok()?)), f64::from(i16::MAX)),
        DataType::U16 => (f64::from(u16::from_le_bytes(bytes.try_into().ok()?)), f64::from(u16::MAX)),
        DataType::U32 => (f64::from(u32::from_le_bytes(bytes.try_into().ok()?)), 1.0),
        DataType::F32 => (f64::from(f32::from_le_bytes(bytes.try_into().ok()?)), 1.0),
    };
    Some(if normalised { (raw / largest).max(-1.0) } else { raw })
}
