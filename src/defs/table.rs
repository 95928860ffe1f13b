//! Reading the comma-separated tables that are compiled into the crate.

/// The rows of `csv` below its header, each split into fields. Quoted fields may hold commas.
pub(super) fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().skip(1).filter(|line| !line.is_empty()).map(fields)
}

fn fields(line: &'static str) -> Vec<&'static str> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
            Some((field, after)) => (field, after.strip_prefix(',')),
            None => match rest.split_once(',') {
                Some((field, after)) => (field, Some(after)),
                None => (rest, None),
            },
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return fields,
        }
    }
}
