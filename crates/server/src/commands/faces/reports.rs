//! An evaluation as a table and as a picture.

use std::fmt::Write;

use app::faces::evaluations::{Curve, Group, Point};
use domain::faces::Strictness;

const WIDTH: f64 = 1180.0;
const HEIGHT: f64 = 460.0;
const SIDE: f64 = 320.0;
const TOP: f64 = 60.0;
/// Of the left edge of a panel from that of the one before.
const NEXT: f64 = 385.0;
const LEFT: f64 = 60.0;

/// Told apart without red and green, and by their order in the legend.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#555555"];

/// One line for each threshold of each curve. No field needs quoting.
pub(super) fn csv(curves: &[Curve]) -> String {
    let mut text = String::from(
        "group,of,strictness,threshold,recall,precision,right,wrong,missed,strangers,strangers_answered\n",
    );
    for curve in curves {
        for Point { strictness, threshold, tally } in &curve.points {
            let _ = writeln!(
                text,
                "{},{},{},{threshold:.4},{:.4},{:.4},{},{},{},{},{}",
                name(curve.group),
                curve.label,
                strictness.map_or("", Strictness::as_str),
                tally.recall(),
                tally.precision(),
                tally.right,
                tally.wrong,
                tally.missed,
                tally.strangers,
                tally.strangers_answered
            );
        }
    }
    text
}

const fn name(group: Group) -> &'static str {
    match group {
        Group::All => "all",
        Group::FaceWidth => "face width",
        Group::IndexSize => "index size",
    }
}

/// Recall over precision in three panels: everything, by the width of faces, by the size of the index.
pub(super) fn svg(curves: &[Curve]) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>Recall over precision</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let groups = [
        (Group::All, "All searches"),
        (Group::FaceWidth, "By the width of faces"),
        (Group::IndexSize, "By the size of the index"),
    ];
    for (place, (group, title)) in (0u8..).zip(groups) {
        let drawn: Vec<&Curve> = curves.iter().filter(|curve| curve.group == group).collect();
        panel(&mut text, LEFT + f64::from(place) * NEXT, title, &drawn);
    }
    text.push_str("</svg>\n");
    text
}

/// Precision from 0.8 to 1 across, recall from 0 to 1 upwards; what lies outside is cut off.
fn panel(text: &mut String, left: f64, title: &str, curves: &[&Curve]) {
    let across = |precision: f64| left + (precision - 0.8) / 0.2 * SIDE;
    let up = |recall: f64| TOP + (1.0 - recall) * SIDE;
    let _ = writeln!(
        text,
        "<text x=\"{left}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\">{title}</text>",
        TOP - 18.0
    );
    for step in 0u8..=4 {
        let (precision, recall) = (0.8 + f64::from(step) * 0.05, f64::from(step) * 0.25);
        let (x, y) = (across(precision), up(recall));
        let (right, bottom) = (left + SIDE, TOP + SIDE);
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} {TOP}V{bottom}M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{precision:.2}</text>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{recall:.2}</text>",
            bottom + 17.0,
            left - 6.0,
            y + 4.0
        );
    }
    let (middle, below) = (left + SIDE / 2.0, TOP + SIDE + 38.0);
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">precision → (recall ↑)</text>"
    );
    if curves.is_empty() {
        let y = up(0.5);
        let _ = writeln!(
            text,
            "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">truth.json does not say</text>"
        );
    }
    for ((curve, colour), row) in curves.iter().zip(COLOURS.iter().cycle()).zip(0u32..) {
        let mut line = String::new();
        let mut marks = String::new();
        let inside = |point: &&Point| point.tally.precision() >= 0.8;
        for (number, point) in curve.points.iter().filter(inside).enumerate() {
            let (x, y) = (across(point.tally.precision()), up(point.tally.recall()));
            let _ = write!(line, "{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' });
            if let Some(strictness) = point.strictness {
                let _ = writeln!(
                    marks,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{}, {}: recall {:.3}, \
                     precision {:.3}</title></circle>",
                    curve.label,
                    strictness.as_str(),
                    point.tally.recall(),
                    point.tally.precision()
                );
            }
        }
        let y = up(0.05) - f64::from(row) * 16.0;
        let _ = writeln!(
            text,
            "<path d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n{marks}\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            left + 10.0,
            y - 9.0,
            left + 26.0,
            curve.label
        );
    }
}

#[cfg(test)]
mod tests {
    use app::faces::evaluations::Tally;

    use super::*;

    fn curves() -> Vec<Curve> {
        let point = |strictness, threshold, right, wrong| Point {
            strictness,
            threshold,
            tally: Tally { right, wrong, missed: 10 - right, strangers: 2, strangers_answered: 1 },
        };
        let points = vec![
            point(None, 0.7, 5, 0),
            point(Some(Strictness::Normal), 0.58, 9, 1),
            point(None, 0.4, 10, 90),
        ];
        let curve = |group, label: &str| Curve { group, label: label.to_owned(), points: points.clone() };
        vec![
            curve(Group::All, "all"),
            curve(Group::IndexSize, "812 faces"),
            curve(Group::IndexSize, "99 faces"),
        ]
    }

    #[test]
    fn every_threshold_is_a_line_of_the_table() {
        let text = csv(&curves());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 10);
        assert!(lines.iter().all(|line| line.split(',').count() == 11), "{text}");
        assert_eq!(lines[1], "all,all,,0.7000,0.5000,1.0000,5,0,5,2,1");
        assert_eq!(lines[5], "index size,812 faces,normal,0.5800,0.9000,0.9000,9,1,1,2,1");
    }

    #[test]
    fn the_picture_has_a_line_for_each_curve() {
        let text = svg(&curves());
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert_eq!(text.matches("fill=\"none\"").count(), 3);
        assert_eq!(text.matches("<circle").count(), 3, "one strictness of each");
        assert!(text.contains("812 faces") && text.contains("truth.json does not say"), "{text}");
        assert!(!text.contains("NaN"));
        for element in ["svg", "text", "title", "circle"] {
            let opened = text.matches(&format!("<{element}")).count();
            assert_eq!(opened, text.matches(&format!("</{element}>")).count(), "{element}");
        }
    }
}
