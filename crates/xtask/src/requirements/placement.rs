//! Whether a citation stands in a test's name or in its first comment.
//!
//! Read line by line, by indentation: rustfmt, prettier and ruff lay out what is read here.
//!
//! - Rust: the comment lines directly above a function with `#[test]`, `#[tokio::test]` or the like, attributes in
//!   between or not, and those that are the first thing in its body. A test without harness is its `main`. A file's `//!` lines
//!   belong to no test.
//! - TypeScript: the title of `it`, `test`, `describe` and of a step of a test (`test.step`), whose titles are printed
//!   when it fails; the comment lines directly above such a call, and those that are first in its body. What is
//!   skipped (`it.skip`) promises nothing.
//! - Python: the comment lines directly above `def test_…` or `class …`, and the comment or docstring first in its body.
//!
//! A table's rows are no names, in any language: rows come and go, and a row without its id would not be missed. The test
//! that goes through the table (`it.each(ROWS)('… [EVT001]', …)`, `for world in worlds()`) cites what all its rows
//! promise together. The same holds for macros: what they expand to has no lines, so that the test that calls one cites.

/// Whether the citation that begins at `column` of the line `index` counts.
pub(super) fn counts(path: &str, lines: &[&str], index: usize, column: usize) -> bool {
    let language = match path.rsplit_once('.') {
        Some((_, "rs")) => &RUST,
        Some((_, "py")) => &PYTHON,
        _ => &TYPESCRIPT,
    };
    if (language.is_comment)(lines[index]) {
        let comment = |at: &usize| lines.get(*at).is_some_and(|line| (language.is_comment)(line));
        let start = (0..index).rev().take_while(comment).last().unwrap_or(index);
        let end = (index..lines.len()).take_while(comment).last().unwrap_or(index) + 1;
        return (language.is_head)(lines, end)
            || start.checked_sub(1).is_some_and(|before| (language.opens_body)(lines, before));
    }
    match path.rsplit_once('.') {
        Some((_, "rs")) => false,
        Some((_, "py")) => is_in_docstring(lines, index),
        _ => title(lines, index).is_some_and(|(start, end)| start < column && column < end),
    }
}

struct Language {
    is_comment: fn(&str) -> bool,
    /// Whether a test begins at this line.
    is_head: fn(&[&str], usize) -> bool,
    /// Whether this line is the last one of a test's head.
    opens_body: fn(&[&str], usize) -> bool,
}

const RUST: Language = Language {
    is_comment: |line| line.trim_start().starts_with("//") && !line.trim_start().starts_with("//!"),
    is_head: |lines, index| {
        let mut at = index;
        while lines.get(at).is_some_and(|line| line.trim_start().starts_with("#[")) {
            at = attribute_end(lines, at) + 1;
        }
        lines.get(at).is_some_and(|line| is_function(line)) && is_rust_test(lines, at)
    },
    opens_body: |lines, index| {
        let line = lines[index];
        if !line.ends_with('{') {
            return false;
        }
        let head = if is_function(line) { Some(index) } else { above_at_same_indent(lines, index, &[")"]) };
        head.is_some_and(|head| is_function(lines[head]) && is_rust_test(lines, head))
    },
};

const TYPESCRIPT: Language = Language {
    is_comment: |line| ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start)),
    is_head: |lines, index| lines.get(index).is_some_and(|line| calls_test(line)),
    opens_body: |lines, index| lines[index].ends_with('{') && is_of_test_call(lines, index),
};

const PYTHON: Language = Language {
    is_comment: |line| line.trim_start().starts_with('#'),
    is_head: |lines, index| {
        let head = (index..lines.len()).find(|at| !lines[*at].trim_start().starts_with('@'));
        head.is_some_and(|head| is_python_test(lines[head]))
    },
    opens_body: |lines, index| {
        if !lines[index].ends_with(':') {
            return false;
        }
        let head = above_at_same_indent(lines, index, &[")"]).unwrap_or(index);
        is_python_test(lines[head])
    },
};

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The line at which what `index` closes began: the next one above with its indentation that closes nothing itself.
fn above_at_same_indent(lines: &[&str], index: usize, closers: &[&str]) -> Option<usize> {
    let closes = |at: usize| closers.iter().any(|closer| lines[at].trim_start().starts_with(closer));
    if !closes(index) {
        return None;
    }
    let of_same_indent = |at: &usize| {
        !lines[*at].trim().is_empty() && indent(lines[*at]) <= indent(lines[index]) && !closes(*at)
    };
    (0..index).rev().find(of_same_indent)
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let modifier =
        |word: &str| word.starts_with("pub") || ["async", "unsafe", "const", "extern"].contains(&word);
    words.find(|word| !modifier(word)) == Some("fn")
}

