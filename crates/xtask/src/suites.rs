//! Runs every test suite, logs its output, and totals the counts. Most tests wait for most of their time, for a server, a
//! browser or a disk: three lanes run beside each other, and the suites of a lane take turns.

mod log_lines;
mod scratch;
mod summaries;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::failure::Failure;
use crate::repository::Repository;
use crate::torture;
use scratch::Scratch;
use summaries::{Counts, Summary, binaries};

const LOGS: &str = "target/test-logs";
/// Makes the binary under test, as the tests' own compilation does later: with the features that tests ask for, which
/// `cargo build` leaves out. Of all tests, this one is the quickest to compile among those that need the binary. Then the
/// program by which tests in browsers write HEIC: they could not compile it while Rust's lane does.
const BUILDS: [&str; 2] =
    ["cargo test --workspace --no-run --test torture", "cargo build --workspace --example heic"];
/// What storage's tests have the database do.
const STATEMENTS: &str = "target/test-statements";
/// The tests in the browser are repeated once where they fail (decision 0028). More of them than this are not a busy
/// machine's chance any more.
const FLAKY_AT_MOST: usize = 2;

/// Of binaries that take fewer seconds nothing is said.
const SLOW: f64 = 5.0;

/// `make models` creates it, with the numpy and Pillow that simulated events are drawn with.
const BUILDER_PYTHON: &str = ".cache/models-venv/bin/python";

#[derive(Args)]
pub(crate) struct Options {
    /// Only these suites: rust, web, tools, torture, e2e
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,

    /// One suite after the other, for a machine that other work shares
    #[arg(long)]
    in_turn: bool,
}

struct Suite {
    name: &'static str,
    steps: Vec<Step>,
    /// Whether its tests start servers, whose logs are read at the end.
    starts_servers: bool,
    /// Whether what its tests write for themselves may lie in memory.
    writes_in_memory: bool,
    /// Whether it takes the binary as it lies there.
    needs_binary: bool,
    lane: Lane,
}

/// Suites of one lane take turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Rust,
    Browsers,
    Others,
    /// After the others: its harness takes a server that does nothing for two seconds for one that has come to a standstill.
    Alone,
}

impl Lane {
    const BESIDE: [Self; 3] = [Self::Rust, Self::Browsers, Self::Others];
}

/// When a suite's output is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    EachLine,
    AtTheEnd,
}

