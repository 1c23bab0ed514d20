//! `afterglow upload`: uploads a folder to a service over HTTP, with an API token.

mod arrivals;
mod destination;
mod hashes;
mod pictures;
mod report;
mod token;
mod transfers;
mod watching;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use domain::Refusal;
use gateway::photo_uploads::{Service, ServiceError};
use tokio::sync::mpsc::{Receiver, UnboundedSender, channel, unbounded_channel};
use tokio::task::JoinSet;

use crate::cli::{CliError, print};
use crate::settings;
use destination::Destination;
use hashes::{Looked, look_up};
use pictures::{Names, find};
use report::{Became, Report};
use transfers::{Failure, send};

/// How many photos travel at once, as from the browser.
const PARALLEL: usize = 3;
/// How many that were looked up wait for that.
const QUEUE: usize = 100;
/// The service when none is named.
const HERE: &str = "http://localhost:8080";

/// What is uploaded, and where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder; pictures in its subfolders belong to it.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The event: its name in links, or a link to it.
    #[arg(long, value_name = "SLUG")]
    event: String,
    /// Stay, and upload what a program writes into the folder, each picture once it is whole.
    #[arg(long)]
    watch: bool,
    /// Let a picture take the place of the photo in the event whose file had the same name, but for case and a picture's
    /// ending: an edited version. It keeps that
    /// photo's album, hearts and downloads, and costs nothing within 30 days of its upload.
    #[arg(long)]
    replace: bool,
    /// The service, such as https://photos.example.com. Without it AFTERGLOW_SERVER, or else http://localhost:8080.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// A file with the API token that nobody else can read. Without it the token is in AFTERGLOW_TOKEN.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// With --watch: for how many seconds a file has to be unchanged.
    #[arg(long, default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    settle: u64,
}

/// How it ended.
enum Ending {
    /// Everything that was found is uploaded, or refused.
    Done,
    Interrupted,
    /// Nothing more can be uploaded.
    Stopped(ServiceError),
}

/// Uploads a folder. Ends with 1 when a photo failed, with 3 when the token is refused, with 4 when credits are missing, with
/// 5 when there is no such event, with 130 when it was interrupted.
pub(crate) async fn run(arguments: Arguments) -> Result<ExitCode, CliError> {
    let Arguments { folder, event, watch, replace, server, token_file, settle } = arguments;
    let token = token::read(token_file.as_deref(), settings::variable("token").map(Into::into))?;
    let server = server.or_else(|| settings::variable("server")).unwrap_or_else(|| String::from(HERE));
    let service = Service::new(&server, token).map_err(|error| CliError::new(error.to_string()))?;
    // Before anything is asked: a wrong folder is a wrong command.
    let contents = find(&folder).map_err(|error| CliError::context(&folder.display().to_string(), &error))?;
    let report = Report::new();
    if service.is_open_to_readers() {
        report.line(&format!("Others can read the API token on its way to {server}: use https."));
    }
    let event = match service.event(slug(&event)).await {
        Ok(event) => event,
        Err(error) => return failed(&error),
    };
    let until = if watch { ", and what is written into it, until Ctrl-C" } else { "" };
    report.line(&format!("Uploading {} to {}{until}.", folder.display(), event.name));
    let destination = Arc::new(Destination {
        service,
        event: event.id,
        replaces: replace,
        names: Names::default(),
        report,
        is_patient: watch,
    });
    destination.names.add(&contents.pictures);
    let (to_hash, hashing) = channel(1);
    let (found, looked) = channel(QUEUE);
    let (returns, returned) = unbounded_channel();
    let mut helpers = JoinSet::new();
    helpers.spawn(look_up(destination.clone(), hashing, found));
    if watch {
        let settle = Duration::from_secs(settle);
        helpers.spawn(watching::feed(destination.clone(), folder, settle, to_hash, returned));
    } else {
        destination.report.find(&contents.pictures);
        destination.report.lose(&contents.unreadable);
        destination.report.leave_out(contents.raws);
        // The channel has room for it. It ends with its sender.
        let _ = to_hash.send(contents.pictures).await;
        drop(to_hash);
    }
    let returns = watch.then_some(returns);
    let ending = upload(&destination, looked, returns).await;
    destination.report.finish();
    end(ending, &destination.report)
}

