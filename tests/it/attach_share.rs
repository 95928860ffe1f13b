//! Attachment lists that move into files of their own and back.

use soup386::{
    defs::ListReference,
    import::{AttachmentFile, Form},
};

const MODEL: &str = include_str!("../data/attachments/guard_typed.vmdl");
const GENERIC: &str = include_str!("../data/attachments/guard_generic.vmdl");
const MODELDOC: &str = include_str!("../data/attachments/guard_modeldoc.vmdl");

fn parse(text: &str) -> AttachmentFile {
    AttachmentFile::parse("test.vmdl", text).unwrap_or_else(|error| panic!("{error}"))
}

fn moved_out(text: &str, path: &str) -> (AttachmentFile, AttachmentFile) {
    let mut model = parse(text);
    let list = model.make_external(path).unwrap_or_else(|error| panic!("{error}"));
    let list = AttachmentFile::parse(path, list).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(list.list().attachments, parse(text).list().attachments);
    assert!(model.external_paths().any(|named| named == path));
    assert_eq!(model.list().attachments, []);
    (model, list)
}

/// A typed model with nothing but the list that it points to.
pub(crate) fn typed(reference: &str, rest: &str) -> String {
    let header = MODEL.lines().next().expect("a header");
    format!(
        "{header}\nCVModel CVModel_0\n{{\n\tCVattachmentListReference[] m_pAttachmentLists = \n\t[\n\
         \t\tCVattachmentListReference\n\t\t{{\n\t\t\t{reference}\n\t\t}}\n\t]\n}}{rest}"
    )
}

const LIST: &str = "CVattachmentList CVattachmentList_0
{
\tstring m_name = \"\"
\tCVattachment[] m_attachments = 
\t[
\t\tCVattachment
\t\t{
\t\t\tstring m_name = \"test\" // by hand
\t\t}
\t]
}";

/// L4, L19: a typed list becomes a file with the header of a list, and back to the byte, also where lines end otherwise.
#[test]
fn a_typed_list_moves_out_and_back() {
    let header = MODEL.lines().next().expect("a header");
    let inside = "CVattachmentList* m_pObject = &CVattachmentList_0\n\t\t\tstring m_sFileName = \"\"";
    let outside = "CVattachmentList* m_pObject = NULL\n\t\t\tstring m_sFileName = \"models/guard/points.attach\"";
    let text = typed(inside, &format!("\n\n{LIST}"));
    let mut model = parse(&text);
    let list = model.make_external("models\\guard\\points.attach").expect("it can move");
    assert_eq!(list, format!("{header}\n{LIST}"));
    assert_eq!(model.text(), typed(outside, ""));
    assert_eq!(model.references(), [ListReference::External { path: "models/guard/points.attach".to_owned() }]);
    let error = model.add(&parse(MODEL).list().attachments[0]).expect_err("the list is elsewhere");
    assert!(error.to_string().contains("in another file, models/guard/points.attach: edit that one"), "{error}");
    let list = AttachmentFile::parse("points.attach", list).expect("a list");
    assert!(list.is_list());
    let with_returns = AttachmentFile::parse("points.attach", list.text().replace('\n', "\r\n")).expect("a list");
    for list in [list, with_returns] {
        let mut model = model.clone();
        model.make_internal("models\\guard\\points.attach", &list).expect("it can come back");
        assert_eq!(model.text(), text);
    }
}

/// L19: every form moves out and comes back to the byte.
#[test]
fn every_form_moves_out_and_back() {
    let returns = GENERIC.replace('\n', "\r\n");
    let no_blanks = GENERIC.replace("= \n", "=\n");
    let spaces = MODELDOC.replace('\t', "  ");
    let empty_name = GENERIC.replace("m_pObject = \n", "m_sFileName = \"\"\n\t\t\tm_pObject = \n");
    let named_later = "\tCVLast* m_pLast = &CVLast_0\n}\n\nCVattachmentList CV";
    let middle = MODEL.replacen("}\n\nCVattachmentList CV", named_later, 1) + "\n\nCVLast CVLast_0\n{\n}";
    assert!(middle.contains(named_later));
    for (text, path) in [
        (MODEL, "a.attach"),
        (&middle, "a.attach"),
        (GENERIC, "a.attach"),
        (&returns, "a.attach"),
        (&no_blanks, "a.attach"),
        (MODELDOC, "a.vmdl_prefab"),
        (&spaces, "a.vmdl_prefab"),
    ] {
        let (mut model, list) = moved_out(text, path);
        model.make_internal(path, &list).expect("it can come back");
        assert_eq!(model.text(), text);
    }
    let (mut model, list) = moved_out(&empty_name, "a.attach");
    model.make_internal("a.attach", &list).expect("it can come back");
    assert_eq!(model.text(), GENERIC, "a field that says nothing is not written");
}