struct Step {
    command: Vec<String>,
    environment: Vec<(&'static str, PathBuf)>,
    summary: Summary,
    /// There may be no documentation examples; any other runner that runs nothing is a failure.
    may_be_empty: bool,
}

#[derive(Default)]
struct Outcome {
    counts: Counts,
    notes: Vec<String>,
    seconds: u64,
}

impl Outcome {
    fn failure(note: &str) -> Self {
        let counts = Counts { failed: 1, ..Counts::default() };
        Self { counts, notes: vec![format!("counted as a failure: {note}")], seconds: 0 }
    }
}

pub(crate) fn run(repository: &Repository, options: &Options) -> Result<bool, Failure> {
    let mut suites = all(repository)?;
    if options.in_turn {
        suites.iter_mut().for_each(|suite| suite.lane = Lane::Alone);
    }
    if let Some(unknown) = options.suites.iter().find(|name| !suites.iter().any(|suite| suite.name == **name))
    {
        return Err(Failure::invalid(unknown, "there is no such suite"));
    }
    let chosen: Vec<&Suite> = suites
        .iter()
        .filter(|suite| options.suites.is_empty() || options.suites.iter().any(|name| name == suite.name))
        .collect();

    let server_logs = repository.path(log_lines::FOLDER);
    log_lines::clear(&server_logs)?;
    let mut lines = Vec::new();
    let mut total = Counts::default();
    let mut is_built = true;
    if chosen.iter().any(|suite| suite.needs_binary) {
        let started = Instant::now();
        is_built = build(repository)?;
        lines.push(format!("build   {} s", started.elapsed().as_secs()));
    }
    for (suite, outcome) in chosen.iter().zip(run_suites(repository, &chosen, is_built)?) {
        let Counts { passed, failed, skipped, .. } = outcome.counts;
        lines.push(format!(
            "{:<8}{passed} passed, {failed} failed, {skipped} skipped ({} s, {LOGS}/{}.log)",
            suite.name, outcome.seconds, suite.name
        ));
        lines.extend(outcome.notes.iter().map(|note| format!("        {note}")));
        total += outcome.counts;
    }
    let (read, finds) = log_lines::read(&server_logs)?;
    // Suites that start servers write their logs: without a line nothing was read.
    let starts_servers = chosen.iter().any(|suite| suite.starts_servers);
    let failed = finds.len() + usize::from(starts_servers && read == 0);
    lines
        .push(format!("logs    {read} lines of servers under test, {failed} failed ({})", log_lines::FOLDER));
    lines.extend(finds.iter().map(|find| format!("        {find}")));
    total += Counts { failed, ..Counts::default() };
    // libtest shows nothing that a passing test prints, so the tests cannot say it themselves.
    if std::env::var_os("EVAL_DIR").is_none() {
        lines.push(
            "EVAL_DIR is not set: what needs evaluation data passed without testing anything".to_owned(),
        );
    }
    println!("\n{}\n{} passed, {} failed", lines.join("\n"), total.passed, total.failed);
    Ok(total.failed == 0 && total.passed > 0)
}

fn all(repository: &Repository) -> Result<Vec<Suite>, Failure> {
    // Not nextest: it runs every test in its own process, which would start a PostgreSQL server for each.
    let mut rust = step("cargo test --workspace --no-fail-fast --lib --bins --tests", Summary::Libtest);
    // The statements that storage's tests run are written down, and their plans are looked at afterwards.
    let statements = repository.path(STATEMENTS);
    rust.environment.push(("RECORD_STATEMENTS", statements.clone()));
    rust.environment.push(("RUST_TEST_THREADS", threads().to_string().into()));
    let mut plans = step("cargo test --workspace --no-fail-fast --test engines plans::", Summary::Libtest);
    plans.environment.push(("RECORDED_STATEMENTS", statements));
    let mut examples = step("cargo test --workspace --no-fail-fast --doc", Summary::Libtest);
    examples.may_be_empty = true;

    // Other rounds each time: a defect's seeds are printed, and replayed from there.
    let torture = step(&format!("{} {}", torture::COMMAND, torture::SHORT), Summary::Libtest);

    let files = repository.files()?;
    let python_tests = files.iter().filter_map(|file| {
        let (folder, name) = file.path.rsplit_once('/')?;
        let has_tests = folder.starts_with("tools") || folder.starts_with("bench");
        (has_tests && name.starts_with("test_") && name.ends_with(".py")).then_some(folder)
    });
    let folders: BTreeSet<&str> = python_tests.collect();
    let tools = folders
        .into_iter()
        .map(|folder| {
            let draws = folder.starts_with("bench") || ["tools/demo", "tools/models"].contains(&folder);
            let python = if draws { BUILDER_PYTHON } else { "python3" };
            step(&format!("{python} -m unittest discover -v -s {folder} -t {folder}"), Summary::Unittest)
        })
        .collect();

    let suite = |name, steps| Suite {
        name,
        steps,
        starts_servers: false,
        writes_in_memory: false,
        needs_binary: false,
        lane: Lane::Others,
    };
    Ok(vec![
        Suite {
            starts_servers: true,
            writes_in_memory: true,
            lane: Lane::Rust,
            ..suite("rust", vec![rust, plans, examples])
        },
        suite("web", vec![step("npm --prefix web run --silent test", Summary::Vitest)]),
        Suite { needs_binary: true, ..suite("tools", tools) },
        // Its faults are those of a disk.
        Suite { starts_servers: true, lane: Lane::Alone, ..suite("torture", vec![torture]) },
        Suite {
            starts_servers: true,
            writes_in_memory: true,
            needs_binary: true,
            // Two browsers and two servers, which take a quarter of two cores together.
            lane: Lane::Browsers,
            ..suite("e2e", vec![step("npm --prefix web run --silent e2e", Summary::Playwright)])
        },
    ])
}

/// How many tests of one binary run at once: twice as many as there are cores, since half of the time they wait.
fn threads() -> usize {
    2 * thread::available_parallelism().map_or(1, usize::from)
}

fn step(command: &str, summary: Summary) -> Step {
    let command = command.split(' ').map(str::to_owned).collect();
    Step { command, environment: Vec::new(), summary, may_be_empty: false }
}

/// Makes the binary under test, and what tests need beside it; false where it does not compile.
fn build(repository: &Repository) -> Result<bool, Failure> {
    for build in BUILDS {
        println!("\n$ {build}");
        let mut words = build.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).current_dir(repository.path("")).env("CARGO_TERM_COLOR", "never");
        let status = command.status();
        let status = status.map_err(|source| Failure::Spawn { command: build.to_owned(), source })?;
        if !status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs the suites and answers their outcomes in the same order. The first lane's output is shown line by line.
fn run_suites(repository: &Repository, suites: &[&Suite], is_built: bool) -> Result<Vec<Outcome>, Failure> {
    let mut show = Show::EachLine;
    let of = |lane| -> Vec<_> { suites.iter().enumerate().filter(|(_, suite)| suite.lane == lane).collect() };
    let outcomes = thread::scope(|scope| {
        let mut lanes = Vec::new();
        for lane in Lane::BESIDE {
            let in_turn = of(lane);
            if in_turn.is_empty() {
                continue;
            }
            let show = std::mem::replace(&mut show, Show::AtTheEnd);
            lanes.push(scope.spawn(move || -> Result<Vec<(usize, Outcome)>, Failure> {
                let run = |suite| run_suite(repository, suite, is_built, show);
                in_turn.into_iter().map(|(place, suite)| Ok((place, run(suite)?))).collect()
            }));
        }
        let ended = lanes.into_iter().map(|lane| lane.join());
        ended
            .map(|lane| lane.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<_>, _>>()
    });
    let mut outcomes: Vec<(usize, Outcome)> = outcomes?.into_iter().flatten().collect();
    for (place, suite) in of(Lane::Alone) {
        outcomes.push((place, run_suite(repository, suite, is_built, Show::EachLine)?));
    }
    outcomes.sort_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn run_suite(repository: &Repository, suite: &Suite, is_built: bool, show: Show) -> Result<Outcome, Failure> {
    if suite.needs_binary && !is_built {
        return Ok(Outcome::failure("it was not run, for the binary does not compile"));
    }
    if suite.steps.is_empty() {
        return Ok(Outcome::failure("the suite has no tests"));
    }
    let started = Instant::now();
    let log = repository.path(&format!("{LOGS}/{}.log", suite.name));
    let in_log = |source| Failure::File { path: log.clone(), source };
    fs::create_dir_all(log.parent().unwrap_or(&log)).map_err(in_log)?;
    let mut log_file = File::create(&log).map_err(in_log)?;

    let mut outcome = Outcome::default();
    let scratch = if suite.writes_in_memory { Scratch::new(suite.name)? } else { None };
    for step in &suite.steps {
        let command = step.command.join(" ");
        match show {
            Show::EachLine => println!("\n$ {command}"),
            Show::AtTheEnd => println!("\n$ {command}   (beside the others; {LOGS}/{}.log)", suite.name),
        }
        let run = run_step(repository.path(""), step, scratch.as_ref(), &mut log_file, show);
        let Run { output, succeeded, compiled } =
            run.map_err(|source| Failure::Spawn { command: command.clone(), source })?;
        if show == Show::AtTheEnd {
            // One call, so that no line of another suite comes between.
            print!("\n$ {command}\n{output}");
        }
        if let (Summary::Libtest, Some(compiled)) = (step.summary, compiled) {
            let slow = binaries(&output).into_iter().filter(|binary| binary.seconds >= SLOW);
            let slow: Vec<String> =
                slow.map(|binary| format!("{} {:.0} s", binary.name, binary.seconds)).collect();
            outcome.notes.push(format!("compiled in {} s; {}", compiled.as_secs(), slow.join(", ")));
        }
        let counts =
            check(step.summary.parse(&output), succeeded, step.may_be_empty).unwrap_or_else(|reason| {
                outcome.notes.push(format!("counted as a failure: `{command}` {reason}"));
                Counts { failed: 1, ..step.summary.parse(&output).unwrap_or_default() }
            });
        outcome.counts += counts;
        let named =
            |what, titles: Vec<String>| titles.into_iter().map(move |title| format!("{what}: {title}"));
        outcome.notes.extend(named("failed", step.summary.failed_titles(&output)));
        outcome.notes.extend(named("passed when repeated", step.summary.flaky_titles(&output)));
    }
    outcome.seconds = started.elapsed().as_secs();
    Ok(outcome)
}

/// The counts of a step, or why it counts as a failure regardless of them.
fn check(counts: Option<Counts>, succeeded: bool, may_be_empty: bool) -> Result<Counts, &'static str> {
    match counts {
        None => Err("printed no summary"),
        Some(Counts { flaky, .. }) if flaky > FLAKY_AT_MOST => {
            Err("has too many tests that passed when repeated")
        }
        Some(counts) if counts.failed == 0 && !succeeded => {
            Err("exited with an error, though it counts no failed test")
        }
        Some(Counts { passed: 0, failed: 0, .. }) if !may_be_empty => Err("ran nothing"),
        Some(counts) => Ok(counts),
    }
}

/// What a step did.
struct Run {
    output: String,
    succeeded: bool,
    /// After how long Cargo began to run tests.
    compiled: Option<Duration>,
}

/// Runs a command with stdout and stderr merged to the log, and to the terminal where each line is shown.
fn run_step(
    folder: PathBuf,
    step: &Step,
    scratch: Option<&Scratch>,
    log: &mut File,
    show: Show,
) -> io::Result<Run> {
    let started = Instant::now();
    let (reader, writer) = io::pipe()?;
    let [program, arguments @ ..] = step.command.as_slice() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut child = Command::new(program)
        .args(arguments)
        .envs(step.environment.iter().map(|(name, value)| (name, value)))
        .envs(scratch.map(|scratch| ("TMPDIR", scratch.path())))
        .env(log_lines::VARIABLE, folder.join(log_lines::FOLDER))
        .current_dir(folder)
        .env("CARGO_TERM_COLOR", "never")
        .env("NO_COLOR", "1")
        .env("CI", "1")
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    let mut output = String::new();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    let mut compiled = None;
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if compiled.is_none() && text.starts_with(summaries::RUNNING) {
            compiled = Some(started.elapsed());
        }
        if show == Show::EachLine {
            print!("{text}");
        }
        log.write_all(text.as_bytes())?;
        output.push_str(&text);
        line.clear();
    }
    Ok(Run { output, succeeded: child.wait()?.success(), compiled })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Counts = Counts { passed: 3, failed: 0, skipped: 1, flaky: 0 };

    #[test]
    fn no_summary_or_no_test_counts_as_a_failure() {
        assert_eq!(check(Some(COUNTS), true, false), Ok(COUNTS));
        assert!(check(None, true, false).is_err());
        assert!(check(Some(COUNTS), false, false).is_err());
        assert!(check(Some(Counts::default()), true, false).is_err());
        assert!(check(Some(Counts { skipped: 4, ..Counts::default() }), true, false).is_err());
        assert_eq!(check(Some(Counts::default()), true, true), Ok(Counts::default()));
        assert!(check(None, true, true).is_err());
    }

    #[test]
    fn a_few_tests_may_pass_when_repeated_and_more_count_as_a_failure() {
        let flaky = |flaky| Counts { flaky, ..COUNTS };
        assert_eq!(check(Some(flaky(FLAKY_AT_MOST)), true, false), Ok(flaky(FLAKY_AT_MOST)));
        assert!(check(Some(flaky(FLAKY_AT_MOST + 1)), true, false).is_err());
    }

    #[test]
    fn failed_tests_are_counted_unchanged() {
        let counts = Counts { passed: 1, failed: 2, skipped: 0, flaky: 0 };
        assert_eq!(check(Some(counts), false, false), Ok(counts));
    }

    fn suite_of(name: &'static str, lane: Lane, script: String) -> Suite {
        let passed = "echo 'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s'";
        let command = vec!["sh".to_owned(), "-c".to_owned(), format!("{script} && {passed}")];
        let steps =
            vec![Step { command, environment: Vec::new(), summary: Summary::Libtest, may_be_empty: false }];
        Suite {
            name,
            steps,
            starts_servers: false,
            writes_in_memory: false,
            needs_binary: name == "xtask-needs-binary",
            lane,
        }
    }

    #[test]
    fn lanes_run_beside_each_other_and_outcomes_come_in_the_order_of_the_suites() {
        let file = std::env::temp_dir().join(format!("xtask-lanes-{}", std::process::id()));
        let name = file.display();
        // The first can end only while the second runs.
        let waiting = format!(
            "for i in $(seq 600); do [ -e {name} ] && exit_now=1 && break; sleep 0.05; done; [ -n \"$exit_now\" ]"
        );
        let suites = [
            suite_of("xtask-waiting", Lane::Rust, waiting),
            suite_of("xtask-needs-binary", Lane::Others, "true".to_owned()),
            suite_of("xtask-making", Lane::Browsers, format!("touch {name}")),
            suite_of("xtask-alone", Lane::Alone, "true".to_owned()),
        ];
        let repository = Repository::containing_this_crate();
        let chosen: Vec<&Suite> = suites.iter().collect();
        let outcomes = run_suites(&repository, &chosen, false).unwrap();
        fs::remove_file(&file).unwrap();
        let counts: Vec<_> =
            outcomes.iter().map(|outcome| (outcome.counts.passed, outcome.counts.failed)).collect();
        assert_eq!(counts, [(1, 0), (0, 1), (1, 0), (1, 0)], "what the binary is missing for was not run");
        for suite in &suites {
            let _ = fs::remove_file(repository.path(&format!("{LOGS}/{}.log", suite.name)));
        }
    }

    #[test]
    fn a_step_logs_both_streams_and_returns_its_status() {
        let path = std::env::temp_dir().join(format!("xtask-step-{}", std::process::id()));
        let mut log = File::create(&path).unwrap();
        let command = ["sh", "-c", "echo one; echo $TWO >&2; exit 3"].map(str::to_owned).to_vec();
        let environment = vec![("TWO", PathBuf::from("two"))];
        let step = Step { command, environment, summary: Summary::Libtest, may_be_empty: false };
        let run = run_step(PathBuf::from("/"), &step, None, &mut log, Show::AtTheEnd).unwrap();
        assert_eq!(run.output, "one\ntwo\n");
        assert!(!run.succeeded);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        fs::remove_file(path).unwrap();
    }
}