/// Uploads what is new until there is no more of it.
async fn upload(
    destination: &Arc<Destination>,
    mut looked: Receiver<Looked>,
    returns: Option<UnboundedSender<PathBuf>>,
) -> Ending {
    let report = &destination.report;
    let mut running = JoinSet::new();
    let mut has_more = true;
    let mut interrupted = std::pin::pin!(interruption());
    while has_more || !running.is_empty() {
        tokio::select! {
            next = looked.recv(), if has_more && running.len() < PARALLEL => match next {
                None => has_more = false,
                Some(Looked::New(photo)) => {
                    running.spawn(send(destination.clone(), photo));
                }
                Some(Looked::There(picture)) => report.there(&picture),
                Some(Looked::Unreadable(picture, error)) => {
                    report.failed(&picture.path, &format!("it cannot be read: {error}"));
                }
                Some(Looked::Stop(error)) => return Ending::Stopped(error),
            },
            Some(sent) = running.join_next() => {
                // A panic is reported by the program, and costs one photo.
                let Ok((photo, sent)) = sent else {
                    report.failed(Path::new("a photo"), "the program has a defect");
                    continue;
                };
                let path = photo.picture.path;
                match (sent, &returns) {
                    (Ok(taken), _) => report.uploaded(&path, Became::of(&taken)),
                    (Err(Failure::OfPhoto(why)), _) => report.failed(&path, &why),
                    (Err(Failure::Changed), Some(returns)) => {
                        report.put_back(photo.picture.state.size);
                        let _ = returns.send(path);
                    }
                    (Err(Failure::Changed), None) => {
                        report.failed(&path, "it was changed meanwhile");
                    }
                    (Err(Failure::OfAll(error)), _) => return Ending::Stopped(error),
                }
            }
            () = &mut interrupted => return Ending::Interrupted,
        }
    }
    Ending::Done
}

/// Resolves when the program is to end: by Ctrl-C, or by a service manager.
async fn interruption() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut ending) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        _ = ending.recv() => {}
    }
}

fn end(ending: Ending, report: &Report) -> Result<ExitCode, CliError> {
    let left = report.left();
    print(&report.sum())?;
    match ending {
        Ending::Interrupted if left > 0 => {
            let photos = if left == 1 { "photo" } else { "photos" };
            print(&format!(
                "Interrupted with {left} {photos} left. The same command goes on where it stopped.\n"
            ))?;
            Ok(ExitCode::from(130))
        }
        // Whoever watches ends it so.
        Ending::Done | Ending::Interrupted if report.tally().failed == 0 => Ok(ExitCode::SUCCESS),
        Ending::Done | Ending::Interrupted => Ok(ExitCode::FAILURE),
        Ending::Stopped(error) => failed(&error),
    }
}

/// Says why nothing more can be uploaded, and what to do where the service's own words do not.
fn failed(error: &ServiceError) -> Result<ExitCode, CliError> {
    let (code, advice) = match error {
        ServiceError::Refused { status: 401, .. } => {
            (3, " Make one on the account page, and put it into AFTERGLOW_TOKEN or a file.")
        }
        ServiceError::Refused { status: 403, .. } => (3, ""),
        ServiceError::Refused { status: 402, .. } => (4, " The same command uploads the rest afterwards."),
        ServiceError::Refused { code, .. } if code == Refusal::EventNotFound.code() => (
            5,
            ". --event is the last part of an event's link, and the event has to be the token's photographer's.",
        ),
        ServiceError::Refused { status: 409, .. } => (5, ""),
        _ => (1, " The same command goes on where it stopped."),
    };
    crate::cli::report(&CliError::new(format!("{error}{advice}")));
    Ok(ExitCode::from(code))
}

/// The name of an event in links, out of a link too.
fn slug(event: &str) -> &str {
    let slug = event.rsplit_once("/event/").map_or(event, |(_, slug)| slug);
    slug.split(['?', '#', '/']).next().unwrap_or(slug).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_named_by_its_slug_or_a_link() {
        for event in [
            "party-4k2x",
            "https://photos.example.com/event/party-4k2x",
            "http://localhost:8080/event/party-4k2x?a=b#c",
        ] {
            assert_eq!(slug(event), "party-4k2x", "{event}");
        }
    }
}
