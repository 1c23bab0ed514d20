//! Parses the summary that each test runner prints.

use std::ops::AddAssign;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    /// Those of the passed tests that failed at first and passed when they were repeated.
    pub(crate) flaky: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.flaky += other.flaky;
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Summary {
    Libtest,
    Vitest,
    Playwright,
    Unittest,
}

impl Summary {
    /// The counts in the output; `None` if it has no summary.
    pub(crate) fn parse(self, output: &str) -> Option<Counts> {
        let plain = without_escapes(output);
        match self {
            Self::Libtest => libtest(&plain),
            Self::Vitest => vitest(&plain),
            Self::Playwright => playwright(&plain),
            Self::Unittest => unittest(&plain),
        }
    }

    /// The failed tests that the output names.
    pub(crate) fn failed_titles(self, output: &str) -> Vec<String> {
        let plain = without_escapes(output);
        match self {
            Self::Libtest => libtest_failures(&plain),
            Self::Playwright => listed_titles(&plain, "failed"),
            Self::Vitest => prefixed_titles(&plain, &[" FAIL  "]),
            Self::Unittest => prefixed_titles(&plain, &["FAIL: ", "ERROR: "]),
        }
    }

    /// The tests that failed at first and passed when they were repeated.
    pub(crate) fn flaky_titles(self, output: &str) -> Vec<String> {
        match self {
            Self::Playwright => listed_titles(&without_escapes(output), "flaky"),
            Self::Libtest | Self::Vitest | Self::Unittest => Vec::new(),
        }
    }
}

/// `test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s`, once per binary.
/// A binary that crashed prints none; then Cargo's exit status reports it.
fn libtest(output: &str) -> Option<Counts> {
    let mut total = None;
    for line in output.lines().filter_map(|line| line.strip_prefix("test result: ")) {
        let counts = total.get_or_insert(Counts::default());
        for (number, words) in numbered(line.split_once(". ")?.1, ';') {
            match words {
                "passed" => counts.passed += number,
                "failed" => counts.failed += number,
                "ignored" => counts.skipped += number,
                _ => {}
            }
        }
    }
    total
}

/// How Cargo begins the line that names a test binary.
pub(crate) const RUNNING: &str = "     Running ";

/// A test binary and how long it ran.
#[derive(Debug, PartialEq)]
pub(crate) struct Binary {
    /// Of its file: the package's for unit tests.
    pub(crate) name: String,
    pub(crate) seconds: f64,
}

/// The test binaries of `cargo test`, from `     Running tests/contract/main.rs (target/debug/deps/contract-d886)` and the line
/// `test result: …; finished in 0.01s` that follows.
pub(crate) fn binaries(output: &str) -> Vec<Binary> {
    let mut binaries = Vec::new();
    let mut running = None;
    for line in output.lines() {
        if let Some(binary) = line.strip_prefix(RUNNING) {
            let file = binary.rsplit('/').next().and_then(|file| file.rsplit_once('-'));
            running = file.map(|(name, _)| name.to_owned());
        } else if let Some((_, rest)) =
            line.strip_prefix("test result: ").and_then(|rest| rest.split_once("finished in "))
            && let (Some(name), Some(Ok(seconds))) = (running.take(), rest.strip_suffix('s').map(str::parse))
        {
            binaries.push(Binary { name, seconds });
        }
    }
    binaries
}

/// `Tests  1 failed | 40 passed | 2 skipped (43)`; a file that failed to load counts under `Test Files` only;
/// then the runner's exit status reports it.
fn vitest(output: &str) -> Option<Counts> {
    let line = output.lines().rfind(|line| line.trim_start().starts_with("Tests  "))?;
    let parts = line.trim_start().strip_prefix("Tests")?.split('(').next()?;
    let mut counts = Counts::default();
    for (number, words) in numbered(parts, '|') {
        match words {
            "passed" => counts.passed = number,
            "failed" => counts.failed = number,
            "skipped" | "todo" => counts.skipped += number,
            _ => return None,
        }
    }
    Some(counts)
}

