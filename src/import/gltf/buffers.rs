//! The bytes behind a document: the binary chunk, data URIs, files beside it.

use std::path::Path;

use gltf::buffer::Source;

/// Reads all buffers. `folder` is where the document lies; without it no other file is read.
pub(super) fn load(
    document: &gltf::Document,
    blob: Option<Vec<u8>>,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, String> {
    let mut blob = blob;
    let mut buffers = Vec::new();
    for buffer in document.buffers() {
        let what = format!("buffer {}", buffer.index());
        let bytes = match buffer.source() {
            Source::Bin => blob.take().ok_or_else(|| format!("{what} is the binary chunk, which is not there"))?,
            Source::Uri(uri) => from_uri(uri, folder).map_err(|reason| format!("{what}: {reason}"))?,
        };
        if bytes.len() < buffer.length() {
            return Err(format!("{what} should have {} bytes, but has {}", buffer.length(), bytes.len()));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn from_uri(uri: &str, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, data) = data.split_once(";base64,").ok_or("a data URI without base64")?;
        return base64(data).ok_or_else(|| "the data URI holds no base64".to_owned());
    }
    let path = percent_decoded(uri).ok_or("the URI is not UTF-8")?;
    crate::import::is_content_path(&path)?;
    let folder = folder.ok_or("the document was read without a folder, so it can name no file")?;
    crate::import::read_bytes(&folder.join(path))
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for c in text.bytes() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xff_ffff;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    Some(bytes)
}
