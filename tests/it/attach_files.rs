//! Attachment lists in files: the three forms, in-place changes, references, conversion.

use std::fs;

use proptest::prelude::*;
use soup386::{
    defs::{Angles, Attachment, AttachmentList, Influence, ListReference},
    import::{AttachmentFile, ContentRoot, EditError, Form, converted, is_content_path},
};

use crate::support::random_cases;

const TYPED_HEADER: &str =
    "<!-- schema text {7e125a45-3d83-4043-b292-9e24f8ef27b4} generic {198980d8-3a93-4919-b4c6-dd1fb07a3a4b} -->";
const GENERIC_HEADER: &str = "<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} \
                              format:generic:version{7412167c-06e9-4698-aff2-e63eb59037e7} -->";
const MODELDOC_HEADER: &str = "<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} \
                               format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->";

/// The list that the description of the form shows: one attachment `test` on the joint `spine1`, all else at rest.
const DESCRIBED_LIST: &str = "CVattachmentList CVattachmentList_0
{
\tstring m_name = \"\"
\tCVattachment[] m_attachments = 
\t[
\t\tCVattachment
\t\t{
\t\t\tstring m_name = \"test\"
\t\t\tCVattachmentInfluence[] m_influences = 
\t\t\t[
\t\t\t\tCVattachmentInfluence
\t\t\t\t{
\t\t\t\t\tstring m_influenceName = \"spine1\"
\t\t\t\t\tfloat(3) m_vTranslationOffset = ( 0.000000, 0.000000, 0.000000 )
\t\t\t\t\tfloat(3) m_vRotationOffset = ( 0.000000, 0.000000, 0.000000 )
\t\t\t\t\tfloat m_flWeight = 1.000000
\t\t\t\t\tbool m_bRoot = false
\t\t\t\t}
\t\t\t]
\t\t}
\t]
}";

const DESCRIBED_REFERENCE: &str = "CVattachmentListReference[] m_pAttachmentLists = 
\t[
\t\tCVattachmentListReference
\t\t{
\t\t\tCVattachmentList* m_pObject = &CVattachmentList_0
\t\t\tstring m_sFileName = \"\"
\t\t}
\t]";

fn described_model() -> String {
    format!("{TYPED_HEADER}\nCVModel CVModel_0\n{{\n\t{DESCRIBED_REFERENCE}\n}}\n\n{DESCRIBED_LIST}")
}

/// A model with the traits of real ones: fields of no concern here, −0, names that are paths, a stale joint name, a
/// comment, an escape that is none, no line break at the end.
const MODEL: &str = include_str!("../data/attachments/guard_typed.vmdl");
const GENERIC: &str = include_str!("../data/attachments/guard_generic.vmdl");
const MODELDOC: &str = include_str!("../data/attachments/guard_modeldoc.vmdl");

