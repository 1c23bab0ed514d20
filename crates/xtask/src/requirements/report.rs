//! Which lines are held, which are open, and which citations name none.

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

/// How much of an area is printed below its sums.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detail {
    Sums,
    Ids,
    /// The open lines in full, and where the others are cited.
    Lines,
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
    /// The open ids of these areas.
    pub(crate) fn open_in(&self, areas: &[String]) -> Vec<&str> {
        let required = self.list.requirements.iter().filter(|requirement| {
            areas.iter().any(|area| area == requirement.area()) && !self.is_covered(requirement)
        });
        required.map(|requirement| requirement.id.as_str()).collect()
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
                Some((name, lines)) if *name == requirement.area() => lines.push(requirement),
                _ => areas.push((requirement.area(), vec![requirement])),
            }
        }
        let mut text = String::new();
        let (mut covered_in_all, mut lines_in_all) = (0, 0);
        for (name, lines) in &areas {
            let (covered, open): (Vec<&Requirement>, Vec<&Requirement>) =
                lines.iter().partition(|requirement| self.is_covered(requirement));
            covered_in_all += covered.len();
            lines_in_all += lines.len();
            let _ = writeln!(text, "{name}: {} of {} covered", covered.len(), lines.len());
            match detail {
                Detail::Sums => {}
                Detail::Ids => {
                    write_ids(&mut text, "covered", &covered);
                    write_ids(&mut text, "open", &open);
                }
                Detail::Lines => {
                    for requirement in covered {
                        let places = self.citations[&requirement.id].join(", ");
                        let _ = writeln!(text, "  held {} {places}", requirement.id);
                    }
                    for requirement in open {
                        let _ = writeln!(text, "  open {} {}", requirement.id, requirement.text);
                    }
                }
            }
        }
        for (id, places) in &self.unknown {
            let _ = writeln!(text, "unknown {id}: {}", places.join(", "));
        }
        let unknown = self.unknown.len();
        let _ = writeln!(text, "{covered_in_all} of {lines_in_all} covered, {unknown} unknown ids cited");
        text
    }

    fn is_covered(&self, requirement: &Requirement) -> bool {
        self.citations.contains_key(&requirement.id)
    }
}

fn write_ids(text: &mut String, word: &str, requirements: &[&Requirement]) {
    const IDS_A_LINE: usize = 12;
    for (index, line) in requirements.chunks(IDS_A_LINE).enumerate() {
        let label = if index == 0 { word } else { "" };
        let ids: Vec<&str> = line.iter().map(|requirement| requirement.id.as_str()).collect();
        let _ = writeln!(text, "  {label:<8} {}", ids.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::list::parse;

    const PAGE: &str = "\
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
    fn counts_by_area_and_names_the_unknown() {
        let (list, citations) = (parse(PAGE).unwrap(), citations());
        let report = compare(&list, &citations);
        let text = report.text(None, None, Detail::Ids);
        assert!(text.contains("EVT: 1 of 2 covered\n  covered  EVT001\n  open     EVT002\n"), "{text}");
        assert!(text.contains("unknown EVT009: tests/EVT009.rs:1\n"), "{text}");
        assert!(text.ends_with("1 of 3 covered, 1 unknown ids cited\n"), "{text}");
        assert_eq!(report.unknown.keys().copied().collect::<Vec<_>>(), ["EVT009"]);
    }

    #[test]
    fn one_area_is_printed_line_by_line() {
        let (list, citations) = (parse(PAGE).unwrap(), citations());
        let text = compare(&list, &citations).text(Some("EVT"), None, Detail::Lines);
        assert!(text.contains("  held EVT001 tests/EVT001.rs:1\n  open EVT002 It has a date.\n"), "{text}");
        assert!(!text.contains("UPL"), "{text}");
    }

    #[test]
    fn a_side_leaves_the_others_out() {
        let (list, citations) = (parse(PAGE).unwrap(), citations());
        let text = compare(&list, &citations).text(None, Some("web"), Detail::Sums);
        assert!(text.contains("0 of 1 covered, 1 unknown"), "{text}");
    }

    #[test]
    fn a_required_area_names_its_open_lines() {
        let (list, citations) = (parse(PAGE).unwrap(), citations());
        let report = compare(&list, &citations);
        assert_eq!(report.open_in(&["EVT".to_owned()]), ["EVT002"]);
        assert!(report.open_in(&[]).is_empty());
    }
}
