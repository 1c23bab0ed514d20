//! Rule 9: the files of a crate do not import each other in a cycle.
//!
//! A file imports from another when it names something that the other declares: in a `use`, in a path in code, or in a
//! macro. A name that comes through a re-export counts for the file that declares it, not for the one that re-exports
//! it. So:
//!
//! - `mod child;` and a re-export (`pub use child::Item;`) are no imports: a parent may list its children and publish
//!   their items.
//! - A parent imports from its child when its own code names an item of the child, re-exported or not.
//! - A child imports from its parent when it names an item that the parent's own file declares.
//!
//! A parent is therefore either above its children, and uses them, or below them, and declares what they share. What
//! both use belongs in a file of its own, which the parent may re-export.
//!
//! Code for tests alone is left out. A method call names no file, because nothing here knows the receiver's type.

mod graph;
mod modules;
mod resolution;
mod tokens;
mod use_trees;

use std::collections::BTreeMap;

use super::violation::Violation;
use crate::repository::{Package, SourceFile};
use graph::{Graph, Place};
use modules::{Import, Mention};
use resolution::Resolver;
use use_trees::Binding;

/// # Errors
/// Names the file that cannot be read as Rust.
pub(crate) fn check(crates: &[Package], files: &[SourceFile]) -> Result<Vec<Violation>, String> {
    let sources: BTreeMap<&str, &str> =
        files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let mut violations = Vec::new();
    for package in crates {
        for target in &package.targets {
            violations.extend(cycles_of(&target.src_path.to_string_lossy(), &sources)?);
        }
    }
    Ok(violations)
}

fn cycles_of(root: &str, sources: &BTreeMap<&str, &str>) -> Result<Vec<Violation>, String> {
    let modules = modules::read(root, sources)?;
    let resolver = Resolver::new(&modules);
    let mut graph = Graph::default();
    for (id, module) in modules.iter().enumerate() {
        for Import { leaf, .. } in module.imports.iter().filter(|import| !import.is_public) {
            let (declaring, suffix) = match leaf.binding {
                Binding::Name(_) => (resolver.declaring_file(id, &leaf.path), ""),
                Binding::Glob => (resolver.glob_file(id, &leaf.path), "::*"),
            };
            if let Some(declaring) = declaring {
                let place = Place { line: leaf.line, path: leaf.path.join("::") + suffix };
                graph.add(&module.file, declaring, place);
            }
        }
        for Mention { path, line } in &module.mentions {
            if let Some(declaring) = resolver.declaring_file(id, path) {
                graph.add(&module.file, declaring, Place { line: *line, path: path.join("::") });
            }
        }
    }
    Ok(graph.cycles().iter().map(|cycle| violation(cycle)).collect())
}

/// The cycle as a path, with the place of each import.
fn violation(cycle: &[(&str, &Place)]) -> Violation {
    let mut text = "import cycle".to_owned();
    for (index, (file, place)) in cycle.iter().enumerate() {
        let arrow = if index == 0 { String::new() } else { format!(" -> {file}:{}", place.line) };
        text += &format!("{arrow}: {}", place.path);
    }
    let (first, place) = cycle[0];
    Violation::new(format!("{first}:{}", place.line), format!("{text} -> {first}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::{file, package, target};

    /// The violations of a crate `app` with these files below its `src`.
    fn violations(files: &[(&str, &str)]) -> Vec<String> {
        let mut app = package("app", &[]);
        app.targets = vec![target("crates/app/src/lib.rs")];
        let files: Vec<SourceFile> =
            files.iter().map(|(path, text)| file(&format!("crates/app/src/{path}"), text)).collect();
        let found = check(&[app], &files).unwrap();
        found.iter().map(|violation| violation.to_string().replace("crates/app/src/", "")).collect()
    }

    #[test]
    fn a_cycle_is_a_path_with_the_place_of_each_import() {
        let files = [
            ("lib.rs", "pub mod accounts;\npub mod jobs;\nmod mails;\n"),
            ("accounts.rs", "use crate::jobs;\n\nfn register() { jobs::enqueue() }\n"),
            ("jobs.rs", "use crate::mails::{\n    self, send,\n};\npub fn enqueue() {}\n"),
            ("mails.rs", "pub fn send() { crate::accounts::find() }\n"),
        ];
        assert_eq!(
            violations(&files),
            [
                "accounts.rs:3: import cycle: jobs::enqueue -> jobs.rs:2: crate::mails::send -> mails.rs:1: crate::accounts::find -> accounts.rs"
            ]
        );
    }

    #[test]
    fn a_parent_may_publish_the_items_of_its_children() {
        let files = [
            ("lib.rs", "mod engines;\npub use engines::{Engine, fake::Fake};\nconst LIMIT: u8 = 1;\n"),
            ("engines.rs", "pub mod fake;\nuse crate::LIMIT;\npub struct Engine;\n"),
            ("engines/fake.rs", "use super::Engine;\npub struct Fake(Engine);\n"),
        ];
        assert_eq!(violations(&files), Vec::<String>::new());
    }

    #[test]
    fn a_parent_that_uses_its_child_is_above_it() {
        let child = ("stores/disk.rs", "use super::Error;\npub struct Disk;\n");
        let lib = ("lib.rs", "mod stores;\n");
        let uses = [
            "use disk::Disk;\npub struct Error;\n",
            "pub struct Error;\npub enum Store { Disk(disk::Disk) }\n",
            "pub use disk::Disk;\npub struct Error;\npub enum Store { Local(Disk) }\n",
            "use disk::*;\npub struct Error;\n",
        ];
        for code in uses {
            let parent = format!("mod disk;\n{code}");
            let found = violations(&[lib, child, ("stores.rs", &parent)]);
            assert_eq!(found.len(), 1, "{code}");
            assert!(found[0].ends_with(" -> stores/disk.rs:1: super::Error -> stores.rs"), "{found:?}");
        }
        let moved = [
            lib,
            child,
            (
                "stores.rs",
                "mod disk;\nmod error;\npub use error::Error;\npub enum Store { Disk(disk::Disk) }\n",
            ),
            ("stores/error.rs", "pub struct Error;\n"),
        ];
        assert_eq!(violations(&moved), Vec::<String>::new());
    }

    #[test]
    fn a_re_export_leads_to_the_file_that_declares() {
        let lib = "mod failure;\nmod jobs;\nmod types;\npub use types::*;\npub use self::failure::Failure as Error;\n";
        let files = [
            ("lib.rs", lib),
            ("failure.rs", "use crate::Job;\npub enum Failure { Of(Job) }\n"),
            ("types.rs", "ids!(Job);\n"),
            ("jobs.rs", "use crate::{Error, Job};\n"),
        ];
        assert_eq!(violations(&files), Vec::<String>::new());
        let mut cyclic = files;
        cyclic[2].1 = "use crate::Error;\nids!(Job);\n";
        assert_eq!(
            violations(&cyclic),
            ["failure.rs:1: import cycle: crate::Job -> types.rs:1: crate::Error -> failure.rs"]
        );
    }

    #[test]
    fn macros_and_modules_within_a_file() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "pub mod inner { pub fn f() {} }\nmacro_rules! call { () => { $crate::b::g() } }\n"),
            ("b.rs", "pub fn g() { let _ = format!(\"{}\", crate::a::inner::f()); }\n"),
        ];
        assert_eq!(
            violations(&files),
            ["a.rs:2: import cycle: crate::b::g -> b.rs:1: crate::a::inner::f -> a.rs"]
        );
    }
}
