//! Putting the faces of one person together, without knowing anybody.
//!
//! Groups are merged as long as the mean similarity of all pairs between two of them is high enough (average linkage):
//! one look-alike does not chain two people together, as it would with the nearest pair. That mean is the dot product of
//! the two mean embeddings, so that a group takes the memory of one embedding however many faces it has.

use domain::faces::Embedding;

use crate::face_index::{DimensionError, dot};

/// A group that was made before.
#[derive(Clone, Default)]
pub struct KnownGroup {
    sum: Vec<f32>,
    faces: usize,
    is_decided: bool,
}

/// What is to be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouped {
    /// The groups that turned out to be of one person, the one to keep first; at most one of them is decided.
    pub known: Vec<usize>,
    /// The new faces that belong to them; without a known group they make a new one.
    pub faces: Vec<usize>,
}

impl KnownGroup {
    /// A group without faces. One that somebody has decided about is never put together with another such group.
    pub fn new(is_decided: bool) -> Self {
        Self { is_decided, ..Self::default() }
    }

    /// Number of faces.
    pub const fn len(&self) -> usize {
        self.faces
    }

    /// Whether it has no face.
    pub const fn is_empty(&self) -> bool {
        self.faces == 0
    }

    /// Adds one of its faces.
    ///
    /// # Errors
    /// When the embedding has another length than the others.
    pub fn add(&mut self, face: &Embedding) -> Result<(), DimensionError> {
        if self.faces == 0 {
            self.sum = vec![0.0; face.values().len()];
        }
        check(self.sum.len(), face.values().len())?;
        self.sum.iter_mut().zip(face.values()).for_each(|(sum, value)| *sum += value);
        self.faces += 1;
        Ok(())
    }
}

impl std::fmt::Debug for KnownGroup {
    /// Shows the size alone: what describes a face must not reach a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KnownGroup({} faces)", self.faces)
    }
}

fn check(expected: usize, found: usize) -> Result<(), DimensionError> {
    if expected == found { Ok(()) } else { Err(DimensionError { expected, found }) }
}

/// Finds out which of `faces` belong to `known` groups, and which to each other. A pair of faces of one person has
/// `threshold` or more on an average. Only what changes is answered.
///
/// Takes the memory of one embedding a group and face, and the time to compare each face with each other and each group
/// once, and a fraction of that for each round of merging.
///
/// # Errors
/// When the embeddings do not all have the same length.
pub fn group_faces(
    known: &[KnownGroup],
    faces: &[Embedding],
    threshold: f32,
) -> Result<Vec<Grouped>, DimensionError> {
    let Some(dimension) = faces.first().map(|face| face.values().len()) else { return Ok(Vec::new()) };
    let mut groups = Groups::new(dimension, threshold);
    for (index, group) in known.iter().enumerate() {
        // One without faces is like nobody.
        let sum = if group.faces == 0 { vec![0.0; dimension] } else { group.sum.clone() };
        check(dimension, sum.len())?;
        groups.push(sum, group.faces, group.is_decided, Grouped { known: vec![index], faces: Vec::new() });
    }
    for (index, face) in faces.iter().enumerate() {
        check(dimension, face.values().len())?;
        groups.push(face.values().to_vec(), 1, false, Grouped { known: Vec::new(), faces: vec![index] });
    }
    groups.compare_from(known.len());
    while groups.merge_best_pairs() {}
    Ok(groups.changed())
}

/// Groups that all others are compared with before the next: as many as stay in the processor's nearest cache. One group
/// after the other, thousands of means come from memory each time, and waiting for it takes longer than multiplying.
const TOGETHER: usize = 32;

/// The group that another one is most similar to.
#[derive(Clone, Copy, PartialEq)]
struct Best {
    similarity: f32,
    group: usize,
}

struct Group {
    faces: f32,
    is_decided: bool,
    /// The most similar other group, if it is similar enough: the two may be of one person.
    best: Option<Best>,
    /// None once it has become a part of another one.
    members: Option<Grouped>,
}

struct Groups {
    dimension: usize,
    threshold: f32,
    /// Of each group, one after the other.
    means: Vec<f32>,
    groups: Vec<Group>,
    /// Those with a best one. What is similar to nobody stays so: merging makes no pair of groups more similar than the
    /// more similar of their parts was.
    active: Vec<usize>,
}

impl Groups {
    const fn new(dimension: usize, threshold: f32) -> Self {
        Self { dimension, threshold, means: Vec::new(), groups: Vec::new(), active: Vec::new() }
    }

    fn push(&mut self, sum: Vec<f32>, faces: usize, is_decided: bool, members: Grouped) {
        #[allow(clippy::cast_precision_loss, reason = "counts of faces, far below 2^24")]
        let faces = faces.max(1) as f32;
        self.means.extend(sum.into_iter().map(|value| value / faces));
        self.groups.push(Group { faces, is_decided, best: None, members: Some(members) });
    }

