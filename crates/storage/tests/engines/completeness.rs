//! Every public function is called by one of these tests, which run on both engines.

use std::path::Path;

/// Sources with the names of their module and of those around it, which may export its functions as theirs.
fn sources(folder: &Path, around: &[String], found: &mut Vec<(Vec<String>, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let modules = [around, &[name]].concat();
        if path.is_dir() {
            sources(&path, &modules, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push((modules, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Names after `pub fn` and `pub async fn`, at the beginning of a line but for its indentation.
fn public_functions(source: &str) -> Vec<(&str, bool)> {
    source
        .lines()
        .filter_map(|line| {
            let rest = line.trim_start().strip_prefix("pub ")?;
            let rest = rest.strip_prefix("async ").or_else(|| rest.strip_prefix("const ")).unwrap_or(rest);
            let name = rest.strip_prefix("fn ")?.split(['(', '<']).next()?;
            Some((name, line.starts_with(' ')))
        })
        .collect()
}

#[test]
fn every_public_function_is_called_on_both_engines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut written, mut tested) = (Vec::new(), Vec::new());
    sources(&root.join("src"), &[], &mut written);
    sources(&root.join("tests"), &[], &mut tested);
    let tests: String = tested.iter().map(|(_, text)| text.as_str()).collect();

    let mut functions = 0;
    // Test support is exempt.
    for (modules, source) in written.iter().filter(|(modules, _)| modules[0] != "testing") {
        for (name, is_method) in public_functions(source) {
            let calls = match name {
                "connect" => vec![String::from("Db::connect(")],
                _ if is_method => vec![format!(".{name}(")],
                _ => modules.iter().map(|module| format!("{module}::{name}(")).collect(),
            };
            assert!(calls.iter().any(|call| tests.contains(call)), "no test has one of {calls:?}");
            functions += 1;
        }
    }
    assert!(functions > 60, "the sources are read wrongly: only {functions} functions were found");
}
