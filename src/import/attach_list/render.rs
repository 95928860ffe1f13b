//! Values, attachments and whole files as text.

use super::{Form, header};
use crate::defs::{Angles, Attachment, AttachmentList, Influence};

/// How a text breaks and indents its lines.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) form: Form,
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// Numbers have six decimals where these give them exactly.
    has_six_decimals: bool,
}

impl Layout {
    pub(super) fn new(form: Form) -> Self {
        Self { form, newline: "\n", unit: "\t".to_owned(), has_six_decimals: form == Form::Typed }
    }

    /// As a text has it.
    pub(super) fn of(form: Form, text: &str) -> Self {
        let first_break = text.find('\n');
        let is_crlf = first_break.is_some_and(|at| text[..at].ends_with('\r'));
        let indented = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        let spaces = indented.map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
        let unit = if (1..=8).contains(&spaces) { " ".repeat(spaces) } else { "\t".to_owned() };
        let newline = if is_crlf { "\r\n" } else { "\n" };
        Self { form, newline, unit, has_six_decimals: form == Form::Typed || text.contains(".000000") }
    }

    pub(super) fn joined(&self, lines: &[String], indent: &str) -> String {
        lines.join(&format!("{}{indent}", self.newline))
    }

    fn nested(&self, lines: impl IntoIterator<Item = String>) -> impl Iterator<Item = String> {
        lines.into_iter().map(|line| if line.is_empty() { line } else { format!("{}{line}", self.unit) })
    }

    /// `head`, `{`, lines, `}`; without head where it is empty.
    fn object(&self, head: &str, lines: Vec<String>) -> Vec<String> {
        let head = (!head.is_empty()).then(|| head.to_owned());
        let inner = self.nested(lines);
        head.into_iter().chain(["{".to_owned()]).chain(inner).chain(["}".to_owned()]).collect()
    }

    /// `head`, `[`, elements with commas, `]`.
    pub(super) fn array(&self, head: &str, elements: Vec<Vec<String>>) -> Vec<String> {
        let mut lines = vec![head.to_owned(), "[".to_owned()];
        let n = elements.len();
        if n == 0 && self.form == Form::Typed {
            lines.push(self.unit.clone());
        }
        for (i, mut element) in elements.into_iter().enumerate() {
            let is_last = i + 1 == n && self.form == Form::Typed;
            if let (false, Some(last)) = (is_last, element.last_mut()) {
                last.push(',');
            }
            lines.extend(self.nested(element));
        }
        lines.push("]".to_owned());
        lines
    }

    /// `key = value` with the type before it in typed text.
    pub(super) fn pair(&self, spec: &str, key: &str, value: &str) -> String {
        if self.form == Form::Typed { format!("{spec} {key} = {value}") } else { format!("{key} = {value}") }
    }

    pub(super) fn number(&self, number: f64) -> String {
        let fixed = if self.has_six_decimals { fixed(number) } else { None };
        fixed.unwrap_or_else(|| format!("{number:?}"))
    }

    pub(super) fn triple(&self, numbers: [f64; 3]) -> String {
        let [a, b, c] = numbers.map(|number| self.number(number));
        if self.form == Form::Typed { format!("( {a}, {b}, {c} )") } else { format!("[ {a}, {b}, {c} ]") }
    }

    pub(super) fn attachment(&self, attachment: &Attachment) -> Vec<String> {
        match self.form {
            Form::ModelDoc => self.modeldoc_attachment(attachment),
            Form::Typed | Form::Generic => {
                let elements = attachment.influences.iter().map(|influence| self.influence(influence)).collect();
                let mut lines = self.class("CVattachment");
                lines.push(self.pair("string", "m_name", &quoted(&attachment.name)));
                lines.extend(self.array(&self.pair("CVattachmentInfluence[]", "m_influences", ""), elements));
                self.object(self.head("CVattachment"), lines)
            }
        }
    }

