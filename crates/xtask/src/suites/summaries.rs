//! The last words of each test runner.

use std::ops::AddAssign;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
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
    /// The counts in what the runner printed; `None` without a summary that can be read.
    pub(crate) fn read(self, printed: &str) -> Option<Count> {
        let plain = without_escapes(printed);
        match self {
            Self::Libtest => libtest(&plain),
            Self::Vitest => vitest(&plain),
            Self::Playwright => playwright(&plain),
            Self::Unittest => unittest(&plain),
        }
    }
}

/// `test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s`, once a binary.
/// One that died has none, and then Cargo's status says so.
fn libtest(printed: &str) -> Option<Count> {
    let mut sum = None;
    for line in printed.lines().filter_map(|line| line.strip_prefix("test result: ")) {
        let sum = sum.get_or_insert(Count::default());
        for (number, words) in numbered(line.split_once(". ")?.1, ';') {
            match words {
                "passed" => sum.passed += number,
                "failed" => sum.failed += number,
                "ignored" => sum.skipped += number,
                _ => {}
            }
        }
    }
    sum
}

/// `Tests  1 failed | 40 passed | 2 skipped (43)`; a file that could not be loaded counts under `Test Files` alone,
/// and then the runner's status says so.
fn vitest(printed: &str) -> Option<Count> {
    let line = printed.lines().rfind(|line| line.trim_start().starts_with("Tests  "))?;
    let parts = line.trim_start().strip_prefix("Tests")?.split('(').next()?;
    let mut count = Count::default();
    for (number, words) in numbered(parts, '|') {
        match words {
            "passed" => count.passed = number,
            "failed" => count.failed = number,
            "skipped" | "todo" => count.skipped += number,
            _ => return None,
        }
    }
    Some(count)
}

/// Lines of their own: `2 failed`, `1 flaky`, `1 interrupted`, `3 did not run`, `1 skipped`, `10 passed (5.0s)`. A test
/// that passed only at the second try is no passed test.
fn playwright(printed: &str) -> Option<Count> {
    let mut count = None;
    for line in printed.lines() {
        let line = line.trim();
        let words = line.split('(').next().unwrap_or_default().trim();
        let Some((number, words)) = numbered(words, '\n').next() else { continue };
        let field = match words {
            "passed" => |count: &mut Count, number| count.passed = number,
            "skipped" => |count: &mut Count, number| count.skipped = number,
            "failed" | "flaky" | "interrupted" | "did not run" => {
                |count: &mut Count, number| count.failed += number
            }
            _ => continue,
        };
        field(count.get_or_insert_default(), number);
    }
    count
}

/// `Ran 12 tests in 0.3s`, then `OK (skipped=1)` or `FAILED (failures=1, errors=2)`.
fn unittest(printed: &str) -> Option<Count> {
    let mut lines = printed.lines().rev();
    let verdict = lines.find(|line| {
        line.starts_with("OK") || line.starts_with("FAILED") || line.starts_with("NO TESTS RAN")
    })?;
    let ran = lines.find_map(|line| line.strip_prefix("Ran "))?.split(' ').next()?.parse::<usize>().ok()?;
    let details = verdict.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let mut count = Count::default();
    for detail in details.split(", ").filter_map(|detail| detail.split_once('=')) {
        let number: usize = detail.1.parse().ok()?;
        match detail.0 {
            "failures" | "errors" | "unexpected successes" => count.failed += number,
            "skipped" => count.skipped += number,
            _ => {}
        }
    }
    count.passed = ran.saturating_sub(count.failed + count.skipped);
    Some(count)
}

/// The parts of a list that start with a number, as the number and the words after it.
fn numbered(list: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    list.split(separator).filter_map(|part| {
        let (number, words) = part.trim().split_once(' ')?;
        Some((number.parse().ok()?, words))
    })
}

/// The text without terminal colours and cursor movements.
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

    fn count(passed: usize, failed: usize, skipped: usize) -> Option<Count> {
        Some(Count { passed, failed, skipped })
    }

    #[test]
    fn libtest_counts_every_binary() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s\n\
                    test result: FAILED. 1 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n";
        assert_eq!(Summary::Libtest.read(text), count(3, 3, 1));
        assert_eq!(Summary::Libtest.read("error[E0308]\n"), None);
    }

    #[test]
    fn vitest_counts_with_colours() {
        let text = "\u{1b}[2m Test Files \u{1b}[22m 1 failed | 3 passed (4)\n\
                    \u{1b}[2m      Tests \u{1b}[22m \u{1b}[31m1 failed\u{1b}[39m | \u{1b}[32m40 passed\u{1b}[39m | 2 skipped (43)\n";
        assert_eq!(Summary::Vitest.read(text), count(40, 1, 2));
        assert_eq!(Summary::Vitest.read("      Tests  7 passed (7)\n"), count(7, 0, 0));
        assert_eq!(Summary::Vitest.read("      Tests  no tests\n"), count(0, 0, 0));
        assert_eq!(Summary::Vitest.read("No test files found\n"), None);
    }

    #[test]
    fn playwright_counts() {
        let text = "  1 failed\n    day.spec.ts:3:1 › a day\n  1 flaky\n  2 did not run\n  1 skipped\n  10 passed (5.0s)\n";
        assert_eq!(Summary::Playwright.read(text), count(10, 4, 1));
        assert_eq!(Summary::Playwright.read("Error: No tests found\n"), None);
    }

    #[test]
    fn unittest_counts() {
        let read = |text: &str| Summary::Unittest.read(text);
        assert_eq!(read("Ran 12 tests in 0.3s\n\nOK (skipped=1)\n"), count(11, 0, 1));
        assert_eq!(read("Ran 12 tests in 0.3s\n\nFAILED (failures=1, errors=2)\n"), count(9, 3, 0));
        assert_eq!(read("Ran 0 tests in 0.0s\n\nOK\n"), count(0, 0, 0));
        assert_eq!(read("Traceback (most recent call last)\n"), None);
    }
}
