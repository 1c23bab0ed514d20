//! Compares docs/requirements.md with the tests: a requirement is covered when a test cites its id in its name or first comment.

mod citations;
mod list;
mod placement;
mod report;

use clap::Args;

use crate::failure::Failure;
use crate::repository::Repository;
use report::Detail;

const LIST: &str = "docs/requirements.md";

#[derive(Args)]
pub(crate) struct Options {
    /// Only this area, with the open requirements in full and where the others are cited
    #[arg(long)]
    area: Option<String>,
    /// Only requirements of this side: server, web, both or cli
    #[arg(long)]
    side: Option<String>,
    /// Only the totals, area by area
    #[arg(long)]
    summary: bool,
    /// Fail when a test cites an unknown id
    #[arg(long)]
    fail_on_unknown: bool,
    /// Fail when a citation stands neither in a test's name nor in its first comment
    #[arg(long)]
    fail_on_misplaced: bool,
    /// Fail when no test cites a requirement
    #[arg(long)]
    fail_on_open: bool,
}

pub(crate) fn run(repository: &Repository, options: &Options) -> Result<bool, Failure> {
    let list = list::parse(&repository.read(LIST)?).map_err(|reason| Failure::invalid(LIST, reason))?;
    let found = citations::find(&repository.files()?);
    let report = report::compare(&list, &found.placed);

    if let Some(area) = &options.area
        && !list.requirements.iter().any(|requirement| requirement.area() == area)
    {
        return Err(Failure::invalid(LIST, format!("there is no area {area}")));
    }
    let detail = match (&options.area, options.summary) {
        (_, true) => Detail::Totals,
        (None, false) => Detail::Ids,
        (Some(_), false) => Detail::Full,
    };
    print!("{}", report.text(options.area.as_deref(), options.side.as_deref(), detail));

    let unknown_fails = options.fail_on_unknown && !report.unknown.is_empty();
    for (id, places) in &found.misplaced {
        println!("misplaced {id}: {}", places.join(", "));
    }
    let misplaced_fails = options.fail_on_misplaced && !found.misplaced.is_empty();
    let open = report.open();
    if !open.is_empty() {
        println!("\nopen: {}", open.join(" "));
    }
    Ok(!unknown_fails && !misplaced_fails && (open.is_empty() || !options.fail_on_open))
}