    /// The type before an object's brace in typed text.
    fn head<'c>(&self, class: &'c str) -> &'c str {
        if self.form == Form::Typed { class } else { "" }
    }

    /// The key that names the type where nothing stands before the brace.
    fn class(&self, class: &str) -> Vec<String> {
        if self.form == Form::Typed { Vec::new() } else { vec![format!("_class = {}", quoted(class))] }
    }

    fn modeldoc_attachment(&self, attachment: &Attachment) -> Vec<String> {
        let mut lines = self.class("Attachment");
        lines.push(format!("name = {}", quoted(&attachment.name)));
        let main = attachment.influences.first().cloned().unwrap_or_else(|| Influence::new(""));
        lines.extend(self.influence_fields(&main));
        lines.push(format!("ignore_rotation = {}", attachment.ignore_rotation));
        if attachment.influences.len() > 1 {
            let elements = attachment.influences[1..].iter().map(|influence| self.influence(influence)).collect();
            lines.extend(self.array("children = ", elements));
        }
        self.object("", lines)
    }

    /// An influence that stands in an array.
    pub(super) fn influence(&self, influence: &Influence) -> Vec<String> {
        let class = if self.form == Form::ModelDoc { "AttachmentInfluence" } else { "CVattachmentInfluence" };
        let mut lines = self.class(class);
        lines.extend(self.influence_fields(influence));
        self.object(self.head(class), lines)
    }

    fn influence_fields(&self, influence: &Influence) -> Vec<String> {
        let fields = InfluenceField::all(self.form);
        fields
            .into_iter()
            .map(|field| self.pair(field.spec(), field.key(self.form), &field.text(self, influence)))
            .collect()
    }

    /// A file that holds a list and nothing else.
    pub(super) fn file(&self, list: &AttachmentList) -> String {
        let attachments = list.attachments.iter().map(|attachment| self.attachment(attachment)).collect();
        let (header, lines) = match self.form {
            Form::ModelDoc => (header::MODELDOC, self.modeldoc_root(self.modeldoc_list(&list.name, attachments))),
            Form::Typed => (header::TYPED, self.list_object("CVattachmentList CVattachmentList_0", list)),
            Form::Generic => (header::GENERIC, self.list_object("", list)),
        };
        let end = if self.form == Form::Typed { "" } else { self.newline };
        format!("{header}{}{}{end}", self.newline, self.joined(&lines, ""))
    }

    /// A whole document with one list.
    fn modeldoc_root(&self, list: Vec<String>) -> Vec<String> {
        let mut root = self.class("RootNode");
        root.extend(self.array("children = ", vec![list]));
        let root = self.object("rootNode = ", root);
        self.object("", root)
    }

    pub(super) fn modeldoc_list(&self, name: &str, attachments: Vec<Vec<String>>) -> Vec<String> {
        let mut list = self.class("AttachmentList");
        if !name.is_empty() {
            list.push(format!("name = {}", quoted(name)));
        }
        list.extend(self.array("children = ", attachments));
        self.object("", list)
    }

    /// A document whose list has these children, which are indented by [`Self::children_indent`].
    pub(super) fn modeldoc_file(&self, header: &str, children: String) -> String {
        let mut list = self.class("AttachmentList");
        list.extend(["children = ".to_owned(), children]);
        let lines = self.modeldoc_root(self.object("", list));
        format!("{header}{}{}{}", self.newline, self.joined(&lines, ""), self.newline)
    }

    /// How deep the children of the only list of a document are indented.
    pub(super) fn children_indent(&self) -> String {
        self.unit.repeat(4)
    }

    /// A node that names another file.
    pub(super) fn prefab(&self, path: &str) -> Vec<String> {
        let mut lines = self.class("Prefab");
        lines.push(format!("target_file = {}", quoted(path)));
        self.object("", lines)
    }

    /// A list object under a head such as `CVattachmentList CVattachmentList_0`.
    pub(super) fn list_object(&self, head: &str, list: &AttachmentList) -> Vec<String> {
        let attachments = list.attachments.iter().map(|attachment| self.attachment(attachment)).collect();
        let mut lines = self.class("CVattachmentList");
        lines.push(self.pair("string", "m_name", &quoted(&list.name)));
        lines.extend(self.array(&self.pair("CVattachment[]", "m_attachments", ""), attachments));
        self.object(head, lines)
    }

    /// An element of `m_pAttachmentLists`, with what its `m_pObject` holds.
    pub(super) fn reference(&self, object: &[String]) -> Vec<String> {
        let mut lines = self.class("CVattachmentListReference");
        match self.form {
            Form::Typed => {
                lines.push(self.pair("CVattachmentList*", "m_pObject", &object.concat()));
                lines.push(self.pair("string", "m_sFileName", "\"\""));
            }
            Form::Generic | Form::ModelDoc => {
                lines.push("m_pObject = ".to_owned());
                lines.extend_from_slice(object);
            }
        }
        self.object(self.head("CVattachmentListReference"), lines)
    }
}

/// The number with six decimals, if these give it exactly.
fn fixed(number: f64) -> Option<String> {
    let fixed = format!("{number:.6}");
    fixed.parse::<f64>().is_ok_and(|read| read.to_bits() == number.to_bits()).then_some(fixed)
}

/// The fields of an influence in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InfluenceField {
    Joint,
    Translation,
    Rotation,
    Weight,
    Root,
}

impl InfluenceField {
    /// Those that a form has; ModelDoc tells the root by an empty name.
    pub(super) fn all(form: Form) -> Vec<Self> {
        let mut all = vec![Self::Joint, Self::Translation, Self::Rotation, Self::Weight];
        if form != Form::ModelDoc {
            all.push(Self::Root);
        }
        all
    }

    pub(super) fn key(self, form: Form) -> &'static str {
        let (generic, modeldoc) = match self {
            Self::Joint => ("m_influenceName", "parent_bone"),
            Self::Translation => ("m_vTranslationOffset", "relative_origin"),
            Self::Rotation => ("m_vRotationOffset", "relative_angles"),
            Self::Weight => ("m_flWeight", "weight"),
            Self::Root => ("m_bRoot", ""),
        };
        if form == Form::ModelDoc { modeldoc } else { generic }
    }

    pub(super) fn spec(self) -> &'static str {
        match self {
            Self::Joint => "string",
            Self::Translation | Self::Rotation => "float(3)",
            Self::Weight => "float",
            Self::Root => "bool",
        }
    }

    /// The components of a triple, in the order of the form.
    pub(super) fn triple(self, form: Form, influence: &Influence) -> Option<[f64; 3]> {
        let Angles { pitch, yaw, roll } = influence.rotation;
        match self {
            Self::Translation => Some(influence.translation),
            Self::Rotation if form == Form::ModelDoc => Some([pitch, yaw, roll]),
            Self::Rotation => Some([roll, pitch, yaw]),
            _ => None,
        }
    }

    pub(super) fn text(self, layout: &Layout, influence: &Influence) -> String {
        match self {
            Self::Joint if layout.form == Form::ModelDoc && influence.root => quoted(""),
            Self::Joint => quoted(&influence.joint),
            Self::Weight => layout.number(influence.weight),
            Self::Root => influence.root.to_string(),
            Self::Translation | Self::Rotation => {
                layout.triple(self.triple(layout.form, influence).unwrap_or_default())
            }
        }
    }
}

/// The text in quotes, with its escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