/// L19: a generic list is the root of a file with the header of the model, a step to the left.
#[test]
fn a_generic_list_is_the_root_of_its_file() {
    let block =
        GENERIC.replace("m_name = \"muzzle\"", "m_note = \"\"\"\n\t\t\t\t\t\t\tas\nit is\"\"\" m_name = \"muzzle\"");
    let (model, list) = moved_out(&block, "models/guard.attach");
    let between = "m_pAttachmentLists = \n\t[\n\t\t{\n\t\t\t_class = \"CVattachmentListReference\"\n\
                   \t\t\tm_pObject = null\n\t\t\tm_sFileName = \"models/guard.attach\"\n\t\t},\n\t]\n";
    assert!(model.text().contains(between), "{}", model.text());
    let header = GENERIC.lines().next().expect("a header");
    let head =
        format!("{header}\n{{\n\t_class = \"CVattachmentList\"\n\tm_name = \"\"\n\tm_attachments = \n\t[\n\t\t{{\n");
    assert!(list.text().starts_with(&head), "{}", list.text());
    assert!(list.text().contains("m_note = \"\"\"\n\t\t\t\t\t\t\tas\nit is\"\"\" m_name"), "{}", list.text());
    assert!(list.text().ends_with("\n\t]\n}\n"));
    assert!(list.is_list() && list.form() == Form::Generic);
}

/// L19: in ModelDoc a prefab stands in the list for what was in it; folders, notes and other prefabs move along.
#[test]
fn a_modeldoc_list_becomes_a_prefab() {
    let text = MODELDOC.replace("modeldoc29", "modeldoc32");
    let (model, list) = moved_out(&text, "models/guard/points.vmdl_prefab");
    let node = "\t\t\t\t_class = \"AttachmentList\"\n\t\t\t\tchildren = \n\t\t\t\t[\n\t\t\t\t\t{\n\
                \t\t\t\t\t\t_class = \"Prefab\"\n\t\t\t\t\t\ttarget_file = \"models/guard/points.vmdl_prefab\"\n\
                \t\t\t\t\t},\n\t\t\t\t]\n\t\t\t},\n\t\t]\n\t\tmodel_archetype = \"\"\n\t}\n}";
    assert!(model.text().ends_with(node), "{}", model.text());
    assert_eq!(list.format(), "modeldoc32");
    assert_eq!(list.external_paths().collect::<Vec<_>>(), ["models/guard/more.vmdl_prefab"]);
    let children = |text: &str| {
        let start = text.find("_class = \"AttachmentList\"").expect("a list");
        text[start..start + text[start..].find("\n\t\t\t}").expect("its end")].to_owned()
    };
    assert_eq!(children(list.text()), children(&text));
}

/// A ModelDoc file with these nodes.
fn modeldoc(nodes: &str) -> String {
    let header = MODELDOC.lines().next().expect("a header");
    format!(
        "{header}\n{{\n\trootNode = \n\t{{\n\t\t_class = \"RootNode\"\n\t\tchildren = \n\t\t[\n{nodes}\t\t]\n\t}}\n}}\n"
    )
}

const ONE: &str = "\t\t\t{ _class = \"AttachmentList\" children = [ { _class = \"Attachment\" name = \"one\" }, ] },\n";

fn prefab(text: &str) -> AttachmentFile {
    AttachmentFile::parse("points.vmdl_prefab", text).unwrap_or_else(|error| panic!("{error}"))
}

/// L19: a prefab among other nodes makes room for the children of its list, wherever it stands.
#[test]
fn a_prefab_moves_in_where_it_stands() {
    let node = "{ _class = \"Prefab\" target_file = \"a.vmdl_prefab\" }";
    let list = |children: &str| format!("\t\t\t{{ _class = \"AttachmentList\" children = [ {children} ] }},\n");
    for (nodes, expected) in [
        (list(&format!("{node} /* why */")), list("{ _class = \"Attachment\" name = \"one\" } /* why */")),
        (
            list(&format!(
                "{{ _class = \"Folder\" children = [ {node} ] }}, {{ _class = \"Attachment\" name = \"x\" }}"
            )),
            {
                let folder = "{ _class = \"Folder\" children = [ { _class = \"Attachment\" name = \"one\" }, ] }";
                list(&format!("{folder}, {{ _class = \"Attachment\" name = \"x\" }}"))
            },
        ),
        (format!("\t\t\t{node},\n"), ONE.to_owned()),
    ] {
        let mut model = parse(&modeldoc(&nodes));
        model.make_internal("a.vmdl_prefab", &prefab(&modeldoc(ONE))).expect("it can move in");
        assert_eq!(model.text(), modeldoc(&expected));
    }
    let mut model = parse(&modeldoc(&list(&format!("{node}, {{ _class = \"Attachment\" name = \"x\" }},"))));
    model.make_internal("a.vmdl_prefab", &prefab(&modeldoc(&list("")))).expect("nothing is in it");
    assert_eq!(model.list().attachments.len(), 1);
    assert!(model.external_paths().next().is_none());
}