/// The last line of the attribute that begins at `index`.
fn attribute_end(lines: &[&str], index: usize) -> usize {
    (index..lines.len()).find(|at| lines[*at].ends_with(']')).unwrap_or(index)
}

fn is_rust_test(lines: &[&str], function: usize) -> bool {
    if lines[function].starts_with("fn main(") {
        return true;
    }
    let mut at = function;
    while at > 0 {
        at -= 1;
        let line = lines[at].trim_start();
        if line.starts_with(")]") {
            let Some(start) = above_at_same_indent(lines, at, &[")]"]) else { return false };
            at = start;
        } else if let Some(attribute) = line.strip_prefix("#[") {
            let path = attribute.split(['(', ']']).next().unwrap_or(attribute);
            if path.rsplit("::").next() == Some("test") {
                return true;
            }
        } else if !(RUST.is_comment)(line) {
            return false;
        }
    }
    false
}

/// Whether `callee` is a function that takes a test's title: `it`, `test.step`, `describe.each`, but not `test.use`.
fn takes_title(callee: &str) -> bool {
    let mut names = callee.split('.');
    let follows =
        ["each", "describe", "serial", "parallel", "step", "concurrent", "fails", "runIf", "skipIf"];
    names.next().is_some_and(|name| ["it", "test", "describe"].contains(&name))
        && names.all(|name| follows.contains(&name))
}

/// Whether a statement begins here that calls such a function.
fn calls_test(line: &str) -> bool {
    let statement = line.trim_start();
    let statement = statement.strip_prefix("await ").unwrap_or(statement);
    statement.split_once('(').is_some_and(|(callee, _)| takes_title(callee))
}

/// Whether the function whose body begins at the end of this line is an argument of such a call.
fn is_of_test_call(lines: &[&str], index: usize) -> bool {
    let mut at = index;
    loop {
        if calls_test(lines[at]) {
            return true;
        }
        let head = above_at_same_indent(lines, at, &["}", "]", ")"]);
        at = if let Some(head) = head {
            head
        } else {
            let outer =
                |above: &usize| !lines[*above].trim().is_empty() && indent(lines[*above]) < indent(lines[at]);
            match (0..at).rev().find(outer) {
                Some(outer) if lines[outer].ends_with('(') => outer,
                _ => return false,
            }
        };
    }
}

/// Where the title of a test begins and ends in this line, if it has one.
fn title(lines: &[&str], index: usize) -> Option<(usize, usize)> {
    let line = lines[index];
    let start = if line.trim_start().starts_with(['\'', '"', '`']) {
        let before = index.checked_sub(1)?;
        opens_title(lines, before, lines[before].len()).then(|| indent(line))
    } else {
        let quotes = line.match_indices(['\'', '"', '`']).map(|(at, _)| at);
        quotes.into_iter().find(|at| opens_title(lines, index, *at))
    }?;
    let quote = line[start..].chars().next()?;
    let mut escaped = false;
    let end = line[start + 1..].find(|character| {
        let ends = character == quote && !escaped;
        escaped = character == '\\' && !escaped;
        ends
    });
    Some((start, end.map_or(line.len(), |end| start + 1 + end)))
}

/// Whether the next thing after the first `end` bytes of this line is a title.
fn opens_title(lines: &[&str], index: usize, end: usize) -> bool {
    let Some(before) = lines[index][..end].strip_suffix('(') else { return false };
    let callee = before.rsplit(|character: char| !character.is_alphanumeric() && character != '.').next();
    if callee.is_some_and(takes_title) {
        return true;
    }
    // The second call of `it.each(ROWS)('…')`, whose rows may stand on the lines above.
    before.ends_with(')') && is_of_test_call(lines, index)
}

fn is_python_test(line: &str) -> bool {
    let line = line.trim_start();
    ["def test_", "async def test_", "class "].iter().any(|start| line.starts_with(start))
}

/// Whether this line is in a docstring that is the first thing in the body of a test.
fn is_in_docstring(lines: &[&str], index: usize) -> bool {
    let quotes = |at: &usize| lines[*at].contains("\"\"\"");
    let Some(start) = (0..=index).rev().find(quotes) else { return false };
    let starts = lines[start].trim_start().starts_with("\"\"\"");
    let closed = lines[start].matches("\"\"\"").count() > 1 && start < index;
    starts && !closed && start.checked_sub(1).is_some_and(|before| (PYTHON.opens_body)(lines, before))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids of the lines whose citation counts.
    fn counted(path: &str, text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut counted = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            for (column, rest) in line.match_indices('[').map(|(at, _)| (at, &line[at + 1..])) {
                let is_citation = rest.get(..7).is_some_and(|id| id.starts_with("EVT") && id.ends_with(']'));
                if is_citation && counts(path, &lines, index, column) {
                    counted.push(rest[..6].to_owned());
                }
            }
        }
        counted
    }

    #[test]
    fn rust_counts_above_a_test_and_first_in_its_body() {
        let text = r#"
//! [EVT001]

// [EVT002]
#[test]
fn one() {}

// A reason.
/// [EVT003] [EVT004]
#[tokio::test(flavor = "multi_thread")]
#[allow(
    clippy::unwrap_used,
    reason = "a test"
)]
async fn two() {
    // A reason, then ids:
    // [EVT005]
    let x = 1;
    // [EVT006]
    assert_eq!(x, 1); // [EVT007]
}

