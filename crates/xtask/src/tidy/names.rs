//! Names of files, folders and modules that do not say what is inside.

use super::violation::Violation;
use crate::repository::SourceFile;

const VAGUE_NAMES: [&str; 10] =
    ["util", "utils", "common", "helper", "helpers", "manager", "managers", "misc", "service", "services"];

const SOURCES: [&str; 5] = [".rs", ".ts", ".tsx", ".css", ".py"];

pub(crate) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| SOURCES.iter().any(|ending| file.path.ends_with(ending))) {
        if let Some(name) = file.path.split('/').find_map(|part| vague_name(stem(part))) {
            violations.push(Violation::new(&file.path, format!("'{name}' does not say what is inside")));
        }
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = declared_module(line).and_then(vague_name) {
                let place = format!("{}:{}", file.path, index + 1);
                violations
                    .push(Violation::new(place, format!("module '{name}' does not say what is inside")));
            }
        }
    }
    violations
}

fn stem(part: &str) -> &str {
    part.split_once('.').map_or(part, |(stem, _)| stem)
}

fn vague_name(name: &str) -> Option<&'static str> {
    VAGUE_NAMES.into_iter().find(|vague| vague.eq_ignore_ascii_case(name))
}

fn declared_module(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().filter(|word| !word.starts_with("pub"));
    (words.next() == Some("mod"))
        .then(|| words.next())
        .flatten()
        .map(|name| name.trim_end_matches([';', '{']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::file;

    #[test]
    fn a_name_that_says_what_is_inside_passes() {
        let files = [
            file("crates/app/src/events.rs", "pub mod manager_notes;\nlet mod_service = 1;\n"),
            file("web/src/site/TermsOfService.tsx", ""),
            file("docs/common/page.md", ""),
        ];
        assert_eq!(check(&files), []);
    }

    #[test]
    fn a_vague_name_of_a_file_or_folder_is_a_violation() {
        for path in ["crates/app/src/utils.rs", "crates/app/tests/common/mod.rs", "web/src/Helpers.test.tsx"]
        {
            assert_eq!(check(&[file(path, "")]).len(), 1, "{path}");
        }
    }

    #[test]
    fn a_vague_name_of_a_module_is_a_violation() {
        for line in ["mod utils {", "pub(crate) mod service;", "    pub mod helpers;"] {
            let violations = check(&[file("crates/app/src/lib.rs", &format!("\n{line}\n"))]);
            assert_eq!(violations[0].place, "crates/app/src/lib.rs:2", "{line}");
        }
    }
}
