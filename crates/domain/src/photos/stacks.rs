//! Stacks: photos of an event that are alike, of which the best stands for the others.
//!
//! Two looks are compared by the normalised cross-correlation of the middle of one with the other, moved by up to
//! [`REACH`] cells in each direction (Lewis, "Fast normalized cross-correlation", 1995): what is brighter, a little nearer or a
//! little to the side still is alike. What it finds and what it takes for alike is in docs/measurements.md.

use std::collections::HashMap;
use std::time::Duration;

use crate::photos::appearance::{Look, Sharpness};
use crate::{PhotoId, Timestamp};

/// Cells that a picture may have moved by.
pub const REACH: usize = 3;
/// The side of the middle that is compared.
const MIDDLE: usize = Look::SIDE - 2 * REACH;
/// Photos that follow each other within this time can be of one burst.
const BURST: Duration = Duration::from_secs(15);
/// From this correlation on they are.
const OF_ONE_BURST: f32 = 0.88;
/// From this one on photos are alike whenever they were taken: the same picture written again, or developed otherwise.
const OF_ONE_PICTURE: f32 = 0.97;
/// What such photos have at least without being moved, and in [`COARSE`] by [`COARSE`] cells: the others are not looked at.
const UNMOVED: f32 = 0.85;
/// The side of the coarse look.
const COARSE: usize = 6;
/// So many photos before one are compared with it at most: a camera takes fewer in [`BURST`].
const BEFORE: usize = 100;

/// Of which stack a photo is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The photo of it that was uploaded first, whose id is that of the stack.
    pub id: PhotoId,
    /// Its place: the lower, the better.
    pub place: i64,
}

/// A photo and its stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// It.
    pub id: PhotoId,
    /// None where it is like no other.
    pub stack: Option<Stack>,
}

/// Takes out those that stand behind others of their stacks: of each the one with the lowest place among these is left.
pub fn keep_best(photos: &mut Vec<Placed>) {
    let mut best: HashMap<PhotoId, i64> = HashMap::new();
    for stack in photos.iter().filter_map(|photo| photo.stack) {
        best.entry(stack.id).and_modify(|place| *place = stack.place.min(*place)).or_insert(stack.place);
    }
    photos.retain(|photo| photo.stack.is_none_or(|stack| best.get(&stack.id) == Some(&stack.place)));
}

/// What is known of the faces of a photo.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faces {
    /// How many there are.
    pub all: i64,
    /// How many are not blurred and surely faces, which one that is turned away or has its eyes closed is less.
    pub clear: i64,
    /// How sure the detector is of them, 0 to 1, on average.
    pub score: f64,
}

/// A photo that is put together with others.
#[derive(Clone, Debug)]
pub struct Shot {
    /// It.
    pub id: PhotoId,
    /// When it was taken; none where that is not known.
    pub at: Option<Timestamp>,
    /// What it looks like.
    pub look: Look,
    /// How sharp it is.
    pub sharpness: Sharpness,
    /// Its faces.
    pub faces: Faces,
    /// Whether somebody has chosen it to stand for its stack.
    pub is_chosen: bool,
}

impl Shot {
    /// The better, the greater.
    fn quality(&self) -> (bool, i64, f64) {
        (self.is_chosen, self.faces.clear, self.faces.score + self.sharpness.part())
    }
}

/// Puts photos of one event together; those that are like no other are left out.
pub fn stacks(shots: &[Shot]) -> Vec<(PhotoId, Stack)> {
    let compared: Vec<Compared> = shots.iter().map(|shot| Compared::new(&shot.look)).collect();
    let mut sets = Sets::new(shots.len());
    join_bursts(shots, &compared, &mut sets);
    join_pictures(&compared, &mut sets);
    let mut members: Vec<Vec<&Shot>> = vec![Vec::new(); shots.len()];
    for (index, shot) in shots.iter().enumerate() {
        members[sets.root(index)].push(shot);
    }
    let stacks = members.into_iter().filter(|members| members.len() > 1);
    stacks.flat_map(placed).collect()
}

fn placed(mut members: Vec<&Shot>) -> Vec<(PhotoId, Stack)> {
    members.sort_by(|one, other| {
        let (one_chosen, one_clear, one_score) = one.quality();
        let (other_chosen, other_clear, other_score) = other.quality();
        let better = (other_chosen, other_clear).cmp(&(one_chosen, one_clear));
        better.then(other_score.total_cmp(&one_score)).then(one.id.cmp(&other.id))
    });
    let Some(id) = members.iter().map(|shot| shot.id).min() else { return Vec::new() };
    members.iter().zip(0..).map(|(shot, place)| (shot.id, Stack { id, place })).collect()
}

