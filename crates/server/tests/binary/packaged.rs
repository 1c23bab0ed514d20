//! The settings that the package installs.

use crate::harness::{root, run, text};

/// The setting that a line has, or names as an example.
fn setting(line: &str) -> Option<&str> {
    let line = line.strip_prefix("# ").unwrap_or(line);
    let (name, _) = line.split_once(" = ")?;
    name.chars().all(|c| c.is_ascii_lowercase() || c == '_').then_some(line)
}

#[test]
fn the_packages_settings_and_each_of_their_examples_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let packaged = std::fs::read_to_string(root().join("deploy/debian/afterglow.toml")).unwrap();
    let examples: Vec<&str> = packaged.lines().filter_map(setting).collect();
    assert!(examples.len() > 6, "{examples:?}");
    let all = folder.path().join("all.toml");
    std::fs::write(&all, examples.join("\n")).unwrap();
    let printed = run(folder.path(), &["--settings", all.to_str().unwrap(), "config"]);
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    let printed = text(&printed.stdout);
    assert!(printed.contains("now: /var/lib/afterglow\n"), "{printed}");
    for line in packaged.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        assert!(line.starts_with("data_dir = ") || line.starts_with("model_dir = "), "{line}");
    }
}
