//! Documents name files, functions and documents that exist: what a page says about a test that is gone is worth nothing.

use std::collections::BTreeMap;

use super::violation::Violation;
use crate::repository::SourceFile;

/// The pages that speak of the code as it is. Decisions speak of the code as it was.
const PAGES: [&str; 21] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "UPGRADING.md",
    "docs/backup.md",
    "docs/configuration.md",
    "docs/deletion.md",
    "docs/doctor.md",
    "docs/durability.md",
    "docs/faces.md",
    "docs/first-event.md",
    "docs/install.md",
    "docs/monitoring.md",
    "docs/moving.md",
    "docs/phones.md",
    "docs/privacy.md",
    "docs/reverse-proxy.md",
    "docs/scaling.md",
    "docs/security.md",
    "docs/troubleshooting.md",
];

/// Endings of the files that pages name in code spans; others may be files of an installation.
const CODE: [&str; 3] = [".rs", ".ts", ".tsx"];

/// Folders that pages call by a short name.
const SHORT: [(&str, &str); 2] =
    [("contract/", "crates/api/tests/contract/"), ("binary/", "crates/server/tests/binary/")];

pub(crate) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let texts: BTreeMap<&str, &str> =
        files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let mut violations = Vec::new();
    for page in files.iter().filter(|file| PAGES.contains(&file.path.as_str())) {
        for (index, line) in page.text.lines().enumerate() {
            let references = spans(line).filter_map(|span| missing_code(span, &texts));
            let links = links(line).filter_map(|link| missing_page(link, &page.path, &texts));
            for text in references.chain(links) {
                violations.push(Violation::new(format!("{}:{}", page.path, index + 1), text));
            }
        }
    }
    violations
}

/// The code spans of a line.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of the links of a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// What is missing of `path/to/file.rs` or `path/to/file.rs::name`; none for what is not of this form.
fn missing_code(span: &str, texts: &BTreeMap<&str, &str>) -> Option<String> {
    let (path, name) = span.split_once("::").map_or((span, None), |(path, name)| (path, Some(name)));
    let is_path = CODE.iter().any(|ending| path.ends_with(ending))
        && path.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    if !is_path {
        return None;
    }
    let Some(text) = find(path, texts) else { return Some(format!("there is no file {path}")) };
    let name = name.filter(|name| !declares(text, name))?;
    Some(format!("{path} has no function {name}"))
}

fn find<'a>(path: &str, texts: &BTreeMap<&str, &'a str>) -> Option<&'a str> {
    let in_sources = path
        .split_once('/')
        .map(|(package, rest)| format!("crates/{package}/src/{rest}"))
        .unwrap_or_default();
    let short = SHORT.iter().find_map(|(short, long)| Some(format!("{long}{}", path.strip_prefix(short)?)));
    let places = [
        path.to_owned(),
        format!("crates/{path}"),
        in_sources,
        format!("web/src/{path}"),
        short.unwrap_or_default(),
    ];
    let bare = || {
        let ending = format!("/{path}");
        let mut found = texts.iter().filter(|(there, _)| !path.contains('/') && there.ends_with(&ending));
        found.next().map(|(_, text)| *text)
    };
    places.iter().find_map(|place| texts.get(place.as_str()).copied()).or_else(bare)
}

fn declares(text: &str, name: &str) -> bool {
    text.match_indices(&format!("fn {name}"))
        .any(|(start, found)| text[start + found.len()..].starts_with(['(', '<']))
}

/// What is missing of a link to a page of the repository.
fn missing_page(link: &str, from: &str, texts: &BTreeMap<&str, &str>) -> Option<String> {
    let target = link.split('#').next().unwrap_or_default();
    if !target.ends_with(".md") || target.contains("://") {
        return None;
    }
    let mut place: Vec<&str> = from.split('/').collect();
    place.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => {
                place.pop();
            }
            part => place.push(part),
        }
    }
    (!texts.contains_key(place.join("/").as_str())).then(|| format!("there is no page {target}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::file;

    fn texts(line: &str) -> Vec<String> {
        let files = [
            file("docs/security.md", line),
            file("docs/privacy.md", ""),
            file("README.md", ""),
            file("crates/app/src/limits.rs", "pub fn check<T>(app: &App) {}\nfn check_account() {}\n"),
            file("crates/api/tests/contract/limits.rs", "async fn the_6th_mail_waits() {}\n"),
            file("web/src/platform/storage/storage.ts", ""),
        ];
        check(&files).into_iter().map(|violation| violation.text).collect()
    }

    #[test]
    fn what_is_there_passes() {
        for line in [
            "| met | `app/src/limits.rs`, `app/limits.rs::check`, `contract/limits.rs::the_6th_mail_waits` |",
            "`limits.rs` `platform/storage/storage.ts` [privacy](privacy.md#top) [home](../README.md)",
            "`afterglow.toml`, `models/LICENSES.md`, `JobKind::queue`, `a b.rs`, [web](https://example.com/a.md)",
        ] {
            assert_eq!(texts(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn a_dead_reference_is_found() {
        for (line, text) in [
            ("`app/src/gone.rs`", "there is no file app/src/gone.rs"),
            ("`gone.tsx`", "there is no file gone.tsx"),
            ("`contract/limits.rs::the_6th_mail`", "contract/limits.rs has no function the_6th_mail"),
            ("`app/limits.rs::gone`", "app/limits.rs has no function gone"),
            ("[gone](gone.md)", "there is no page gone.md"),
            ("[gone](../docs/../SECURITY.md)", "there is no page ../docs/../SECURITY.md"),
        ] {
            assert_eq!(texts(line), [text], "{line}");
        }
    }
}