fn parse(text: &str) -> AttachmentFile {
    AttachmentFile::parse("test.vmdl", text).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(text: &str) -> String {
    AttachmentFile::parse("test.vmdl", text).expect_err("the text is wrong").to_string()
}

fn warnings(file: &AttachmentFile) -> Vec<String> {
    file.warnings().iter().map(ToString::to_string).collect()
}

fn named(name: &str, joint: &str) -> Attachment {
    Attachment { name: name.to_owned(), influences: vec![Influence::new(joint)], ignore_rotation: false }
}

/// L1, L3: the described example has exactly its values.
#[test]
fn the_described_example_has_its_values() {
    let text = described_model();
    let file = parse(&text);
    let expected = Attachment {
        name: "test".to_owned(),
        influences: vec![Influence {
            joint: "spine1".to_owned(),
            translation: [0.0; 3],
            rotation: Angles::default(),
            weight: 1.0,
            root: false,
        }],
        ignore_rotation: false,
    };
    let list = AttachmentList { name: String::new(), attachments: vec![expected] };
    assert_eq!(file.references(), [ListReference::Internal(list)]);
    assert_eq!(file.warnings(), []);
    assert_eq!(file.form(), Form::Typed);
    assert_eq!(file.text(), text);
}

/// L1: extracts without header and model around them, as documentation shows them, are read with a warning.
#[test]
fn an_extract_is_read_with_a_warning() {
    let file = parse(&format!("{DESCRIBED_REFERENCE}\n\n{DESCRIBED_LIST}\n"));
    assert_eq!(file.list().attachments.len(), 1);
    assert!(warnings(&file)[0].contains("test.vmdl:1:1: the header is missing"), "{:?}", warnings(&file));
    assert!(parse(DESCRIBED_LIST).is_list());
}

/// L1, L3: what real models have besides.
#[test]
fn a_typed_model_has_its_attachments() {
    let file = parse(MODEL);
    let list = file.list();
    let names: Vec<_> = list.attachments.iter().map(|attachment| attachment.name.as_str()).collect();
    assert_eq!(names, ["hand_r", "effects/drop/blade.vpcf", "Hip_L", "brow"]);
    let hand = &list.attachments[0].influences[0];
    assert_eq!(hand.translation, [1.5, -2.25, 0.125]);
    assert_eq!(hand.rotation, Angles { roll: 10.0, pitch: -0.0, yaw: 30.0 });
    assert!(hand.rotation.pitch.is_sign_negative());
    let dropped = &list.attachments[1].influences[0];
    assert!(dropped.root && dropped.joint == "static_prop");
    assert_eq!(list.attachments[3].influences.len(), 2);
    assert_eq!(file.attachment("HIP_l").map(|found| found.name.as_str()), Some("Hip_L"), "L10");
    let warnings = warnings(&file);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("\\p is no escape"), "{warnings:?}");
}

/// L2, L3: the generic form has the same fields; missing ones have their defaults.
#[test]
fn a_generic_model_has_its_attachments() {
    let file = parse(GENERIC);
    assert_eq!(file.form(), Form::Generic);
    let list = file.list();
    assert_eq!(list.attachments.len(), 2);
    let muzzle = &list.attachments[0].influences[0];
    assert_eq!((muzzle.joint.as_str(), muzzle.weight, muzzle.root), ("gun", 1.0, false));
    assert_eq!(muzzle.translation, [0.0, 12.5, -0.0]);
    let bare = &list.attachments[1].influences[0];
    assert!(bare.root, "m_bRoot is true where it is not given");
    assert!(warnings(&file)[0].contains("m_bRoot is not given"), "{:?}", warnings(&file));
}

/// L5: folders at any depth, prefabs, nodes switched off, influences as children, keys in any order.
#[test]
fn a_modeldoc_model_has_its_attachments() {
    let file = parse(MODELDOC);
    assert_eq!((file.form(), file.format()), (Form::ModelDoc, "modeldoc29"));
    let list = file.list();
    let names: Vec<_> = list.attachments.iter().map(|attachment| attachment.name.as_str()).collect();
    assert_eq!(names, ["eyes", "hand_R", "between_hands"]);
    let hand = &list.attachments[1];
    assert_eq!(hand.influences[0].rotation, Angles { pitch: 0.0, yaw: 90.0, roll: -90.0 });
    let between = &list.attachments[2];
    let weights: Vec<_> = between.influences.iter().map(|influence| influence.weight).collect();
    assert_eq!(weights, [0.0, 1.0, 1.0]);
    assert!(between.ignore_rotation);
    assert!(list.attachments[0].influences[0].root);
    let externals: Vec<_> = file.external_paths().collect();
    assert_eq!(externals, ["models/guard/more.vmdl_prefab"]);
}

/// L8: reading and saving changes no byte, whatever the text looks like.
#[test]
fn a_save_without_an_edit_changes_nothing() {
    let crlf = MODEL.replace('\n', "\r\n");
    let bom = format!("\u{feff}{GENERIC}");
    for text in [MODEL, GENERIC, MODELDOC, &crlf, &bom, &described_model()] {
        assert_eq!(parse(text).text(), text);
    }
}