fn join_bursts(shots: &[Shot], compared: &[Compared], sets: &mut Sets) {
    let mut taken: Vec<(Timestamp, usize)> =
        shots.iter().enumerate().filter_map(|(index, shot)| Some((shot.at?, index))).collect();
    taken.sort_unstable();
    for (place, (at, index)) in taken.iter().enumerate() {
        for (before, other) in taken[..place].iter().rev().take(BEFORE) {
            if before.plus(BURST) < *at {
                break;
            }
            if sets.root(*index) != sets.root(*other)
                && compared[*index].likeness(&compared[*other]) >= OF_ONE_BURST
            {
                sets.join(*index, *other);
            }
        }
    }
}

fn join_pictures(compared: &[Compared], sets: &mut Sets) {
    for (index, one) in compared.iter().enumerate() {
        for (other, two) in compared.iter().enumerate().take(index) {
            let is_near = dot(&one.coarse, &two.coarse) >= UNMOVED && one.unmoved(two) >= UNMOVED;
            if is_near && sets.root(index) != sets.root(other) && one.likeness(two) >= OF_ONE_PICTURE {
                sets.join(index, other);
            }
        }
    }
}

/// A look, as it is compared.
struct Compared {
    /// Its cells.
    cells: Vec<f32>,
    /// Its middle, without its mean and of length one.
    middle: Vec<f32>,
    /// The averages of some of its cells, in the same form.
    coarse: Vec<f32>,
}

impl Compared {
    fn new(look: &Look) -> Self {
        let cells: Vec<f32> = look.cells().iter().map(|cell| f32::from(*cell)).collect();
        let middle = normalised(window(&cells, REACH, REACH));
        let step = Look::SIDE / COARSE;
        let mut coarse = vec![0.0; COARSE * COARSE];
        for (at, cell) in cells.iter().enumerate() {
            let (x, y) = (at % Look::SIDE / step, at / Look::SIDE / step);
            coarse[y * COARSE + x] += cell;
        }
        Self { cells, middle, coarse: normalised(coarse) }
    }

    /// The correlation of the two middles.
    fn unmoved(&self, other: &Self) -> f32 {
        dot(&self.middle, &other.middle)
    }

    /// The highest correlation of the middle of one with the other.
    fn likeness(&self, other: &Self) -> f32 {
        self.within(other).max(other.within(self))
    }

    fn within(&self, other: &Self) -> f32 {
        let places = (0..=2 * REACH).flat_map(|y| (0..=2 * REACH).map(move |x| (x, y)));
        places.map(|(x, y)| dot(&self.middle, &normalised(window(&other.cells, x, y)))).fold(-1.0, f32::max)
    }
}

/// The part of a look whose corner is there.
fn window(cells: &[f32], left: usize, top: usize) -> Vec<f32> {
    let rows = cells[top * Look::SIDE..(top + MIDDLE) * Look::SIDE].chunks_exact(Look::SIDE);
    rows.flat_map(|row| row[left..left + MIDDLE].iter().copied()).collect()
}