    fn mean(&self, group: usize) -> &[f32] {
        &self.means[group * self.dimension..(group + 1) * self.dimension]
    }

    /// How similar two groups are that may be put together, if it is enough.
    fn similarity(&self, one: usize, other: usize) -> Option<f32> {
        if self.groups[one].is_decided && self.groups[other].is_decided {
            return None;
        }
        let similarity = dot(self.mean(one), self.mean(other));
        (similarity >= self.threshold).then_some(similarity)
    }

    /// Compares the groups from `first` on with all before them. Those before were compared when they were made.
    fn compare_from(&mut self, first: usize) {
        let count = self.groups.len();
        for start in (0..count).step_by(TOGETHER) {
            for one in first.max(start + 1)..count {
                for other in start..one.min(start + TOGETHER) {
                    if let Some(similarity) = self.similarity(one, other) {
                        self.suggest(one, Best { similarity, group: other });
                        self.suggest(other, Best { similarity, group: one });
                    }
                }
            }
        }
        self.active = (0..self.groups.len()).filter(|group| self.groups[*group].best.is_some()).collect();
    }

    /// Of equally similar groups the first counts, so that two of them always agree about each other.
    fn suggest(&mut self, group: usize, other: Best) {
        let best = &mut self.groups[group].best;
        if best.is_none_or(|best| {
            other.similarity > best.similarity
                || (other.similarity >= best.similarity && other.group < best.group)
        }) {
            *best = Some(other);
        }
    }

    /// Merges all pairs that are each other's best; false when there is none left.
    fn merge_best_pairs(&mut self) -> bool {
        let best = |group: usize| self.groups[group].best.map(|best| best.group);
        let pairs: Vec<(usize, usize)> = self
            .active
            .iter()
            .filter_map(|&one| {
                best(one).filter(|other| one < *other && best(*other) == Some(one)).map(|other| (one, other))
            })
            .collect();
        for (one, other) in &pairs {
            self.merge(*one, *other);
        }
        self.active.retain(|group| self.groups[*group].members.is_some());
        let stale = |group: &usize| {
            let best = self.groups[*group].best;
            best.is_some_and(|best| self.is_merged(best.group, &pairs)) || self.is_merged(*group, &pairs)
        };
        let stale: Vec<usize> = self.active.iter().copied().filter(stale).collect();
        for group in stale {
            self.groups[group].best = None;
            for at in 0..self.active.len() {
                let other = self.active[at];
                if other == group {
                    continue;
                }
                if let Some(similarity) = self.similarity(group, other) {
                    self.suggest(group, Best { similarity, group: other });
                }
            }
        }
        self.active.retain(|group| self.groups[*group].best.is_some());
        !pairs.is_empty()
    }

    /// Whether a group is one of these pairs; they are in order.
    fn is_merged(&self, group: usize, pairs: &[(usize, usize)]) -> bool {
        self.groups[group].members.is_none() || pairs.binary_search_by_key(&group, |(one, _)| *one).is_ok()
    }

    /// Makes `other` a part of `one`.
    fn merge(&mut self, one: usize, other: usize) {
        let Some(members) = self.groups[other].members.take() else { return };
        let (faces, others) = (self.groups[one].faces, self.groups[other].faces);
        let (head, tail) = self.means.split_at_mut(other * self.dimension);
        let mean = &mut head[one * self.dimension..(one + 1) * self.dimension];
        for (value, others_value) in mean.iter_mut().zip(&tail[..self.dimension]) {
            *value = (*value * faces + others_value * others) / (faces + others);
        }
        let is_decided = self.groups[other].is_decided;
        let group = &mut self.groups[one];
        group.faces += others;
        group.is_decided |= is_decided;
        if let Some(kept) = &mut group.members {
            kept.faces.extend(members.faces);
            if is_decided {
                kept.known.splice(0..0, members.known);
            } else {
                kept.known.extend(members.known);
            }
        }
    }