/// L8: an edit of one number is an edit of this number.
#[test]
fn an_edit_changes_only_what_it_is_about() {
    for (text, name, before, after) in [
        (MODEL, "hand_r", "( 1.500000, -2.250000, 0.125000 )", "( 1.500000, 7.000000, 0.125000 )"),
        (GENERIC, "muzzle", "\t12.500000,", "\t7.000000,"),
        (MODELDOC, "hand_r", "[ 0.0, 0.5, 0.0 ]", "[ 0.0, 7.0, 0.0 ]"),
    ] {
        let mut file = parse(text);
        let mut attachment = file.attachment(name).cloned().expect("it is there");
        attachment.influences[0].translation[1] = 7.0;
        file.replace(name, &attachment).expect("it can be changed");
        assert_eq!(file.text(), text.replacen(before, after, 1));
    }
}

/// L8, L10: renaming touches the name alone; changes of case are no clash with oneself.
#[test]
fn a_rename_touches_the_name_alone() {
    let mut file = parse(MODEL);
    file.rename("hip_l", "HIP_L").expect("only the case changes");
    assert_eq!(file.text(), MODEL.replace("\"Hip_L\"", "\"HIP_L\""));
    let taken = file.rename("brow", "HAND_R").expect_err("the name is taken");
    assert_eq!(taken, EditError::Taken { name: "HAND_R".to_owned() });
    let unknown = file.rename("hip_r", "x").expect_err("there is none");
    assert_eq!(unknown.to_string(), "no attachment is named \"hip_r\"; did you mean \"HIP_L\"?");
}

/// L8: what is added and removed again leaves no trace, in every form.
#[test]
fn adding_and_removing_leaves_no_trace() {
    for text in [MODEL, GENERIC, MODELDOC, &MODEL.replace('\n', "\r\n"), &described_model()] {
        let mut file = parse(text);
        let mut added = named("new \"one\"\\", "joint");
        added.influences.push(Influence { weight: 0.25, ..Influence::new("") });
        file.add(&added).expect("it can be added");
        assert_eq!(file.attachment("NEW \"one\"\\"), Some(&added));
        assert_eq!(file.text().contains("\r\n"), text.contains("\r\n"));
        file.remove("new \"one\"\\").expect("it is there");
        assert_eq!(file.text(), text);
    }
}

/// L8: removing every attachment in any order leaves a readable file, as the tool writes an empty list.
#[test]
fn all_attachments_can_be_removed() {
    for text in [MODEL, GENERIC, MODELDOC] {
        for reversed in [false, true] {
            let mut file = parse(text);
            let mut attachments = file.list().attachments;
            if reversed {
                attachments.reverse();
            }
            for attachment in attachments {
                file.remove(&attachment.name).expect("it is there");
            }
            assert_eq!(file.list().attachments, []);
        }
    }
    let mut file = parse(&described_model());
    file.remove("test").expect("it is there");
    assert!(file.text().contains("m_attachments = \n\t[\n\t\t\n\t]\n}"), "{}", file.text());
}

