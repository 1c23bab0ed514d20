//! What the binary says of itself: completions, the manual, and the page of the settings.

use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;

use crate::harness::{root, run, text};

/// The commands of `afterglow --help`.
fn verbs(folder: &Path, command: &[&str]) -> Vec<String> {
    let help = text(&run(folder, &[command, &["--help"]].concat()).stdout);
    let block = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let lines = block.lines().take_while(|line| !line.is_empty());
    let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    words
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|verb| verb != "help")
        .collect()
}

#[test]
fn bash_completes_commands_their_options_and_the_settings_of_serve() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path(), &["completions", "bash"]);
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    assert!(
        printed.stdout.len() < 200_000,
        "{} bytes: not the settings for each command",
        printed.stdout.len()
    );
    let script = folder.path().join("afterglow.bash");
    std::fs::write(&script, &printed.stdout).unwrap();
    let completed = |words: &[&str]| {
        let (last, before) = (words.last().unwrap(), words.len() - 1);
        let previous = words[before - 1];
        let line = format!(
            "source {}; COMP_WORDS=({}); COMP_CWORD={before}; _afterglow afterglow '{last}' {previous}; echo ${{COMPREPLY[@]}}",
            script.display(),
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    for verb in verbs(folder.path(), &[]) {
        assert!(completed(&["afterglow", &verb]).contains(&verb), "{verb}");
    }
    assert_eq!(completed(&["afterglow", "user", "pass"]), ["password"]);
    assert_eq!(completed(&["afterglow", "restore", "--rep"]), ["--replace"]);
    assert_eq!(completed(&["afterglow", "serve", "--public"]), ["--public-url"]);
}

#[test]
fn zsh_and_fish_get_a_script_with_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for (shell, beginning) in [("zsh", "#compdef afterglow"), ("fish", "#")] {
        let printed = run(folder.path(), &["completions", shell]);
        let script = text(&printed.stdout);
        assert!(printed.status.success() && script.starts_with(beginning), "{shell}: {script:.80}");
        for verb in verbs(folder.path(), &[]) {
            assert!(script.contains(&verb), "{shell}: {verb}");
        }
    }
    assert_eq!(run(folder.path(), &["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn every_command_has_its_page_of_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    let written = run(folder.path(), &["manual", pages.to_str().unwrap()]);
    assert!(written.status.success(), "{}", text(&written.stderr));
    let page = |name: &str| std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    let first = page("afterglow");
    for words in [
        r"\fB\-\-retention\-days\fR",
        "Sender of mails\n",
        "/etc/afterglow/afterglow.toml",
        ".SH \"EXIT STATUS\"",
    ] {
        assert!(first.contains(words), "{words} is not in\n{first}");
    }
    let mut expected = 1;
    for verb in verbs(folder.path(), &[]) {
        assert!(first.contains(&format!("afterglow\\-{}(1)", verb.replace('-', "\\-"))), "{verb}");
        let own = page(&format!("afterglow-{verb}"));
        assert!(!own.contains("retention"), "the settings stand in one page: {verb}");
        let below = verbs(folder.path(), &[&verb]);
        below.iter().for_each(|name| assert!(page(&format!("afterglow-{verb}-{name}")).contains(".SH NAME")));
        expected += 1 + below.len();
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), expected);
    let backup = page("afterglow-backup");
    assert!(backup.contains("\\fBafterglow backup\\fR [") && backup.contains("\\-\\-keep"), "{backup}");
}

#[test]
fn the_page_of_the_settings_has_what_the_binary_knows() {
    let folder = tempfile::tempdir().unwrap();
    let tables = text(&run(folder.path(), &["config", "--markdown"]).stdout);
    let path = root().join("docs/configuration.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (first, last) =
        ("<!-- what follows is `afterglow config --markdown` -->\n", "\n<!-- up to here -->\n");
    let (before, rest) = page.split_once(first).unwrap();
    let (_, after) = rest.split_once(last).unwrap();
    let current = format!("{before}{first}{tables}{last}{after}");
    if std::env::var_os("CONFIGURATION").is_some_and(|mode| mode == "write") {
        std::fs::write(&path, &current).unwrap();
    } else {
        assert!(
            page == current,
            "CONFIGURATION=write cargo test --workspace --test binary settings writes it anew"
        );
    }
}

#[test]
fn root_is_told_that_a_data_folder_is_another_users() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    assert!(run(folder.path(), &["migrate"]).status.success());
    let said = || text(&run(folder.path(), &["user", "list"]).stderr);
    assert_eq!(said(), "");
    if chown(&data, Some(12_345), None).is_err() {
        return; // Only root is told.
    }
    let warning = said();
    assert!(
        warning.contains("sudo -u '#12345' afterglow …, and give files back with chown -R 12345: "),
        "{warning}"
    );
    assert_eq!(warning.lines().count(), 1, "{warning}");
}