/// L19: lists of other forms are written anew.
#[test]
fn a_list_moves_in_from_another_form() {
    let outside = "CVattachmentList* m_pObject = NULL\n\t\t\tstring m_sFileName = \"a.x\"";
    let generic = GENERIC.replacen("m_pObject = ", "m_sFileName = \"a.x\" m_unread = ", 1);
    let named = MODELDOC.replace("models/guard/more.vmdl_prefab", "a.x");
    let two = prefab(&modeldoc(&ONE.replace("] }", "{ _class = \"Attachment\" name = \"two\" } ] }")));
    let (_, from_generic) = moved_out(GENERIC, "a.attach");
    let (_, from_typed) = moved_out(MODEL, "a.attach");
    for (text, list) in [
        (typed(outside, ""), &from_generic),
        (typed(outside, ""), &two),
        (generic.clone(), &from_typed),
        (generic, &two),
        (named.clone(), &from_generic),
        (modeldoc("\t\t\t{ _class = \"Prefab\" target_file = \"a.x\" },\n"), &from_generic),
    ] {
        let mut model = parse(&text);
        let mut expected = model.list().attachments;
        expected.extend(list.list().attachments);
        model.make_internal("a.x", list).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(model.list().attachments.len(), expected.len(), "{}", model.text());
        for attachment in expected {
            let read = model.attachment(&attachment.name).expect("it is there");
            assert_eq!(read.influences[0].translation, attachment.influences[0].translation);
        }
    }
}

/// L19: what cannot move says why, and leaves the text as it is.
#[test]
fn what_cannot_move_says_why() {
    let alone = modeldoc("");
    let empty =
        modeldoc("\t\t\t{ _class = \"AttachmentList\" children = [ { _class = \"Prefab\" target_file = \"p\" } ] },\n");
    let (outside, list) = moved_out(MODEL, "a.attach");
    for (text, path, words) in [
        (MODEL, "/a.attach", "the path is absolute"),
        (MODELDOC, "a.attach", "ModelDoc files name prefabs, which end in .vmdl_prefab"),
        (&alone, "a.vmdl_prefab", "there is no list in the file"),
        (&empty, "a.vmdl_prefab", "the list in the file is empty; others are in p"),
        (&modeldoc(&format!("{ONE}{ONE}")), "a.vmdl_prefab", "there is more than one list"),
        (outside.text(), "b.attach", "in a file of its own already: a.attach"),
        (list.text(), "b.attach", "the file is a list of its own"),
    ] {
        let mut file = parse(text);
        let error = file.make_external(path).expect_err("it cannot move").to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(file.text(), text);
    }
    let node = "{ _class = \"Prefab\" target_file = \"a.vmdl_prefab\" }";
    let in_list = modeldoc(&format!("\t\t\t{{ _class = \"AttachmentList\" children = [ {node} ] }},\n"));
    let in_prefabs = modeldoc(&format!("\t\t\t{{ _class = \"PrefabList\" children = [ {node} ] }},\n"));
    let taken =
        in_list.replace(&format!("[ {node}"), &format!("[ {node}, {{ _class = \"Attachment\" name = \"ONE\" }}"));
    let more = modeldoc(&format!("{ONE}\t\t\t{{ _class = \"LODGroupList\" }},\n"));
    for (text, path, other, words) in [
        (
            &in_list,
            "a.vmdl_prefabs",
            modeldoc(ONE),
            "names no list \"a.vmdl_prefabs\"; did you mean \"a.vmdl_prefab\"?",
        ),
        (&in_list, "a.vmdl_prefab", more, "more than one attachment list (LODGroupList), which would be lost"),
        (&in_list, "a.vmdl_prefab", alone.clone(), "the prefab holds no attachment list"),
        (&in_list, "a.vmdl_prefab", outside.text().to_owned(), "names other files in its turn"),
        (&in_prefabs, "a.vmdl_prefab", modeldoc(ONE), "in a PrefabList, where no attachments can be"),
        (&taken, "a.vmdl_prefab", modeldoc(ONE), "already named \"one\""),
    ] {
        let mut file = parse(text);
        let error = file.make_internal(path, &prefab(&other)).expect_err("it cannot move").to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(file.text(), *text);
    }
    let mut typed = parse(&typed("string m_sFileName = \"a.vmdl_prefab\"", ""));
    let error = typed.make_internal("a.vmdl_prefab", &prefab(MODELDOC)).expect_err("nothing keeps the orientation");
    assert!(error.to_string().contains("only ModelDoc files can ignore"), "{error}");
}

/// L5: what a list of prefabs names is looked at, too; what is not found here may be there.
#[test]
fn a_list_of_prefabs_names_files() {
    let nodes =
        "\t\t\t{ _class = \"PrefabList\" children = [ { _class = \"Prefab\" target_file = \"a.vmdl_prefab\" } ] },\n";
    let mut file = parse(&modeldoc(nodes));
    assert_eq!(file.external_paths().collect::<Vec<_>>(), ["a.vmdl_prefab"]);
    let error = file.remove("hat").expect_err("it is not here").to_string();
    assert_eq!(error, "no attachment is named \"hat\" in this file, which names others: a.vmdl_prefab");
}