/// L8: a list is made where there is none.
#[test]
fn a_list_is_made_where_there_is_none() {
    let empty_typed = format!("{TYPED_HEADER}\nCVModel CVModel_0\n{{\n\tfloat m_flFbxScale = 1.000000\n}}");
    let no_lists = format!(
        "{TYPED_HEADER}\nCVModel CVModel_0\n{{\n\tCVattachmentListReference[] m_pAttachmentLists = \n\t[\n\t\t\n\t]\n}}"
    );
    let mut file = parse(&no_lists);
    let mut attachment = named("test", "spine1");
    attachment.influences[0].weight = 1.0;
    file.add(&attachment).expect("a list can be made");
    assert_eq!(file.text(), described_model());
    let generic = format!("{GENERIC_HEADER}\n{{\n\t_class = \"CVModel\"\n\tm_pAttachmentLists = [  ]\n}}\n");
    let modeldoc = format!("{MODELDOC_HEADER}\n{{\n\trootNode = \n\t{{\n\t\t_class = \"RootNode\"\n\t}}\n}}\n");
    for text in [&empty_typed, &generic, &modeldoc] {
        let mut file = parse(text);
        file.add(&attachment).expect("a list can be made");
        assert_eq!(file.list().attachments, std::slice::from_ref(&attachment), "{}", file.text());
    }
    let nothing = format!("{TYPED_HEADER}\nCParticle CParticle_0\n{{\n}}");
    let error = parse(&nothing).add(&attachment).expect_err("no place");
    assert!(error.to_string().contains("neither a model nor a list"), "{error}");
}

/// L8: influences are added, changed and taken out one by one.
#[test]
fn influences_come_and_go() {
    for (text, name) in [(MODEL, "brow"), (MODELDOC, "between_hands")] {
        let mut file = parse(text);
        let before = file.attachment(name).cloned().expect("it is there");
        let mut more = before.clone();
        more.influences.push(Influence { translation: [0.1, 1e-9, 1e20], ..Influence::new("tail") });
        file.replace(name, &more).expect("one more");
        assert_eq!(file.attachment(name), Some(&more));
        file.replace(name, &before).expect("one less");
        assert_eq!(file.text(), text);
        let mut fewer = before.clone();
        fewer.influences.remove(0);
        file.replace(name, &fewer).expect("without the first");
        assert_eq!(file.attachment(name), Some(&fewer));
    }
    let mut file = parse(MODELDOC);
    let none = Attachment { influences: Vec::new(), ..named("eyes", "") };
    assert!(file.replace("eyes", &none).is_err(), "a node is an influence");
}

/// L8: fields that are not there are added, also to an influence that has none.
#[test]
fn missing_fields_are_added() {
    let bare = |fields: &str| {
        format!(
            "{TYPED_HEADER}\nCVattachmentList CVattachmentList_0\n{{\n\tCVattachment[] m_attachments = \n\t[\n\t\tCVattachment\n\t\t{{\n\
             \t\t\tstring m_name = \"a\"\n\t\t\tCVattachmentInfluence[] m_influences = \n\t\t\t[\n\
             \t\t\t\tCVattachmentInfluence\n\t\t\t\t{fields}\n\t\t\t]\n\t\t}}\n\t]\n}}"
        )
    };
    let asked = Attachment {
        influences: vec![Influence { weight: 2.0, root: false, ..Influence::new("hand") }],
        ..named("a", "")
    };
    let (name, rest) =
        ("string m_influenceName = \"hand\"", "float m_flWeight = 2.000000\n\t\t\t\t\tbool m_bRoot = false");
    for fields in ["{}".to_owned(), "{\n\t\t\t\t}".to_owned(), "{ // nothing\n\t\t\t\t}".to_owned()] {
        let mut file = parse(&bare(&fields));
        file.replace("a", &asked).expect("it can be changed");
        let comment = if fields.contains("//") { " // nothing" } else { "" };
        let expected = bare(&format!("{{{comment}\n\t\t\t\t\t{name}\n\t\t\t\t\t{rest}\n\t\t\t\t}}"));
        assert_eq!(file.text(), expected);
    }
    let mut file = parse(&bare(&format!("{{\n\t\t\t\t\t{name}\n\t\t\t\t}}")));
    file.replace("a", &asked).expect("it can be changed");
    assert_eq!(file.text(), bare(&format!("{{\n\t\t\t\t\t{name}\n\t\t\t\t\t{rest}\n\t\t\t\t}}")));
}

