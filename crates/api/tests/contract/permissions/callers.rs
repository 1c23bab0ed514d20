//! Every row by every caller, on both engines.

use domain::DAY;

use super::scene::Scene;
use super::{cells, line, rows, violations};
use crate::harness::{World, on_both_engines};

/// Into how many tests the rows are divided, which run at once: one alone would be the longest of all tests by far.
const PARTS: usize = 4;

#[test]
fn every_caller_gets_of_every_route_what_its_audience_promises() {
    // [SAFE192] [SAFE256] [AUTH121] [AUTH135] [AUTH122] [AUTH136] [EVT103]
    try_every_caller(0);
}

#[test]
fn every_caller_gets_of_every_route_what_its_audience_promises_in_the_second_part() {
    try_every_caller(1);
}

#[test]
fn every_caller_gets_of_every_route_what_its_audience_promises_in_the_third_part() {
    try_every_caller(2);
}

#[test]
fn every_caller_gets_of_every_route_what_its_audience_promises_in_the_fourth_part() {
    try_every_caller(3);
}

fn try_every_caller(part: usize) {
    let writes = std::env::var_os("PERMISSIONS").is_some_and(|what| what == "write");
    // The first writes all of them.
    if writes && part != 0 {
        return;
    }
    let tries = move |row: usize| writes || row % PARTS == part;
    // Without optimisation an upload within a scene needs more than the 2 MiB that a test's thread has.
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    thread.spawn(move || try_rows(tries, writes)).unwrap().join().unwrap();
}

fn try_rows(tries: impl Fn(usize) -> bool, writes: bool) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contract/permissions.txt");
    on_both_engines(async |world: World| {
        let everything = |settings: &mut app::Settings| {
            settings.seller = Some(app::testing::seller());
            settings.studio_hosts = true;
        };
        let world = World::with_settings(world.parts.db.clone(), everything).await;
        let stale = Scene::of_a_stale_guest(&world).await;
        world.clock.advance(DAY.saturating_mul(31));
        let (mut lines, mut broken) = (Vec::new(), Vec::new());
        let rows = rows();
        for (place, row) in rows.iter().enumerate().filter(|(place, _)| tries(*place)) {
            let cells = cells(&world, row, &stale).await;
            lines.push((place, line(row, &cells)));
            broken.extend(violations(row, &cells));
        }
        if writes {
            let lines: String = lines.iter().map(|(_, line)| line.as_str()).collect();
            std::fs::write(file, lines).unwrap();
        }
        assert!(broken.is_empty(), "{}", broken.join("\n"));
        let expected = std::fs::read_to_string(file).unwrap_or_default();
        let expected: Vec<&str> = expected.lines().collect();
        for (place, found) in lines {
            let wanted = expected.get(place).copied();
            assert_eq!(Some(found.trim_end()), wanted, "{:?}, in permissions.txt", world.parts.db.engine());
        }
        assert_eq!(rows.len(), expected.len());
    });
}
