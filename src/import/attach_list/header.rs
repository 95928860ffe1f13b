//! The first line, which names encoding and format.

use super::{
    faults::Faults,
    lexer::{Broken, head},
};

/// Typed text: encoding and format.
pub(super) const TYPED: &str =
    "<!-- schema text {7e125a45-3d83-4043-b292-9e24f8ef27b4} generic {198980d8-3a93-4919-b4c6-dd1fb07a3a4b} -->";
const TYPED_GUIDS: [&str; 2] = ["7e125a45-3d83-4043-b292-9e24f8ef27b4", "198980d8-3a93-4919-b4c6-dd1fb07a3a4b"];
/// The header of a ModelDoc file as it is written.
pub(super) const MODELDOC: &str = "<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->";
/// The header of a KV3 file in generic form as it is written.
pub(super) const GENERIC: &str = "<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} format:generic:version{7412167c-06e9-4698-aff2-e63eb59037e7} -->";
const TEXT_GUID: &str = "e21c7f3c-8a33-41c5-9977-a76d3a32aa0d";

/// Which grammar follows.
pub(super) enum Header {
    Typed,
    Kv3 {
        /// The name of the format, such as `generic` or `modeldoc29`.
        format: String,
    },
}

/// The header, and where the text after it begins.
pub(super) fn read(text: &str, faults: &mut Faults<'_>) -> Result<(Header, usize), Broken> {
    let start = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\n', '\r']).len();
    let rest = &text[start..];
    let Some(after) = rest.strip_prefix("<!--") else { return without_header(text, start, faults) };
    let line = &after[..after.find(['\n', '\r']).unwrap_or(after.len())];
    let Some(length) = line.find("-->") else {
        return Err(Broken { span: start..start + 4, reason: "the header has no end: \"-->\" is missing".to_owned() });
    };
    let span = start..start + 4 + length + 3;
    let words = line[..length].trim();
    let header = if let Some(typed) = words.strip_prefix("schema") { self::typed(typed) } else { kv3(words) };
    header.map(|header| (header, span.end)).map_err(|reason| Broken { span, reason })
}

/// The header as a text has it, or this one where it has none.
pub(super) fn written<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    let found = text.find("<!--").and_then(|start| Some(&text[start..start + text[start..].find("-->")? + 3]));
    found.unwrap_or(otherwise)
}

/// Extracts of documentation have no header; anything but typed text cannot be told without one.
fn without_header(text: &str, start: usize, faults: &mut Faults<'_>) -> Result<(Header, usize), Broken> {
    let rest = &text[start..];
    let line = rest.lines().next().unwrap_or_default();
    if line.starts_with("version https://git-lfs.github.com/") {
        let reason = "this is a pointer of Git LFS and not the file itself, which `git lfs pull` fetches".to_owned();
        return Err(Broken { span: start..start + line.len(), reason });
    }
    if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let end = start + line.len();
        faults.warning(start..end, "", "the header is missing: this is read as typed text");
        return Ok((Header::Typed, start));
    }
    let found = if rest.is_empty() { "nothing".to_owned() } else { head(line) };
    let buried = rest.contains("<!-- kv3") || rest.contains("<!-- schema");
    let hint = if buried { ": something was put before the header, which must come first" } else { "" };
    let reason = format!("expected the header \"<!-- kv3 …\" or \"<!-- schema text …\", found {found}{hint}");
    Err(Broken { span: start..start + line.len(), reason })
}

fn typed(words: &str) -> Result<Header, String> {
    let mut guids = Vec::new();
    let mut names = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        let (guid, after) = after.split_once('}').ok_or("a GUID in the header has no end: } is missing")?;
        names += before;
        guids.push(guid.trim());
        rest = after;
    }
    names += rest;
    let names: Vec<_> = names.split_ascii_whitespace().collect();
    let known = guids.len() == 2 && guids.iter().zip(TYPED_GUIDS).all(|(guid, known)| guid.eq_ignore_ascii_case(known));
    if names == ["text", "generic"] && known {
        Ok(Header::Typed)
    } else {
        Err(format!("this schema encoding or format is not read: expected {TYPED}"))
    }
}

fn kv3(words: &str) -> Result<Header, String> {
    let Some(rest) = words.strip_prefix("kv3") else {
        return Err("expected a header of kv3 or schema text".to_owned());
    };
    let compact: String = rest.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let parts = || {
        let rest = compact.strip_prefix("encoding:")?;
        let (encoding, rest) = rest.split_once(":version{")?;
        let (encoding_guid, rest) = rest.split_once('}')?;
        let (format, rest) = rest.strip_prefix("format:")?.split_once(":version{")?;
        rest.ends_with('}').then_some((encoding, encoding_guid, format))
    };
    let expected = "encoding:text:version{GUID} format:NAME:version{GUID}";
    let (encoding, guid, format) = parts().ok_or_else(|| format!("expected the kv3 header to hold {expected}"))?;
    if encoding == "text" && guid.eq_ignore_ascii_case(TEXT_GUID) {
        Ok(Header::Kv3 { format: format.to_owned() })
    } else {
        Err(format!("the kv3 encoding {} is not read: expected text:version{{{TEXT_GUID}}}", head(encoding)))
    }
}