/// L4: both set is ambiguous; neither set is an empty list with a warning; dangling and shared pointers are errors.
#[test]
fn references_are_checked() {
    let model = described_model();
    let both = model.replace("m_sFileName = \"\"", "m_sFileName = \"a.attach\"");
    assert!(fault(&both).starts_with("test.vmdl:6:3: m_pAttachmentLists[0]: ambiguous"), "{}", fault(&both));
    let neither = parse(&model.replace("&CVattachmentList_0", "NULL"));
    assert_eq!(neither.references(), [ListReference::Empty]);
    assert!(warnings(&neither).iter().any(|warning| warning.contains("the list is empty")));
    assert!(warnings(&neither).iter().any(|warning| warning.contains("nothing references the list")));
    let dangling = fault(&model.replace("&CVattachmentList_0", "&CVattachmentList_1"));
    assert!(dangling.contains("no object is named CVattachmentList_1; did you mean \"CVattachmentList_0\"?"));
    let wrong = fault(&model.replace("&CVattachmentList_0", "&CVModel_0"));
    assert!(wrong.contains("expected a CVattachmentList, but CVModel_0 is a CVModel"), "{wrong}");
}

/// L4: content paths stay under the root.
#[test]
fn content_paths_stay_under_the_root() {
    for path in ["models/a.attach", "models\\a.attach", "models/x/../a.attach", "./a"] {
        assert_eq!(is_content_path(path), Ok(()), "{path}");
    }
    for path in ["", "/etc/passwd", "\\a", "C:/a", "c:a", "../a", "models/../../a", "models/..", "a\0b"] {
        assert!(is_content_path(path).is_err(), "{path:?}");
    }
}

fn external(path: &str) -> String {
    described_model()
        .replace("&CVattachmentList_0", "NULL")
        .replace("m_sFileName = \"\"", &format!("m_sFileName = \"{path}\""))
        .replace(&format!("\n\n{DESCRIBED_LIST}"), "")
}

/// L4: external lists and prefabs are found under the content root, in turn; circles and missing files are errors.
#[test]
fn external_lists_are_resolved() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    };
    let root = ContentRoot::new(folder.path());
    write("models/points.attach", &format!("{TYPED_HEADER}\n{DESCRIBED_LIST}"));
    let model = write("models/a.vmdl", &external("models\\\\points.attach"));
    let resolved = root.resolve(&AttachmentFile::open(&model).expect("a model")).expect("its list is there");
    assert_eq!(resolved.list.attachments.len(), 1);
    assert_eq!(resolved.files, ["models/points.attach"]);

    write("models/b.vmdl", &external("models/c.vmdl"));
    let c = write("models/c.vmdl", &external("models/b.vmdl"));
    let circle = root.resolve(&AttachmentFile::open(&c).expect("a model")).expect_err("a circle");
    assert!(circle.to_string().contains("circle"), "{circle}");
    for (path, reason) in [("models/none.attach", "cannot be opened"), ("../x.attach", "leaves"), ("/x", "absolute")] {
        let model = write("models/d.vmdl", &external(path));
        let error = root.resolve(&AttachmentFile::open(model).expect("a model")).expect_err("it leads nowhere");
        assert!(error.to_string().contains(reason), "{error}");
        assert!(error.to_string().contains("d.vmdl:9:25: "), "{error}");
    }
    write("models/guard/more.vmdl_prefab", &MODELDOC.replace("hand_R", "hand_L").replace("more.vmdl", "less.vmdl"));
    let prefab = write("models/m.vmdl", MODELDOC);
    let error = root.resolve(&AttachmentFile::open(&prefab).expect("a model")).expect_err("less is missing");
    assert!(error.to_string().contains("models/guard/less.vmdl_prefab"), "{error}");
    write("models/guard/less.vmdl_prefab", &format!("{MODELDOC_HEADER}\n{{\n\trootNode = {{}}\n}}"));
    let resolved = root.resolve(&AttachmentFile::open(&prefab).expect("a model")).expect("all is there");
    let names: Vec<_> = resolved.list.attachments.iter().map(|attachment| attachment.name.as_str()).collect();
    assert_eq!(names, ["eyes", "hand_R", "between_hands", "hand_L"]);
    assert!(resolved.warnings.iter().any(|warning| warning.reason.contains("the first counts")));
}

