//! Bytes that know where they are, and fixed records in them.

use super::super::Fault;

/// A part of a file. Reading outside it is a fault that names file, section and offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    file: &'a str,
    section: &'a str,
    /// Offset of the first byte in the file.
    base: usize,
    data: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// A whole file.
    pub(super) fn new(file: &'a str, data: &'a [u8]) -> Self {
        Self { file, section: "", base: 0, data }
    }

    /// The same bytes under the name of a section.
    pub(super) fn named(self, section: &'a str) -> Self {
        Self { section, ..self }
    }

    pub(super) fn data(self) -> &'a [u8] {
        self.data
    }

    pub(super) fn len(self) -> usize {
        self.data.len()
    }

    pub(super) fn file(self) -> &'a str {
        self.file
    }

    /// A fault at `at` bytes from the beginning.
    pub(super) fn fault(self, at: usize, reason: impl Into<String>) -> Fault {
        Fault::at_offset(self.file, self.section, self.base.saturating_add(at), reason)
    }

    /// `length` bytes from `at` on.
    pub(super) fn slice(self, at: usize, length: usize, what: &str) -> Result<Self, Fault> {
        match at.checked_add(length).and_then(|end| self.data.get(at..end)) {
            Some(data) => Ok(Self { base: self.base + at, data, ..self }),
            None => {
                let left = self.data.len().saturating_sub(at);
                Err(self.fault(at, format!("{what} needs {length} bytes, {left} are left")))
            }
        }
    }

    /// The bytes from `at` on, which may be none.
    pub(super) fn rest(self, at: usize, what: &str) -> Result<Self, Fault> {
        self.slice(at, self.data.len().saturating_sub(at), what)
    }

    /// The bytes from an offset that the file gives.
    pub(super) fn rest_at(self, offset: i32, what: &str) -> Result<Self, Fault> {
        match usize::try_from(offset) {
            Ok(at) if at <= self.data.len() => self.rest(at, what),
            Ok(_) => {
                Err(self.fault(0, format!("{what}: the offset {offset} is outside the {} bytes", self.data.len())))
            }
            Err(_) => Err(self.fault(0, format!("{what}: the offset {offset} is negative"))),
        }
    }

    /// `length` bytes from an offset that the file gives.
    pub(super) fn slice_at(self, offset: i32, length: usize, what: &str) -> Result<Self, Fault> {
        self.rest_at(offset, what)?.slice(0, length, what)
    }

    pub(super) fn array<const N: usize>(self, at: usize, what: &str) -> Result<[u8; N], Fault> {
        Ok(Record(self.slice(at, N, what)?.data).array(0))
    }

    pub(super) fn u16(self, at: usize, what: &str) -> Result<u16, Fault> {
        self.array(at, what).map(u16::from_le_bytes)
    }

    pub(super) fn u32(self, at: usize, what: &str) -> Result<u32, Fault> {
        self.array(at, what).map(u32::from_le_bytes)
    }

    /// `count` records of `size` bytes from `at` on. The count is held against the bytes before anything is made.
    pub(super) fn records(self, at: usize, count: u32, size: usize, what: &str) -> Result<Records<'a>, Fault> {
        let left = self.data.len().saturating_sub(at);
        let needed = u64::from(count) * size as u64;
        if needed > left as u64 {
            let reason = format!("{count} {what} of {size} bytes need {needed} bytes, {left} are left");
            return Err(self.fault(at, reason));
        }
        Ok(Records { bytes: self.slice(at, needed as usize, what)?, size })
    }

    /// The bytes up to a NUL, which must come.
    pub(super) fn text(self, at: usize, what: &str) -> Result<&'a [u8], Fault> {
        let rest = self.rest(at, what)?;
        match rest.data.iter().position(|&byte| byte == 0) {
            Some(end) => Ok(&rest.data[..end]),
            None => Err(self.fault(at, format!("{what} is not ended by a zero byte"))),
        }
    }

    /// The record that these bytes are.
    pub(super) fn record(self) -> Record<'a> {
        Record(self.data)
    }
}

/// Records of equal size, known to be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'a> {
    bytes: Bytes<'a>,
    size: usize,
}

impl<'a> Records<'a> {
    /// The records with their offsets from the beginning of the bytes.
    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = Record<'a>> {
        self.bytes.data.chunks_exact(self.size).map(Record)
    }

    pub(super) fn len(self) -> usize {
        self.bytes.len() / self.size
    }

    /// One record.
    pub(super) fn get(self, index: usize) -> Option<Record<'a>> {
        let start = index.checked_mul(self.size)?;
        self.bytes.data.get(start..start.checked_add(self.size)?).map(Record)
    }

    /// A fault in a record, `at` bytes from its beginning.
    pub(super) fn fault(self, index: usize, at: usize, reason: impl Into<String>) -> Fault {
        self.bytes.fault(index * self.size + at, reason)
    }

    /// Bytes that the records take.
    pub(super) fn n_bytes(self) -> usize {
        self.bytes.len()
    }
}

/// A fixed record whose length was checked; a field beyond it would read as zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a>(&'a [u8]);

impl<'a> Record<'a> {
    /// The first bytes of data that are known to be there.
    pub(super) fn of(data: &'a [u8]) -> Self {
        Self(data)
    }

    pub(super) fn array<const N: usize>(self, at: usize) -> [u8; N] {
        let found = self.0.get(at..at + N).and_then(|bytes| bytes.try_into().ok());
        debug_assert!(found.is_some(), "field {at:X} is outside the record");
        found.unwrap_or([0; N])
    }

    pub(super) fn u8(self, at: usize) -> u8 {
        let [byte] = self.array(at);
        byte
    }

    pub(super) fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub(super) fn i16(self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    pub(super) fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub(super) fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.array(at))
    }

    /// Three bytes, sign-extended.
    pub(super) fn i24(self, at: usize) -> i32 {
        let [low, middle, high] = self.array(at);
        i32::from_le_bytes([0, low, middle, high]) >> 8
    }

    /// A name in a field of `width` bytes: up to the first NUL, or the whole field.
    pub(super) fn name(self, at: usize, width: usize) -> &'a [u8] {
        let field = self.0.get(at..at + width).unwrap_or_default();
        &field[..field.iter().position(|&byte| byte == 0).unwrap_or(field.len())]
    }
}

/// The text of Latin-1 bytes.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Bytes from a file as they are shown in messages.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 80;
    let text = bytes[..bytes.len().min(LONGEST)].escape_ascii().to_string();
    if bytes.len() > LONGEST { text + "…" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_bytes_are_a_signed_number() {
        let record = Record(&[0xff, 0xff, 0xff, 0x00, 0x00, 0x80, 0x01, 0x02, 0x03]);
        assert_eq!([record.i24(0), record.i24(3), record.i24(6)], [-1, -0x80_0000, 0x03_0201]);
    }

    #[test]
    fn a_count_is_held_against_the_bytes() {
        let bytes = Bytes::new("a.rgm", &[0; 20]).named("MPOB");
        let fault = bytes.records(4, u32::MAX, 66, "records").expect_err("too many");
        assert_eq!(
            fault.to_string(),
            "a.rgm: MPOB: offset 0x4: 4294967295 records of 66 bytes need 283467841470 bytes, 16 are left"
        );
        assert!(bytes.slice(usize::MAX, 2, "x").is_err() && bytes.rest_at(-1, "x").is_err());
    }
}
