//! Where tests cite requirements: ids in square brackets, as in `[EVT001]` or `[EVT001, EVT002]`.
//!
//! Only test code counts: Rust under a `tests` folder, in a file `tests.rs`, or from a file's first
//! `#[cfg(test)]` to its end; `*.test.ts`, `*.test.tsx` and everything under `web/e2e`; Python files named `test_*.py`.
//! This crate is excluded: its tests cite made-up ids.

use std::collections::BTreeMap;

use super::list::is_id;
use crate::repository::SourceFile;

/// Maps an id to the places that cite it, as `path:line`.
pub(crate) type Citations = BTreeMap<String, Vec<String>>;

pub(crate) fn find(files: &[SourceFile]) -> Citations {
    let mut citations = Citations::new();
    for file in files {
        for (number, line) in test_lines(file) {
            for id in cited(line) {
                citations.entry(id.to_owned()).or_default().push(format!("{}:{number}", file.path));
            }
        }
    }
    citations
}

/// The lines of a file that are test code, with their numbers from 1.
fn test_lines(file: &SourceFile) -> impl Iterator<Item = (usize, &str)> {
    let first = first_test_line(file);
    let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.skip_while(move |(number, _)| first.is_none_or(|first| *number < first))
}

fn first_test_line(file: &SourceFile) -> Option<usize> {
    let path = file.path.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    if path.starts_with("crates/xtask/src/requirements") {
        None
    } else if name.ends_with(".rs") {
        if path.contains("/tests/") || name == "tests.rs" {
            return Some(1);
        }
        let marked = file.text.lines().position(|line| line.trim_start().starts_with("#[cfg(test)]"));
        marked.map(|index| index + 1)
    } else if name.ends_with(".ts") || name.ends_with(".tsx") {
        let is_test = name.contains(".test.") || path.starts_with("web/e2e/");
        (path.starts_with("web/") && is_test).then_some(1)
    } else {
        (name.starts_with("test_") && name.ends_with(".py")).then_some(1)
    }
}

fn cited(line: &str) -> impl Iterator<Item = &str> {
    let brackets = line.split('[').skip(1).filter_map(|rest| rest.split_once(']').map(|(inside, _)| inside));
    brackets
        .filter(|inside| inside.split(',').all(|id| is_id(id.trim())))
        .flat_map(|inside| inside.split(',').map(str::trim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::file;

    #[test]
    fn one_pair_of_brackets_cites_one_or_more_ids() {
        let line = "// [EVT001] [EVT002, UPL003] and not [EVT0O4], EVT005, [see EVT006] nor [lines 12]";
        assert_eq!(cited(line).collect::<Vec<_>>(), ["EVT001", "EVT002", "UPL003"]);
    }

    #[test]
    fn only_test_code_counts() {
        let source = "// [EVT001]\n#[cfg(test)]\nmod tests {\n    // [EVT002]\n}\n";
        let found = find(&[
            file("crates/app/src/events.rs", source),
            file("crates/app/src/photos.rs", "// [EVT003]\n"),
            file("crates/app/tests/events.rs", "// [EVT002]\n"),
            file("crates/app/src/events/tests.rs", "// [EVT004]\n"),
            file("web/src/features/events/list.tsx", "// [EVT005]\n"),
            file("web/src/features/events/list.test.tsx", "it('[EVT006] lists', () => {})\n"),
            file("web/e2e/day.ts", "// [EVT007]\n"),
            file("tools/models/test_build.py", "# [EVT008]\n"),
            file("tools/models/build.py", "# [EVT009]\n"),
            file("docs/requirements.md", "[EVT010]\n"),
        ]);
        let ids: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(ids, ["EVT002", "EVT004", "EVT006", "EVT007", "EVT008"]);
        assert_eq!(found["EVT002"], ["crates/app/src/events.rs:4", "crates/app/tests/events.rs:1"]);
    }
}
