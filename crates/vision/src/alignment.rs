//! Turning a face upright: the similarity transform that lays its landmarks onto the template.

/// Maps points of one plane to another by turning, scaling and shifting: `(x, y) -> (a·x - b·y + c, b·x + a·y + d)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similarity {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
    pub(crate) d: f64,
}

impl Similarity {
    /// The transform that brings `from` closest to `to` in the sense of least squares; nothing when the points of
    /// `from` coincide.
    ///
    /// This is Umeyama's estimate (IEEE PAMI 13, 1991) for the plane without reflection, where it has a closed form.
    pub(crate) fn between(from: &[[f64; 2]; 5], to: &[[f64; 2]; 5]) -> Option<Self> {
        let (centre_from, centre_to) = (centroid(from), centroid(to));
        let (mut along, mut across, mut spread) = (0.0, 0.0, 0.0);
        for (source, target) in from.iter().zip(to) {
            let (x, y) = (source[0] - centre_from[0], source[1] - centre_from[1]);
            let (u, v) = (target[0] - centre_to[0], target[1] - centre_to[1]);
            along += x * u + y * v;
            across += x * v - y * u;
            spread += x * x + y * y;
        }
        let (a, b) = (along / spread, across / spread);
        let found = Self {
            a,
            b,
            c: centre_to[0] - (a * centre_from[0] - b * centre_from[1]),
            d: centre_to[1] - (b * centre_from[0] + a * centre_from[1]),
        };
        (found.a.hypot(found.b).is_normal() && found.c.is_finite() && found.d.is_finite()).then_some(found)
    }

    /// Scales by `factor` after moving `origin` to (0, 0).
    pub(crate) fn zoom(origin: [f64; 2], factor: f64) -> Self {
        Self { a: factor, b: 0.0, c: -factor * origin[0], d: -factor * origin[1] }
    }

    /// Turns by `angle`, in radians, and scales by `factor` so that `centre` comes to `target`. From the x axis to the y axis
    /// is a positive turn.
    pub(crate) fn turn(centre: [f64; 2], factor: f64, angle: f64, target: [f64; 2]) -> Self {
        let around = Self { a: factor * angle.cos(), b: factor * angle.sin(), c: 0.0, d: 0.0 };
        let [x, y] = around.apply(centre);
        Self { c: target[0] - x, d: target[1] - y, ..around }
    }

    /// By how much it turns, in radians, from -π to π.
    pub(crate) fn angle(&self) -> f64 {
        self.b.atan2(self.a)
    }

    /// Pixels of the target for one pixel of the source.
    pub(crate) fn factor(&self) -> f64 {
        self.a.hypot(self.b)
    }

    pub(crate) fn apply(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.a * x - self.b * y + self.c, self.b * x + self.a * y + self.d]
    }

    /// The way back.
    pub(crate) fn inverse(&self) -> Self {
        let square = self.a * self.a + self.b * self.b;
        let (a, b) = (self.a / square, -self.b / square);
        Self { a, b, c: -(a * self.c - b * self.d), d: -(b * self.c + a * self.d) }
    }
}

fn centroid(points: &[[f64; 2]; 5]) -> [f64; 2] {
    [
        points.iter().map(|point| point[0]).sum::<f64>() / 5.0,
        points.iter().map(|point| point[1]).sum::<f64>() / 5.0,
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const POINTS: [[f64; 2]; 5] = [[38.0, 51.0], [73.0, 51.0], [56.0, 71.0], [41.0, 92.0], [70.0, 92.0]];

    proptest! {
        #[test]
        fn a_similarity_is_found_again(a in -3.0..3.0f64, b in 0.1..3.0f64, c in -900.0..900.0f64, d in -900.0..900.0f64) {
            let made = Similarity { a, b, c, d };
            let found = Similarity::between(&POINTS.map(|point| made.apply(point)), &POINTS).unwrap();
            for point in POINTS {
                let back = found.apply(made.apply(point));
                prop_assert!((back[0] - point[0]).abs() < 1e-6 && (back[1] - point[1]).abs() < 1e-6);
                let there = made.inverse().apply(made.apply(point));
                prop_assert!((there[0] - point[0]).abs() < 1e-6 && (there[1] - point[1]).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_turn_brings_the_centre_to_its_target() {
        let turn = Similarity::turn([40.0, 60.0], 2.0, std::f64::consts::FRAC_PI_2, [80.0, 80.0]);
        let (centre, right) = (turn.apply([40.0, 60.0]), turn.apply([41.0, 60.0]));
        assert!((centre[0] - 80.0).abs() < 1e-9 && (centre[1] - 80.0).abs() < 1e-9, "{centre:?}");
        assert!((right[0] - 80.0).abs() < 1e-9 && (right[1] - 82.0).abs() < 1e-9, "right is down: {right:?}");
        assert!(
            (turn.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-9 && (turn.factor() - 2.0).abs() < 1e-9
        );
    }

    #[test]
    fn coinciding_or_broken_points_have_no_transform() {
        assert_eq!(Similarity::between(&[[5.0, 5.0]; 5], &POINTS), None);
        assert_eq!(Similarity::between(&[[f64::NAN, 5.0]; 5], &POINTS), None);
    }
}