/// One line each: `2 failed`, `1 flaky`, `1 interrupted`, `3 did not run`, `1 skipped`, `10 passed (5.0s)`. The passed ones
/// do not include the flaky ones there.
fn playwright(output: &str) -> Option<Counts> {
    let mut counts = None;
    for line in output.lines() {
        let line = line.trim();
        let words = line.split('(').next().unwrap_or_default().trim();
        let Some((number, words)) = numbered(words, '\n').next() else { continue };
        let field = match words {
            "passed" => |counts: &mut Counts, number| counts.passed += number,
            "skipped" => |counts: &mut Counts, number| counts.skipped = number,
            "flaky" => |counts: &mut Counts, number| {
                counts.passed += number;
                counts.flaky = number;
            },
            "failed" | "interrupted" | "did not run" => |counts: &mut Counts, number| counts.failed += number,
            _ => continue,
        };
        field(counts.get_or_insert_default(), number);
    }
    counts
}

/// The titles that Playwright lists under a count, such as `1 flaky`.
fn listed_titles(plain: &str, words: &str) -> Vec<String> {
    let mut lines = plain.lines().skip_while(|line| {
        numbered(line, '\n').next().is_none_or(|(_, found)| found != words || line.starts_with("    "))
    });
    let titles = lines.by_ref().skip(1).map_while(|line| line.strip_prefix("    "));
    titles.map(|title| title.trim_end_matches(['─', ' ']).to_owned()).collect()
}

/// What follows one of the prefixes, each once.
fn prefixed_titles(plain: &str, prefixes: &[&str]) -> Vec<String> {
    let titles =
        plain.lines().filter_map(|line| prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)));
    let mut found = Vec::new();
    for title in titles.map(|title| title.trim_end().to_owned()) {
        if !found.contains(&title) {
            found.push(title);
        }
    }
    found
}

/// `test a::b ... FAILED`, which a test's own output may come into; so the list before the verdict: `failures:`, then a name a line.
fn libtest_failures(plain: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut listed = Vec::new();
    for line in plain.lines() {
        if line == "failures:" {
            listed.clear();
        } else if let Some(name) = line.strip_prefix("    ").filter(|name| !name.starts_with(' ')) {
            listed.push(name.to_owned());
        } else if line.starts_with("test result: ") {
            titles.append(&mut listed);
        } else if !line.is_empty() {
            listed.clear();
        }
    }
    titles
}

/// `Ran 12 tests in 0.3s`, then `OK (skipped=1)` or `FAILED (failures=1, errors=2)`.
fn unittest(output: &str) -> Option<Counts> {
    let mut lines = output.lines().rev();
    let verdict = lines.find(|line| {
        line.starts_with("OK") || line.starts_with("FAILED") || line.starts_with("NO TESTS RAN")
    })?;
    let ran = lines.find_map(|line| line.strip_prefix("Ran "))?.split(' ').next()?.parse::<usize>().ok()?;
    let details = verdict.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let mut counts = Counts::default();
    for detail in details.split(", ").filter_map(|detail| detail.split_once('=')) {
        let number: usize = detail.1.parse().ok()?;
        match detail.0 {
            "failures" | "errors" | "unexpected successes" => counts.failed += number,
            "skipped" => counts.skipped += number,
            _ => {}
        }
    }
    counts.passed = ran.saturating_sub(counts.failed + counts.skipped);
    Some(counts)
}

/// The elements of a list that start with a number, as the number and the words after it.
fn numbered(list: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    list.split(separator).filter_map(|part| {
        let (number, words) = part.trim().split_once(' ')?;
        Some((number.parse().ok()?, words))
    })
}

