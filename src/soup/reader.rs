//! A cursor over a program's bytes that knows where it is.

use super::DecodeFault;

/// A fault and the offset of its byte.
pub(super) type At = (u32, DecodeFault);

/// Reads operands in order. Programs are at most 1 MiB, so offsets fit in `u32`.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn offset(&self) -> u32 {
        self.at as u32
    }

    pub(super) fn left(&self) -> u32 {
        (self.bytes.len() - self.at) as u32
    }

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], At> {
        let Some(taken) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err((self.offset(), DecodeFault::Truncated { needed: N as u32, left: self.left() }));
        };
        self.at += N;
        Ok(*taken)
    }

    /// The next byte, which stays unread.
    pub(super) fn peek(&self) -> Result<u8, At> {
        let missing = DecodeFault::Truncated { needed: 1, left: 0 };
        self.bytes.get(self.at).copied().ok_or((self.offset(), missing))
    }

    pub(super) fn u8(&mut self) -> Result<u8, At> {
        self.take().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, At> {
        self.take().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, At> {
        self.take().map(u32::from_le_bytes)
    }

    /// A byte that must mean something; the fault names the byte's own offset.
    pub(super) fn known<T>(&mut self, known: impl Fn(u8) -> Option<T>, fault: fn(u8) -> DecodeFault) -> Result<T, At> {
        let at = self.offset();
        let byte = self.u8()?;
        known(byte).ok_or_else(|| (at, fault(byte)))
    }
}
