//! Compares docs/requirements.md with the tests: a requirement is covered when a test cites its id.

mod citations;
mod list;
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
    /// Fail when no test cites a requirement
    #[arg(long)]
    fail_on_open: bool,
}

pub(crate) fn run(repository: &Repository, options: &Options) -> Result<bool, Failure> {
    let list = list::parse(&repository.read(LIST)?).map_err(|reason| Failure::invalid(LIST, reason))?;
    let citations = citations::find(&repository.files()?);
    let report = report::compare(&list, &citations);

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
    let open = report.open();
    if !open.is_empty() {
        println!("\nopen: {}", open.join(" "));
    }
    Ok(!unknown_fails && (open.is_empty() || !options.fail_on_open))
}