/// Without its mean, and of length one; a plain one is like nothing.
fn normalised(mut values: Vec<f32>) -> Vec<f32> {
    let count = u16::try_from(values.len()).map_or(f32::INFINITY, f32::from);
    let mean = values.iter().sum::<f32>() / count;
    values.iter_mut().for_each(|value| *value -= mean);
    let length = dot(&values, &values).sqrt();
    // Half a level of brightness for each cell is the noise of a plain wall.
    let length = if length * length < 0.25 * count { f32::INFINITY } else { length };
    values.iter_mut().for_each(|value| *value /= length);
    values
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    // In lanes, which the compiler turns into vectors: it may not change the order of a plain sum.
    let mut lanes = [0.0_f32; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (ones, others) in ones.zip(others) {
        for ((lane, one), other) in lanes.iter_mut().zip(ones).zip(others) {
            *lane += one * other;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// Disjoint sets.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            // Paths become shorter on the way.
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A look of soft shapes that are the same for the same `seed`, moved by so many cells and brighter by so much.
    fn look(seed: f64, moved: f64, brighter: f64) -> Look {
        let cells = (0..Look::CELLS).map(|at| {
            let (x, y) = ((at % Look::SIDE) as f64 + moved, (at / Look::SIDE) as f64);
            let wave = (x * (0.21 + seed / 7.0)).sin()
                + (y * (0.33 + seed / 5.0)).cos()
                + (x * y * seed / 90.0).sin();
            (wave * 30.0 + 120.0 + brighter).clamp(0.0, 255.0) as u8
        });
        Look::new(cells.collect()).unwrap()
    }

    fn shot(number: u128, at: Option<i64>, look: Look) -> Shot {
        Shot {
            id: uuid::Uuid::from_u128(number).to_string().parse().unwrap(),
            at: at.map(|second| Timestamp::from_millis(second * 1000)),
            look,
            sharpness: Sharpness::of(0.5),
            faces: Faces::default(),
            is_chosen: false,
        }
    }

    fn grouped(shots: &[Shot]) -> Vec<(u128, u128, i64)> {
        let number = |id: PhotoId| id.to_string().parse::<uuid::Uuid>().unwrap().as_u128();
        let mut found: Vec<_> = stacks(shots)
            .into_iter()
            .map(|(id, stack)| (number(stack.id), number(id), stack.place))
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn what_was_taken_one_after_the_other_and_is_alike_is_one_stack() {
        // [GAL492]
        let shots = [
            shot(1, Some(10), look(1.0, 0.0, 0.0)),
            shot(2, Some(11), look(2.0, 0.0, 0.0)),
            shot(3, Some(12), look(1.0, 1.6, 25.0)),
            shot(4, Some(26), look(1.0, 2.0, -30.0)),
            // Another time.
            shot(5, Some(99), look(1.0, 1.6, 25.0)),
            shot(6, None, look(1.0, 1.6, -25.0)),
        ];
        assert!(Compared::new(&shots[0].look).likeness(&Compared::new(&shots[4].look)) >= OF_ONE_BURST);
        let found = grouped(&shots[..4]);
        assert_eq!(found, [(1, 1, 0), (1, 3, 1), (1, 4, 2)]);
        assert!(grouped(&[shots[0].clone(), shots[1].clone()]).is_empty());
    }

    #[test]
    fn the_same_picture_written_again_is_one_stack_whenever_it_was_taken() {
        // [GAL493]
        let shots = [
            shot(1, Some(10), look(1.0, 0.0, 0.0)),
            shot(2, None, look(1.0, 0.05, 3.0)),
            shot(3, Some(90_000), look(1.0, 0.0, 8.0)),
            shot(4, None, look(3.0, 0.0, 0.0)),
        ];
        assert_eq!(grouped(&shots), [(1, 1, 0), (1, 2, 1), (1, 3, 2)]);
    }

    #[test]
    fn of_each_stack_the_best_of_those_that_are_there_stands_for_it() {
        // [GAL502]
        let id = |number: u128| -> PhotoId { uuid::Uuid::from_u128(number).to_string().parse().unwrap() };
        let of = |photo: u128, stack: u128, place: i64| Placed {
            id: id(photo),
            stack: Some(Stack { id: id(stack), place }),
        };
        let alone = Placed { id: id(2), stack: None };
        let photos = vec![of(1, 1, 2), alone, of(3, 1, 1), of(4, 4, 0), of(5, 4, 3)];
        let kept = |mut photos: Vec<Placed>| {
            keep_best(&mut photos);
            photos.into_iter().map(|photo| photo.id).collect::<Vec<_>>()
        };
        assert_eq!(kept(photos.clone()), [id(2), id(3), id(4)]);
        // The best is not among them.
        assert_eq!(kept(photos[..2].to_vec()), [id(1), id(2)]);
    }

    #[test]
    fn plain_pictures_are_like_nothing() {
        let plain = |number| shot(number, Some(10), Look::new(vec![7; Look::CELLS]).unwrap());
        assert!(grouped(&[plain(1), plain(2)]).is_empty());
        assert!(grouped(&[]).is_empty());
    }

    #[test]
    fn the_best_is_what_somebody_has_chosen_then_clear_faces_then_sharpness() {
        // [GAL494]
        let mut shots = [1, 2, 3, 4].map(|number| shot(number, Some(10), look(1.0, 0.0, 0.0)));
        shots[1].sharpness = Sharpness::of(0.7);
        shots[2].faces = Faces { all: 2, clear: 2, score: 0.1 };
        let places = |shots: &[Shot]| {
            let mut found = grouped(shots);
            found.sort_by_key(|(_, _, place)| *place);
            found.into_iter().map(|(_, id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(places(&shots), [3, 2, 1, 4]);
        shots[3].is_chosen = true;
        assert_eq!(places(&shots), [4, 3, 2, 1]);
    }
}