/// L10: a name twice is refused in typed text, and the first counts elsewhere.
#[test]
fn a_name_that_comes_twice() {
    let typed = MODEL.replace("\"Hip_L\"", "\"HAND_R\"");
    assert!(fault(&typed).contains("another attachment is already named \"HAND_R\" (case does not count)"));
    assert!(fault(&typed).contains("CVattachmentList_0.m_attachments[2]"), "{}", fault(&typed));
    let damaged = AttachmentFile::parse_damaged("test.vmdl", typed).expect("damaged files can be read");
    assert_eq!(damaged.list().attachments.len(), 3);
    assert_eq!(damaged.attachment("hand_r").map(|found| found.influences[0].translation[0]), Some(1.5));
    let modeldoc = parse(&MODELDOC.replace("\"eyes\"", "\"hand_r\""));
    assert_eq!(modeldoc.list().attachments.len(), 2);
    assert!(warnings(&modeldoc).iter().any(|warning| warning.contains("already named")));
}

/// L6: the fields of one form become those of the other; the rotation's components change their order.
#[test]
fn forms_convert() {
    let (modeldoc, lost) = converted("x.vmdl", Form::ModelDoc, &parse(MODEL).list()).expect("it converts");
    let text = modeldoc.text();
    assert!(text.contains("relative_angles = [ -0.0, 30.0, 10.0 ]"), "{text}");
    assert!(text.contains("name = \"effects/drop/blade.vpcf\"\n\t\t\t\t\t\tparent_bone = \"\""), "{text}");
    assert_eq!(lost, ["\"effects/drop/blade.vpcf\": the joint \"static_prop\" of an influence of the root is dropped"]);
    let (typed, lost) = converted("x.attach", Form::Typed, &parse(MODELDOC).list()).expect("it converts");
    assert!(typed.text().contains("m_vRotationOffset = ( -90.000000, 0.000000, 90.000000 )"), "{}", typed.text());
    assert!(typed.text().starts_with(TYPED_HEADER) && typed.text().ends_with("\t]\n}"));
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].contains("ignore_rotation"));
}

/// L1, L2: a wrong text gives place and reason.
#[test]
fn wrong_texts_give_place_and_reason() {
    let typed = described_model();
    let deep = format!("{GENERIC_HEADER}\n{{ a = {}", "[".repeat(100_000));
    for (text, expected) in [
        (String::new(), "test.vmdl:1:1: expected the header"),
        (format!("--[[ a banner ]]\n{GENERIC}"), "something was put before the header"),
        ("{ \"a\": 1 }".to_owned(), "expected the header"),
        (TYPED_HEADER.to_owned(), "expected an object, found the end of the file"),
        (TYPED_HEADER.replace("7e12", "0000"), "not read"),
        (GENERIC.replace("e21c7f3c", "00000000"), "the kv3 encoding text is not read"),
        (GENERIC_HEADER.replace("-->", ""), "the header has no end"),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".to_owned(),
            "1:1: this is a pointer of Git LFS",
        ),
        (typed.replace("= 1.000000", "= nan"), ":29:25: expected a number, found a bare word"),
        (typed.replace("= 1.000000", "= 1e999"), "the number 1e999 is too large"),
        (typed.replace("= 1.000000", "= 0x10"), "expected a number"),
        (typed.replace("= 1.000000", "= -1"), "a weight cannot be negative, found -1"),
        (typed.replace("= 1.000000", "= \"heavy\""), "expected a number, found a text"),
        (typed.replacen("( 0.000000, 0.000000", "( 0.000000", 1), ":27:38: expected 3 components, found 2"),
        (typed.replace("= false", "= FALSE"), "expected true or false, found a bare word"),
        (typed.replace("\"spine1\"", "\"spine1"), ":26:31: the text has no end"),
        (typed.replace("m_bRoot = false", "m_bRoot = false,"), "expected a field or \"}\", found ,"),
        (typed[..typed.len() - 2].to_owned(), "found the end of the file"),
        (deep, "more than 100 objects and lists within each other"),
        (format!("{GENERIC_HEADER}\n{{ a = yes }}"), ":2:7: expected null, true, false"),
        (format!("{GENERIC_HEADER}\n[ 1, 2 ]"), "expected an object, found a list"),
        (format!("{GENERIC_HEADER}\n{{ a = /* "), "the comment has no end"),
        (format!("{GENERIC_HEADER}\n{{ a = #[ zz ] }}"), "hex digits only"),
        (MODELDOC.replace("weight = 0.0", "weight = true"), "weight: expected a number, found true or false"),
        (MODELDOC.replace("[ 0.0, 0.5, 0.0 ]", "[ 0.0, 0.5 ]"), "relative_origin: expected three numbers"),
        (MODELDOC.replace("name = \"eyes\"", "name = \"eyes\" name = \"b\""), "this field is given twice"),
    ] {
        let fault = fault(&text);
        assert!(fault.contains(expected), "{expected:?} is not in {fault:?}");
        assert!(fault.starts_with("test.vmdl:"), "{fault}");
    }
}

