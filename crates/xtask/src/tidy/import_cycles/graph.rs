//! Which file imports from which, and the shortest ways round.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// From a file to the files it imports from, each with the first place that does.
#[derive(Debug, Default)]
pub(super) struct Graph<'a> {
    edges: BTreeMap<&'a str, BTreeMap<&'a str, Place>>,
}

/// Where a file names something of another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) path: String,
}

impl<'a> Graph<'a> {
    pub(super) fn add(&mut self, from: &'a str, to: &'a str, place: Place) {
        if from == to {
            return;
        }
        let first = self.edges.entry(from).or_default().entry(to).or_insert_with(|| place.clone());
        if place < *first {
            *first = place;
        }
    }

    /// For every file that is part of a cycle, a shortest one through it; each cycle once. A cycle starts with its
    /// first file by name and does not repeat it at the end.
    pub(super) fn cycles(&self) -> Vec<Vec<(&'a str, &Place)>> {
        let mut cycles: BTreeSet<Vec<&str>> = BTreeSet::new();
        let mut covered = BTreeSet::new();
        for file in self.edges.keys() {
            if covered.contains(file) {
                continue;
            }
            if let Some(mut cycle) = self.shortest_cycle(file) {
                covered.extend(cycle.iter().copied());
                let first = (0..cycle.len()).min_by_key(|index| cycle[*index]).unwrap_or(0);
                cycle.rotate_left(first);
                cycles.insert(cycle);
            }
        }
        let with_places = |cycle: Vec<&'a str>| {
            let next = cycle.iter().cycle().skip(1);
            cycle.iter().zip(next).map(|(from, to)| (*from, &self.edges[from][to])).collect()
        };
        cycles.into_iter().map(with_places).collect()
    }

    /// The files of a shortest cycle, `start` first.
    fn shortest_cycle(&self, start: &'a str) -> Option<Vec<&'a str>> {
        let mut reached_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(file) = queue.pop_front() {
            for next in self.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
                if *next == start {
                    let mut cycle = vec![file];
                    while let Some(before) = reached_from.get(cycle[cycle.len() - 1]) {
                        cycle.push(before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if !reached_from.contains_key(next) {
                    reached_from.insert(next, file);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&'static str, &'static str)]) -> Graph<'static> {
        let mut graph = Graph::default();
        for (line, (from, to)) in edges.iter().enumerate() {
            graph.add(from, to, Place { line, path: format!("{to}::x") });
        }
        graph
    }

    fn cycles(edges: &[(&'static str, &'static str)]) -> Vec<Vec<&'static str>> {
        graph(edges)
            .cycles()
            .into_iter()
            .map(|cycle| cycle.into_iter().map(|(file, _)| file).collect())
            .collect()
    }

    #[test]
    fn a_tree_and_a_diamond_have_no_cycle() {
        assert_eq!(
            cycles(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "d")]),
            Vec::<Vec<&str>>::new()
        );
    }

    #[test]
    fn every_file_of_a_cycle_is_shown_in_a_shortest_one() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "b"), ("d", "a"), ("x", "y"), ("y", "x")];
        assert_eq!(cycles(&edges), [vec!["a", "b", "c"], vec!["x", "y"]]);
    }

    #[test]
    fn a_cycle_carries_the_first_place_of_each_import() {
        let mut graph = graph(&[("a", "b"), ("b", "a")]);
        graph.add("b", "a", Place { line: 9, path: "later".to_owned() });
        let cycles = graph.cycles();
        let lines: Vec<usize> = cycles[0].iter().map(|(_, place)| place.line).collect();
        assert_eq!(lines, [0, 1]);
    }
}