fn main() -> ExitCode {
    // [EVT012]
}

#[test]
// [EVT008]
fn three() {
    let name = "[EVT009]";
    for row in [1, 2] {
        // [EVT010]
    }
}

mod inner {
    proptest! {
        #[test]
        fn four(
            numbers in any::<u8>(),
        ) {
            // [EVT011]
        }
    }
}
"#;
        let expected = ["EVT002", "EVT003", "EVT004", "EVT005", "EVT012", "EVT008", "EVT011"];
        assert_eq!(counted("crates/app/tests/x.rs", text), expected);
    }

    #[test]
    fn rust_does_not_count_in_and_above_what_is_no_test() {
        let text = "
// [EVT001]
fn helper() {
    // [EVT002]
}

// [EVT003]
#[cfg(test)]
mod tests {
    // [EVT004]
    const ROWS: [(&str, u8); 1] = [
        // [EVT005]
        (\"[EVT006]\", 1),
    ];
    #[rstest]
    fn no_test() {
        // [EVT007]
    }

    #[test]
    fn it() {}
    // [EVT008]
}
";
        assert!(counted("crates/app/src/x.rs", text).is_empty(), "{:?}", counted("x.rs", text));
    }

    #[test]
    fn typescript_counts_titles() {
        let text = r#"
describe('[EVT001] a list', () => {
  it("has 'one' [EVT002]", () => {});
  it.each([
    ['[EVT003]', 1],
  ])('has %s [EVT004]', (a) => {});
  test.each(ROWS)(
    `has ${n} [EVT005]`,
    (a) => {},
  );
  test(
    'a long title [EVT006]',
    { timeout: 1 },
    async () => {
      expect(text, 'why [EVT007]').toBe('[EVT008]');
      await test.step('then [EVT009]', async () => {});
    },
  );
  it('short', () => expect('[EVT010]').toBe(''));
  it.skip('[EVT011]', () => {});
  test.use({ name: '[EVT012]' });
  visit('[EVT013]');
});
const ROWS = {
  'a name [EVT014]': 1,
};
"#;
        let expected = ["EVT001", "EVT002", "EVT004", "EVT005", "EVT006", "EVT009"];
        assert_eq!(counted("web/src/x.test.tsx", text), expected);
    }

    #[test]
    fn typescript_counts_comments_above_a_test_and_first_in_its_body() {
        let text = "
// [EVT001]
import x from 'x';

// Why.
// [EVT002]
it('a', async () => {
  // [EVT003]
  await act(() => {
    // [EVT004]
  });
  // [EVT005]
});

/** [EVT006] */
const helper = () => {
  // [EVT007]
};

it.each([
  ['a'],
])('%s', (a) => {
  // [EVT008]
});

test.each(ROWS)(
  'a %s',
  (a) => {
    // [EVT009]
  },
);

test('b', async ({
  page,
}) => {
  // [EVT010]
});

for (const [name, row] of rows) {
  // [EVT011]
  test(name, async () => {});
}
test.beforeEach(() => {
  // [EVT012]
});
";
        let expected = ["EVT002", "EVT003", "EVT008", "EVT009", "EVT010", "EVT011"];
        assert_eq!(counted("web/e2e/x.spec.ts", text), expected);
    }

    #[test]
    fn python_counts_comments_and_docstrings() {
        let text = r#"
"""[EVT001]"""

# [EVT002]
class CompareTest(unittest.TestCase):
    """[EVT003]"""

    # [EVT004]
    @unittest.skipUnless(HERE, "reason")
    def test_one(self):
        """One.

        [EVT005]
        """
        x = """
        [EVT006]
        """

    def test_two(
        self,
    ):
        # [EVT007]
        pass
        # [EVT008]

    def helper(self):
        """[EVT009]"""
"#;
        let expected = ["EVT002", "EVT003", "EVT004", "EVT005", "EVT007"];
        assert_eq!(counted("bench/test_x.py", text), expected);
    }
}