/// The text without ANSI escape sequences.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize, skipped: usize) -> Option<Counts> {
        Some(Counts { passed, failed, skipped, flaky: 0 })
    }

    #[test]
    fn each_binary_has_its_seconds() {
        let output = "     Running unittests src/lib.rs (target/debug/deps/app-4c9b)\n\nrunning 2 tests\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.25s\n\
            \x20    Running tests/contract/main.rs (target/debug/deps/contract-d886)\n\
            test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 27.63s\n";
        let found: Vec<_> =
            binaries(output).into_iter().map(|binary| (binary.name, binary.seconds)).collect();
        assert_eq!(found, [(String::from("app"), 0.25), (String::from("contract"), 27.63)]);
    }

    #[test]
    fn libtest_counts_every_binary() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s\n\
                    test result: FAILED. 1 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n";
        assert_eq!(Summary::Libtest.parse(text), counts(3, 3, 1));
        assert_eq!(Summary::Libtest.parse("error[E0308]\n"), None);
    }

    #[test]
    fn vitest_counts_with_colours() {
        let text = "\u{1b}[2m Test Files \u{1b}[22m 1 failed | 3 passed (4)\n\
                    \u{1b}[2m      Tests \u{1b}[22m \u{1b}[31m1 failed\u{1b}[39m | \u{1b}[32m40 passed\u{1b}[39m | 2 skipped (43)\n";
        assert_eq!(Summary::Vitest.parse(text), counts(40, 1, 2));
        assert_eq!(Summary::Vitest.parse("      Tests  7 passed (7)\n"), counts(7, 0, 0));
        assert_eq!(Summary::Vitest.parse("      Tests  no tests\n"), counts(0, 0, 0));
        assert_eq!(Summary::Vitest.parse("No test files found\n"), None);
    }

    #[test]
    fn playwright_counts() {
        let text = "  1 failed\n    day.spec.ts:3:1 › a day\n  1 flaky\n  2 did not run\n  1 skipped\n  10 passed (5.0s)\n";
        assert_eq!(
            Summary::Playwright.parse(text),
            Some(Counts { passed: 11, failed: 3, skipped: 1, flaky: 1 })
        );
        assert_eq!(Summary::Playwright.parse("Error: No tests found\n"), None);
    }

    #[test]
    fn failed_tests_are_named() {
        let text = "test a ... FAILED\n\nfailures:\n\n---- a::b stdout ----\n    of the test\nerror: this\n\nfailures:\n    a::b\n    c\n\n\
                    test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n\
                    \ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n";
        assert_eq!(Summary::Libtest.failed_titles(text), ["a::b", "c"]);
        let text =
            "\u{1b}[31m FAIL \u{1b}[39m src/a.test.ts > a photo\nError: no\n FAIL  src/a.test.ts > a photo\n";
        assert_eq!(Summary::Vitest.failed_titles(text), ["src/a.test.ts > a photo"]);
        let text = "  1 failed\n    a.spec.ts:3:1 › 1 photo ───\n  1 flaky\n    b.spec.ts:9:1 › b\n  10 passed (5.0s)\n";
        assert_eq!(Summary::Playwright.failed_titles(text), ["a.spec.ts:3:1 › 1 photo"]);
        let text = "FAIL: test_a (m.C.test_a)\n----\nERROR: test_b (m.C.test_b)\n\nRan 2 tests in 0s\n\nFAILED (failures=1)\n";
        assert_eq!(Summary::Unittest.failed_titles(text), ["test_a (m.C.test_a)", "test_b (m.C.test_b)"]);
    }

    #[test]
    fn flaky_tests_are_named() {
        let text = "  1 failed\n    day.spec.ts:3:1 › a day ───\n  2 flaky\n    a.spec.ts:3:1 › 1 photo ───\n    b.spec.ts:9:1 › b\n  10 passed (5.0s)\n";
        assert_eq!(Summary::Playwright.flaky_titles(text), ["a.spec.ts:3:1 › 1 photo", "b.spec.ts:9:1 › b"]);
        assert_eq!(Summary::Playwright.flaky_titles("  10 passed (5.0s)\n"), [""; 0]);
    }

    #[test]
    fn unittest_counts() {
        let parse = |text: &str| Summary::Unittest.parse(text);
        assert_eq!(parse("Ran 12 tests in 0.3s\n\nOK (skipped=1)\n"), counts(11, 0, 1));
        assert_eq!(parse("Ran 12 tests in 0.3s\n\nFAILED (failures=1, errors=2)\n"), counts(9, 3, 0));
        assert_eq!(parse("Ran 0 tests in 0.0s\n\nOK\n"), counts(0, 0, 0));
        assert_eq!(parse("Traceback (most recent call last)\n"), None);
    }
}
