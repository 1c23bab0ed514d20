//! Where tests cite requirements: ids in square brackets, as in `[EVT001]` or `[EVT001, EVT002]`.
//!
//! Only test code is looked at: Rust under a `tests` folder, in a file `tests.rs`, or from a file's first
//! `#[cfg(test)]` to its end; `*.test.ts`, `*.test.tsx` and everything under `web/e2e`; Python files named `test_*.py`.
//! This crate is excluded: its tests cite made-up ids.
//!
//! Within it a citation counts in a test's name or in its first comment, so that whoever reads the head of a test
//! knows all that it promises (`placement.rs`). Anywhere else it is misplaced and covers nothing.

use std::collections::BTreeMap;

use super::list::is_id;
use super::placement;
use crate::repository::SourceFile;

/// Maps an id to the places that cite it, as `path:line`.
pub(crate) type Citations = BTreeMap<String, Vec<String>>;

#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In a test's name or first comment.
    pub(crate) placed: Citations,
    /// Anywhere else in test code.
    pub(crate) misplaced: Citations,
}

pub(crate) fn find(files: &[SourceFile]) -> Found {
    let mut found = Found::default();
    for file in files {
        let Some(first) = first_test_line(file) else { continue };
        let lines: Vec<&str> = file.text.lines().collect();
        for (index, line) in lines.iter().enumerate().skip(first) {
            for (column, id) in cited(line) {
                let counts = placement::counts(&file.path, &lines, index, column);
                let citations = if counts { &mut found.placed } else { &mut found.misplaced };
                let place = format!("{}:{}", file.path, index + 1);
                citations.entry(id.to_owned()).or_default().push(place);
            }
        }
    }
    found
}

/// The index of the first line of a file that is test code.
fn first_test_line(file: &SourceFile) -> Option<usize> {
    let path = file.path.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    if path.starts_with("crates/xtask/src/requirements") {
        None
    } else if name.ends_with(".rs") {
        if path.contains("/tests/") || name == "tests.rs" {
            return Some(0);
        }
        file.text.lines().position(|line| line.trim_start().starts_with("#[cfg(test)]"))
    } else if name.ends_with(".ts") || name.ends_with(".tsx") {
        let is_test = name.contains(".test.") || path.starts_with("web/e2e/");
        (path.starts_with("web/") && is_test).then_some(0)
    } else {
        (name.starts_with("test_") && name.ends_with(".py")).then_some(0)
    }
}

/// The ids that a line cites, each with the column of its bracket.
fn cited(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices('[')
        .filter_map(|(column, _)| {
            let (inside, _) = line[column + 1..].split_once(']')?;
            inside.split(',').all(|id| is_id(id.trim())).then_some((column, inside))
        })
        .flat_map(|(column, inside)| inside.split(',').map(move |id| (column, id.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::file;

    #[test]
    fn one_pair_of_brackets_cites_one_or_more_ids() {
        let line = "// [EVT001] [EVT002, UPL003] and not [EVT0O4], EVT005, [see EVT006] nor [lines 12]";
        assert_eq!(cited(line).map(|(_, id)| id).collect::<Vec<_>>(), ["EVT001", "EVT002", "UPL003"]);
    }

    #[test]
    fn only_test_code_counts() {
        let test = |id: u8| format!("// [EVT00{id}]\n#[test]\nfn it() {{}}\n");
        let source = format!("// [EVT001]\n#[cfg(test)]\nmod tests {{\n{}}}\n", test(2));
        let found = find(&[
            file("crates/app/src/events.rs", &source),
            file("crates/app/src/photos.rs", &test(3)),
            file("crates/app/tests/events.rs", &test(2)),
            file("crates/app/src/events/tests.rs", &test(4)),
            file("web/src/studio/events/list.tsx", "// [EVT005]\n"),
            file("web/src/studio/events/list.test.tsx", "it('[EVT006] lists', () => {})\n"),
            file("web/e2e/day.ts", "test('[EVT007]', () => {})\n"),
            file("tools/models/test_build.py", "# [EVT008]\ndef test_it(self):\n    pass\n"),
            file("tools/models/build.py", "# [EVT009]\ndef test_it(self):\n    pass\n"),
            file("docs/requirements.md", "[EVT010]\n"),
        ]);
        let ids: Vec<&str> = found.placed.keys().map(String::as_str).collect();
        assert_eq!(ids, ["EVT002", "EVT004", "EVT006", "EVT007", "EVT008"]);
        assert_eq!(found.placed["EVT002"], ["crates/app/src/events.rs:4", "crates/app/tests/events.rs:1"]);
        assert!(found.misplaced.is_empty(), "{:?}", found.misplaced);
    }

    #[test]
    fn what_is_misplaced_covers_nothing() {
        let text = "// [EVT001]\nfn helper() {}\n\n#[test]\nfn it() {\n    // [EVT002]\n    helper();\n    // [EVT001]\n}\n";
        let found = find(&[file("crates/app/tests/events.rs", text)]);
        assert_eq!(found.placed.keys().collect::<Vec<_>>(), ["EVT002"]);
        assert_eq!(
            found.misplaced["EVT001"],
            ["crates/app/tests/events.rs:1", "crates/app/tests/events.rs:8"]
        );
    }
}