    fn changed(self) -> Vec<Grouped> {
        let members = self.groups.into_iter().filter_map(|group| group.members);
        members
            .filter(|members| !members.faces.is_empty() || members.known.len() > 1)
            .map(|mut members| {
                members.faces.sort_unstable();
                members
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use domain::Randomness;

    use super::*;

    const DIMENSION: usize = 64;
    const THRESHOLD: f32 = 0.4;

    /// Numbers from -1 to 1.
    fn direction(randomness: &Randomness) -> Vec<f32> {
        let bytes: [u8; DIMENSION] = randomness.bytes();
        bytes.iter().map(|byte| f32::from(*byte) / 127.5 - 1.0).collect()
    }

    /// So many faces of so many people, each its person's direction and noise of its own; face `n` is of person
    /// `n % people`.
    fn faces(people: usize, each: usize, noise: f32) -> Vec<Embedding> {
        let randomness = Randomness::seeded(7);
        let people: Vec<Vec<f32>> = (0..people).map(|_| direction(&randomness)).collect();
        let face = |person: &Vec<f32>| {
            let noisy = person.iter().zip(direction(&randomness)).map(|(value, other)| value + noise * other);
            Embedding::normalised(noisy.collect()).unwrap()
        };
        (0..each).flat_map(|_| people.iter().map(face).collect::<Vec<_>>()).collect()
    }

    fn known(groups: &[Vec<usize>], faces: &[Embedding], decided: bool) -> Vec<KnownGroup> {
        let group = |members: &Vec<usize>| {
            let mut group = KnownGroup::new(decided);
            members.iter().for_each(|face| group.add(&faces[*face]).unwrap());
            group
        };
        groups.iter().map(group).collect()
    }

    fn of_person(person: usize, people: usize, each: usize) -> Vec<usize> {
        (0..each).map(|n| person + n * people).collect()
    }

    #[test]
    fn the_faces_of_each_person_are_put_together() {
        let faces = faces(20, 12, 0.8);
        let groups = group_faces(&[], &faces, THRESHOLD).unwrap();
        let expected: Vec<Grouped> =
            (0..20).map(|person| Grouped { known: Vec::new(), faces: of_person(person, 20, 12) }).collect();
        assert_eq!(groups, expected);
        assert_eq!(group_faces(&[], &faces, THRESHOLD).unwrap(), expected, "the same each time");
    }

    #[test]
    fn equal_faces_are_one_person_and_nobody_is_like_strangers() {
        let face = faces(1, 1, 0.0).remove(0);
        let groups = group_faces(&[], &vec![face; 33], THRESHOLD).unwrap();
        assert_eq!(groups, [Grouped { known: Vec::new(), faces: (0..33).collect() }]);
        let strangers = faces(9, 1, 0.0);
        assert_eq!(group_faces(&[], &strangers, THRESHOLD).unwrap().len(), 9);
        assert_eq!(group_faces(&[], &[], THRESHOLD).unwrap(), []);
    }

    #[test]
    fn new_faces_join_those_that_are_known_and_change_no_other() {
        let all = faces(10, 8, 0.8);
        let (before, after) = all.split_at(60);
        let people: Vec<Vec<usize>> = (0..9).map(|person| of_person(person, 10, 6)).collect();
        let groups = group_faces(&known(&people, before, false), after, THRESHOLD).unwrap();
        let mut expected: Vec<Grouped> =
            (0..9).map(|person| Grouped { known: vec![person], faces: vec![person, person + 10] }).collect();
        expected.push(Grouped { known: Vec::new(), faces: vec![9, 19] });
        assert_eq!(groups, expected);
        assert_eq!(group_faces(&known(&people, before, false), &[], THRESHOLD).unwrap(), []);
    }

    #[test]
    fn what_somebody_decided_about_is_not_put_together_by_itself() {
        let all = faces(1, 9, 0.8);
        let halves = [vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
        let free = known(&halves, &all, false);
        let decided = known(&halves, &all, true);
        let together = group_faces(&free, &all[8..], THRESHOLD).unwrap();
        assert_eq!(together, [Grouped { known: vec![0, 1], faces: vec![0] }]);
        let one = group_faces(&[free[0].clone(), decided[1].clone()], &all[8..], THRESHOLD).unwrap();
        assert_eq!(one, [Grouped { known: vec![1, 0], faces: vec![0] }], "the decided one is kept");
        let apart = group_faces(&decided, &all[8..], THRESHOLD).unwrap();
        assert_eq!(apart.len(), 1);
        assert_eq!((apart[0].known.len(), &apart[0].faces), (1, &vec![0]));
    }

    #[test]
    fn a_look_alike_between_two_people_does_not_chain_them_together() {
        let mut all = faces(2, 6, 0.3);
        let between = all[0].values().iter().zip(all[1].values()).map(|(one, other)| one + other);
        all.push(Embedding::normalised(between.collect()).unwrap());
        let groups = group_faces(&[], &all, THRESHOLD).unwrap();
        assert_eq!(groups.len(), 2, "{groups:?}");
    }

    #[test]
    fn embeddings_of_another_length_are_refused() {
        let short = Embedding::normalised(vec![1.0, 2.0]).unwrap();
        let mixed = [faces(1, 1, 0.0).remove(0), short.clone()];
        assert_eq!(group_faces(&[], &mixed, THRESHOLD), Err(DimensionError { expected: 64, found: 2 }));
        let mut group = KnownGroup::new(false);
        group.add(&short).unwrap();
        assert!(group.add(&mixed[0]).is_err() && group_faces(&[group], &mixed[..1], THRESHOLD).is_err());
    }
}