/// L1, L2: what is odd is read.
#[test]
fn odd_texts_are_read() {
    let typed = described_model();
    for text in [
        typed.replace(" {", "{"),
        typed.replace("7e125a45", "7E125A45"),
        typed.replace("= \n", "=\n").replace('\n', "\r"),
        typed.replace("1.000000", "1 // whole"),
        typed.replace("0.000000 )", "0.000000, )"),
        typed.replace("\t\t}\n\t]\n}", "\t\t},\n\t]\n}"),
    ] {
        let file = parse(&text);
        assert_eq!(file.list().attachments.len(), 1, "{text}");
        assert_eq!(file.text(), text);
    }
    let kv3 = format!(
        "{GENERIC_HEADER}\n{{ 5_x = resource:\"a\" \"quoted key\" = #[ 0a FF ] block = \"\"\"\nany \"text\"\n\"\"\" \
         both = a|b:[ 1, 2, ] m_attachments = [ {{ m_name = \"x\" }}, ] }} rest = 1"
    );
    let apostrophe = parse(&kv3.replace("\"x\"", r#""guard\'s""#));
    assert_eq!(apostrophe.list().attachments[0].name, "guard's");
    assert_eq!(parse(&typed.replace("\"test\"", r#""guard\'s""#)).list().attachments[0].name, r"guard\'s");
    let file = parse(&kv3);
    assert_eq!(file.list().attachments[0].name, "x");
    assert!(warnings(&file).iter().any(|warning| warning.contains("what follows the root is passed over")));
}

/// L3: unfinished attachments are told apart from wrong ones.
#[test]
fn weights_and_influences_are_warned_about() {
    let five = vec![Influence { weight: 0.0, ..Influence::new("a") }; 5];
    let list = AttachmentList {
        name: String::new(),
        attachments: vec![
            Attachment { influences: five, ..named("five", "") },
            Attachment { influences: Vec::new(), ..named("none", "") },
        ],
    };
    let file = AttachmentFile::new("x.attach", Form::Typed, &list).expect("it can be written");
    let warnings = warnings(&file);
    assert!(warnings.iter().any(|warning| warning.contains("has 5 influences")), "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.contains("all weights of \"five\" are 0")), "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.contains("\"none\" has no influence")), "{warnings:?}");
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(-0.0), Just(0.0), (-100_000..100_000).prop_map(|n| f64::from(n) / 64.0), any::<f64>()]
        .prop_filter("finite", |number| number.is_finite())
}

