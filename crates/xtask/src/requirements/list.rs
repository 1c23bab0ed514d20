//! Parses docs/requirements.md.

use std::collections::BTreeSet;

/// The heading below which the ids stand that lines had which fell.
const RETIRED: &str = "## Retired ids";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Requirement {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) side: String,
}

#[derive(Debug, Default)]
pub(crate) struct List {
    /// In the order of the document.
    pub(crate) requirements: Vec<Requirement>,
    /// Settled points (`U07`) and interpretations (`X12`): a test may cite one, but they are not counted.
    pub(crate) notes: BTreeSet<String>,
}

impl Requirement {
    pub(crate) fn area(&self) -> &str {
        self.id.trim_end_matches(|character: char| character.is_ascii_digit())
    }
}

/// Whether `text` has the form of an id: an area of three capitals or more and three digits, or `U` or `X` and two.
pub(crate) fn is_id(text: &str) -> bool {
    let digits = text.trim_start_matches(|character: char| character.is_ascii_uppercase());
    let area = &text[..text.len() - digits.len()];
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    all_digits
        && match area {
            "U" | "X" => digits.len() == 2,
            _ => area.len() >= 3 && digits.len() == 3,
        }
}

/// # Errors
/// Names the duplicate id, the retired one that has a line, the line that is struck through, or the one without a side.
pub(crate) fn parse(document: &str) -> Result<List, String> {
    let mut list = List::default();
    let mut seen = BTreeSet::new();
    let retired = retired(document)?;
    for line in document.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [first, text, rest @ ..] = cells.as_slice() else { continue };
        let id = first.trim_matches('~');
        if !is_id(id) {
            continue;
        }
        if !seen.insert(id.to_owned()) {
            return Err(format!("{id} appears twice"));
        }
        if first.starts_with('~') {
            return Err(format!("{id} is struck through: remove its line and retire the id"));
        }
        if retired.contains(id) {
            return Err(format!("{id} is retired: take the next number of its area"));
        }
        if id.starts_with(['U', 'X']) && id.len() == 3 {
            list.notes.insert(id.to_owned());
            continue;
        }
        let [.., side, _source] = rest else { return Err(format!("{id} has no side and source")) };
        if !["server", "web", "both", "cli"].contains(side) {
            return Err(format!("{id} has the side '{side}'"));
        }
        list.requirements.push(Requirement {
            id: id.to_owned(),
            text: (*text).to_owned(),
            side: (*side).to_owned(),
        });
    }
    Ok(list)
}

/// The ids below the heading of those that are retired.
fn retired(document: &str) -> Result<BTreeSet<&str>, String> {
    let mut retired = BTreeSet::new();
    let lines = document.lines().skip_while(|line| line.trim() != RETIRED).skip(1);
    for line in lines.take_while(|line| !line.starts_with("## ")) {
        for id in line.split([' ', ',', '.']).filter(|word| is_id(word)) {
            if !retired.insert(id) {
                return Err(format!("{id} is retired twice"));
            }
        }
    }
    Ok(retired)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
| id | must hold | side | source |
|---|---|---|---|
| EVT001 | An event has a name. | server | product 3 |
| no | point | settled |
| U01 | Where it leads | There. |

## Retired ids

EVT: EVT002, EVT003.
PRINT: PRINT001
";

    #[test]
    fn has_the_lines_and_not_the_retired_ids() {
        let list = parse(DOCUMENT).unwrap();
        let ids: Vec<&str> = list.requirements.iter().map(|requirement| requirement.id.as_str()).collect();
        assert_eq!(ids, ["EVT001"]);
        assert_eq!(list.requirements[0].area(), "EVT");
        assert_eq!(list.requirements[0].side, "server");
        assert!(list.notes.contains("U01"));
    }

    #[test]
    fn a_duplicate_id_is_rejected() {
        let document = format!("| EVT001 | Again. | web | product 3 |\n{DOCUMENT}");
        assert_eq!(parse(&document).unwrap_err(), "EVT001 appears twice");
        let document = format!("{DOCUMENT}EVT: EVT002\n");
        assert_eq!(parse(&document).unwrap_err(), "EVT002 is retired twice");
    }

    #[test]
    fn a_retired_id_is_not_used_again() {
        for id in ["EVT002", "EVT003", "PRINT001"] {
            let document = format!("| {id} | Something else. | web | product 3 |\n{DOCUMENT}");
            assert_eq!(
                parse(&document).unwrap_err(),
                format!("{id} is retired: take the next number of its area")
            );
        }
        let document =
            "## Retired ids\n\nEVT009\n\n## Readings\n\n| X01 | EVT001 | a | b |\n| EVT001 | x | web | y |\n";
        assert_eq!(parse(document).unwrap().requirements.len(), 1, "the section ends with the next heading");
    }

    #[test]
    fn a_line_that_falls_is_removed_and_not_struck_through() {
        let document = "| ~~EVT009~~ | ~~It has none.~~ | server | product 3 |";
        assert!(parse(document).unwrap_err().starts_with("EVT009 is struck through"));
    }

    #[test]
    fn an_unknown_side_is_rejected() {
        assert!(parse("| EVT001 | x | nowhere | product 3 |").unwrap_err().contains("nowhere"));
    }

    #[test]
    fn forms_of_ids() {
        for good in ["UPL012", "CONST001", "U07", "X38"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", "UPL12", "UPL0123", "U7", "U077", "AB123", "upl012", "UPL", "012"] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
