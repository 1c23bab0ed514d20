//! Rules on the text of files: length, marks of unfinished work, registry hosts, lints suppressed without a reason.

use super::violation::Violation;
use crate::repository::SourceFile;

/// A source file over this many lines is listed.
pub(crate) const LONG: usize = 400;
/// A source file over this many lines is a violation.
const TOO_LONG: usize = 500;

const SOURCES: [&str; 10] = [".rs", ".ts", ".tsx", ".js", ".mjs", ".css", ".py", ".sql", ".sh", ".html"];

/// In pieces, so that this file does not violate the rule itself.
const UNFINISHED: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// The registry is configured on each machine, never in the repository. In pieces, as above.
const REGISTRIES: [&str; 9] = [
    concat!("crates", ".io"),
    concat!("registry.npm", "js.org"),
    concat!("registry.yarn", "pkg.com"),
    concat!("registry.npm", "mirror.com"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
    concat!("deb.", "debian.org"),
    concat!("security.", "debian.org"),
    concat!("archive.", "ubuntu.com"),
];

pub(crate) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        if file.path == "Cargo.lock" {
            continue;
        }
        if is_source(file) && file.text.lines().count() > TOO_LONG {
            violations.push(Violation::new(&file.path, format!("is longer than {TOO_LONG} lines")));
        }
        for (index, line) in file.text.lines().enumerate() {
            let place = || format!("{}:{}", file.path, index + 1);
            for mark in UNFINISHED.iter().filter(|mark| has_word(line, mark)) {
                violations.push(Violation::new(place(), format!("{mark}: finish it, or write an issue")));
            }
            for host in REGISTRIES.iter().filter(|host| line.contains(*host)) {
                violations.push(Violation::new(place(), format!("names the registry host {host}")));
            }
            if is_lock_file(file) && line.contains("\"resolved\": \"http") {
                violations
                    .push(Violation::new(place(), "names a registry host; npm omits them when asked to"));
            }
        }
        if file.path.ends_with(".rs") {
            violations.extend(suppressed_without_reason(file));
        } else if is_script(file) {
            violations.extend(linter_comments_without_reason(file));
        }
    }
    violations
}

/// The source files over `LONG` lines, generated ones aside.
pub(crate) fn long_files(files: &[SourceFile]) -> Vec<(&str, usize)> {
    let counted = files.iter().filter(|file| is_source(file));
    counted
        .map(|file| (file.path.as_str(), file.text.lines().count()))
        .filter(|(_, lines)| *lines > LONG)
        .collect()
}

fn is_source(file: &SourceFile) -> bool {
    SOURCES.iter().any(|ending| file.path.ends_with(ending)) && !is_generated(file)
}

fn is_script(file: &SourceFile) -> bool {
    [".ts", ".tsx", ".js", ".mjs"].iter().any(|ending| file.path.ends_with(ending)) && !is_generated(file)
}

fn is_generated(file: &SourceFile) -> bool {
    file.text.lines().take(10).any(|line| line.contains("auto-generated") || line.contains("@generated"))
}

fn is_lock_file(file: &SourceFile) -> bool {
    file.path.ends_with("package-lock.json")
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let is_part = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(before) && !is_part(after)
    })
}

/// Lint attributes (`allow`, `expect`) whose parentheses hold no `reason`.
fn suppressed_without_reason(file: &SourceFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for attribute in [concat!("[al", "low("), concat!("[ex", "pect("), concat!(" al", "low(")] {
        for (start, _) in file.text.match_indices(attribute) {
            let line_start = file.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let before = file.text[line_start..start].trim_start();
            let is_attribute = before.starts_with('#') && !before.contains('"');
            let inside = file.text[start + attribute.len()..].split(')').next().unwrap_or_default();
            if is_attribute && !inside.contains("reason") {
                let line = file.text[..start].matches('\n').count() + 1;
                violations.push(Violation::new(
                    format!("{}:{line}", file.path),
                    "a lint is suppressed without a reason",
                ));
            }
        }
    }
    violations
}

/// Linter and compiler comments in scripts: the linter itself expects the reason after two dashes.
fn linter_comments_without_reason(file: &SourceFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let suppressed = line.contains("eslint-disable") && !line.contains(" -- ");
        if suppressed || line.contains("@ts-ignore") || line.contains("@ts-nocheck") {
            violations.push(Violation::new(
                format!("{}:{}", file.path, index + 1),
                "a check is suppressed without a reason",
            ));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(path: &str, text: &str) -> Vec<String> {
        let file = SourceFile { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn other_text_passes() {
        let text = format!(
            "#[{}(dead_code, reason = \"part of the wire format\")]\nfn photo_{}() {{}}\n",
            "allow", "TODOS"
        );
        assert_eq!(texts("crates/app/src/events.rs", &text), Vec::<String>::new());
    }

    #[test]
    fn unfinished_work_is_a_violation() {
        for mark in UNFINISHED {
            let found = texts("web/src/app.ts", &format!("let a = 1;\n// {mark}: later\n"));
            assert_eq!(found.len(), 1, "{mark}");
            assert!(found[0].starts_with("web/src/app.ts:2: "), "{found:?}");
        }
    }

    #[test]
    fn a_registry_host_is_a_violation_but_not_in_the_lock_file() {
        for host in REGISTRIES {
            let text = format!("from https://{host}/simple\n");
            assert_eq!(texts("README.md", &text).len(), 1, "{host}");
            assert_eq!(texts("Cargo.lock", &text).len(), 0, "{host}");
        }
        let mirror = "  \"resolved\": \"https://mirror.example/react.tgz\",\n";
        assert_eq!(texts("web/package-lock.json", mirror).len(), 1);
    }

    #[test]
    fn a_suppressed_lint_needs_a_reason() {
        let bare = format!("mod a;\n#[{}(dead_code)]\nmod b;\n", "allow");
        assert_eq!(
            texts("crates/app/src/lib.rs", &bare),
            ["crates/app/src/lib.rs:2: a lint is suppressed without a reason"]
        );
        let conditional = format!("#![cfg_attr(test, {}(dead_code))]\n", "allow");
        assert_eq!(texts("crates/app/src/lib.rs", &conditional).len(), 1);
        let in_a_string = format!("let text = \"#[{}(dead_code)]\";\n", "allow");
        assert_eq!(texts("crates/app/src/lib.rs", &in_a_string).len(), 0);
    }

    #[test]
    fn a_suppressed_linter_rule_needs_a_reason() {
        assert_eq!(texts("web/src/a.ts", "// eslint-disable-next-line no-console\n").len(), 1);
        assert_eq!(texts("web/src/a.ts", "// eslint-disable-next-line no-console -- a script\n").len(), 0);
        assert_eq!(texts("web/src/a.ts", "// @ts-ignore\n").len(), 1);
    }

    #[test]
    fn length_is_listed_and_then_a_violation() {
        let of = |path: &str, lines: usize, head: &str| SourceFile {
            path: path.to_owned(),
            text: format!("{head}\n{}", "line\n".repeat(lines - 1)),
        };
        let files = [
            of("a.rs", LONG, ""),
            of("b.rs", LONG + 1, ""),
            of("c.rs", TOO_LONG + 1, ""),
            of("d.ts", TOO_LONG + 1, "// This file was auto-generated."),
            of("e.md", TOO_LONG + 1, ""),
        ];
        assert_eq!(long_files(&files), [("b.rs", LONG + 1), ("c.rs", TOO_LONG + 1)]);
        assert_eq!(check(&files), [Violation::new("c.rs", "is longer than 500 lines")]);
    }
}
