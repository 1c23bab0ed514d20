//! Which requirements are covered, which are open, and which cited ids are unknown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::citations::Citations;
use super::list::{List, Requirement};

pub(crate) struct Report<'a> {
    list: &'a List,
    citations: &'a Citations,
    /// Citations of ids that the list does not have, or has struck through.
    pub(crate) unknown: BTreeMap<&'a str, &'a [String]>,
}

/// How much of an area is printed below its totals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail {
    Totals,
    Ids,
    /// The open requirements in full, and where the others are cited.
    Full,
}

pub(crate) fn compare<'a>(list: &'a List, citations: &'a Citations) -> Report<'a> {
    let known = |id: &str| {
        list.notes.contains(id) || list.requirements.iter().any(|requirement| requirement.id == id)
    };
    let unknown = citations
        .iter()
        .filter(|(id, _)| !known(id))
        .map(|(id, places)| (id.as_str(), places.as_slice()))
        .collect();
    Report { list, citations, unknown }
}

impl Report<'_> {
    /// The ids that no test cites.
    pub(crate) fn open(&self) -> Vec<&str> {
        let open = self.list.requirements.iter().filter(|requirement| !self.is_covered(requirement));
        open.map(|requirement| requirement.id.as_str()).collect()
    }

    /// The report for a terminal, of one area and one side or of all.
    pub(crate) fn text(&self, area: Option<&str>, side: Option<&str>, detail: Detail) -> String {
        let mut areas: Vec<(&str, Vec<&Requirement>)> = Vec::new();
        for requirement in &self.list.requirements {
            if area.is_some_and(|area| area != requirement.area())
                || side.is_some_and(|side| side != requirement.side)
            {
                continue;
            }
            match areas.last_mut() {
                Some((name, requirements)) if *name == requirement.area() => requirements.push(requirement),
                _ => areas.push((requirement.area(), vec![requirement])),
            }
        }
        let mut text = String::new();
        let (mut total_covered, mut total) = (0, 0);
        for (name, requirements) in &areas {
            let (covered, open): (Vec<&Requirement>, Vec<&Requirement>) =
                requirements.iter().partition(|requirement| self.is_covered(requirement));
            total_covered += covered.len();
            total += requirements.len();
            let _ = writeln!(text, "{name}: {} of {} covered", covered.len(), requirements.len());
            match detail {
                Detail::Totals => {}
                Detail::Ids => {
                    write_ids(&mut text, "covered", &covered);
                    write_ids(&mut text, "open", &open);
                }
                Detail::Full => {
                    for requirement in covered {
                        let places = self.citations[&requirement.id].join(", ");
                        let _ = writeln!(text, "  covered {} {places}", requirement.id);
                    }
                    for requirement in open {
                        let _ = writeln!(text, "  open    {} {}", requirement.id, requirement.text);
                    }
                }
            }
        }
        for (id, places) in &self.unknown {
            let _ = writeln!(text, "unknown {id}: {}", places.join(", "));
        }
        let unknown = self.unknown.len();
        let _ = writeln!(text, "{total_covered} of {total} covered, {unknown} unknown ids cited");
        text
    }

    fn is_covered(&self, requirement: &Requirement) -> bool {
        self.citations.contains_key(&requirement.id)
    }
}

fn write_ids(text: &mut String, word: &str, requirements: &[&Requirement]) {
    const IDS_PER_LINE: usize = 12;
    for (index, chunk) in requirements.chunks(IDS_PER_LINE).enumerate() {
        let label = if index == 0 { word } else { "" };
        let ids: Vec<&str> = chunk.iter().map(|requirement| requirement.id.as_str()).collect();
        let _ = writeln!(text, "  {label:<8} {}", ids.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::list::parse;

    const DOCUMENT: &str = "\
| EVT001 | An event has a name. | server | product 3 |
| EVT002 | It has a date. | web | product 3 |
| UPL001 | A photo costs 1. | server | product 9 |
| U01 | Where | There. |
";

    fn citations() -> Citations {
        let cite = |id: &str| (id.to_owned(), vec![format!("tests/{id}.rs:1")]);
        Citations::from([cite("EVT001"), cite("U01"), cite("EVT009")])
    }

    #[test]
    fn counts_by_area_and_lists_unknown_ids() {
        let (list, citations) = (parse(DOCUMENT).unwrap(), citations());
        let report = compare(&list, &citations);
        let text = report.text(None, None, Detail::Ids);
        assert!(text.contains("EVT: 1 of 2 covered\n  covered  EVT001\n  open     EVT002\n"), "{text}");
        assert!(text.contains("unknown EVT009: tests/EVT009.rs:1\n"), "{text}");
        assert!(text.ends_with("1 of 3 covered, 1 unknown ids cited\n"), "{text}");
        assert_eq!(report.unknown.keys().copied().collect::<Vec<_>>(), ["EVT009"]);
    }

    #[test]
    fn one_area_is_printed_in_full() {
        let (list, citations) = (parse(DOCUMENT).unwrap(), citations());
        let text = compare(&list, &citations).text(Some("EVT"), None, Detail::Full);
        assert!(
            text.contains("  covered EVT001 tests/EVT001.rs:1\n  open    EVT002 It has a date.\n"),
            "{text}"
        );
        assert!(!text.contains("UPL"), "{text}");
    }

    #[test]
    fn a_side_excludes_the_others() {
        let (list, citations) = (parse(DOCUMENT).unwrap(), citations());
        let text = compare(&list, &citations).text(None, Some("web"), Detail::Totals);
        assert!(text.contains("0 of 1 covered, 1 unknown"), "{text}");
    }

    #[test]
    fn what_no_test_cites_is_open() {
        let (list, citations) = (parse(DOCUMENT).unwrap(), citations());
        assert_eq!(compare(&list, &citations).open(), ["EVT002", "UPL001"]);
    }
}