fn influence() -> impl Strategy<Value = Influence> {
    let numbers = proptest::array::uniform7(number());
    (any::<String>(), numbers, any::<bool>()).prop_map(|(joint, [x, y, z, pitch, yaw, roll, weight], root)| Influence {
        root: root || joint.is_empty(),
        joint,
        translation: [x, y, z],
        rotation: Angles { pitch, yaw, roll },
        weight: weight.abs(),
    })
}

fn list() -> impl Strategy<Value = AttachmentList> {
    let attachment = (any::<String>(), proptest::collection::vec(influence(), 1..4));
    let numbered = |(i, (name, influences)): (usize, (String, Vec<Influence>))| Attachment {
        name: format!("{i}{name}"),
        influences,
        ignore_rotation: false,
    };
    (any::<String>(), proptest::collection::vec(attachment, 0..5)).prop_map(move |(name, attachments)| AttachmentList {
        name,
        attachments: attachments.into_iter().enumerate().map(numbered).collect(),
    })
}

fn is_same(a: &Attachment, b: &Attachment) -> bool {
    a.name == b.name
        && a.influences.len() == b.influences.len()
        && a.influences.iter().zip(&b.influences).all(|(a, b)| a.is_same(b))
}

proptest! {
    #![proptest_config(random_cases(256))]

    /// L8: what is written is read again, to the bit.
    #[test]
    fn parse_gives_what_was_written(list in list()) {
        for form in [Form::Typed, Form::Generic] {
            let file = AttachmentFile::new("x", form, &list).expect("it can be written");
            let read = file.list();
            prop_assert_eq!(&read.name, &list.name);
            prop_assert_eq!(read.attachments.len(), list.attachments.len());
            prop_assert!(read.attachments.iter().zip(&list.attachments).all(|(a, b)| is_same(a, b)), "{}", file.text());
        }
        let (file, _) = converted("x", Form::ModelDoc, &list).expect("it can be written");
        for (a, b) in file.list().attachments.iter().zip(&list.attachments) {
            prop_assert_eq!(&a.name, &b.name);
            prop_assert!(a.influences.iter().zip(&b.influences).all(|(a, b)| a.root == b.root && (a.root || a.is_same(b))));
        }
    }

    /// L8: a change and its inverse leave every byte, and others see nothing of a change.
    #[test]
    fn a_change_keeps_the_rest(list in list(), changed in influence()) {
        prop_assume!(!list.attachments.is_empty());
        for form in [Form::Typed, Form::Generic] {
            let mut file = AttachmentFile::new("x", form, &list).expect("it can be written");
            let before = file.text().to_owned();
            let old = &list.attachments[0];
            let new = Attachment { influences: vec![changed.clone()], ..old.clone() };
            file.replace(&old.name, &new).expect("it can be changed");
            prop_assert!(is_same(file.attachment(&old.name).expect("it is there"), &new));
            prop_assert!(file.list().attachments[1..].iter().zip(&list.attachments[1..]).all(|(a, b)| is_same(a, b)));
            file.replace(&old.name, old).expect("it can be changed back");
            prop_assert_eq!(file.text(), before);
        }
    }

    /// L1, L2: no text makes the readers fall over.
    #[test]
    fn no_text_panics(at in any::<prop::sample::Index>(), length in 0_usize..20, with in "[\\PC\n\r\"{}\\[\\]/*=,&()]{0,12}") {
        for text in [MODEL, GENERIC, MODELDOC] {
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
            let start = at.index(places.len());
            let end = (start + length).min(places.len() - 1);
            let mut text = text.to_owned();
            text.replace_range(places[start]..places[end], &with);
            if let Ok(mut file) = AttachmentFile::parse("x", text.clone()) {
                prop_assert_eq!(file.text(), text);
                for attachment in file.list().attachments {
                    let _ = file.remove(&attachment.name);
                }
                let _ = file.add(&named("new", "joint"));
            }
        }
    }
}
