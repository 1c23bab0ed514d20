//! The guests of a demo's event, who use it as those of a real one do: by the functions that the API calls.

use std::net::{IpAddr, Ipv4Addr};

use app::events::access::Visitor;
use app::faces::search::{self, Selfies};
use app::guests::browsing::{self, Query};
use app::guests::objections::requests::{self, NewObjection};
use app::guests::questions::{self, Submission};
use app::guests::results::FoundPhoto;
use app::guests::{archives, hearts};
use app::{App, Failure, statistics};
use domain::events::Event;
use domain::faces::Strictness;
use domain::faces::consents::NoticeVersion;
use domain::guests::objections::Choice;
use domain::statistics::Counts;

use super::pictures::{Description, Pictures};
use crate::cli::CliError;

/// How many guests open the event's page on its day and on those after it.
const VISITS: [i64; 10] = [46, 88, 57, 39, 24, 17, 21, 12, 9, 6];
/// Hearts of each third photo, so that some have more than others.
const HEARTS: [usize; 5] = [4, 1, 7, 2, 3];
/// Guests who search today.
const SEARCHERS: usize = 3;
const GUEST: &str = "lena@example.com";
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const NOBODY: Visitor = Visitor { proof: None, account: None };

/// Lets guests look, search, save, put hearts on photos, ask, and ask for being found no more.
pub(super) async fn come(
    app: &App,
    event: &Event,
    pictures: &Pictures,
    description: &Description,
) -> Result<(), CliError> {
    visit_before_today(app, event);
    for person in description.people.iter().take(SEARCHERS) {
        let Some(selfies) = selfies(pictures, person)? else { continue };
        statistics::count_visit(app, event);
        let found = search::in_event(app, event, &NOBODY, selfies).await?;
        if let Some(token) = found.download_token {
            let archive = archives::archive(app, &token).await?;
            statistics::count_archive(app, &archive);
        }
    }
    let shown = browsing::page(app, &NOBODY, &event.slug, Query::default()).await?.photos;
    put_hearts(app, event, &shown).await?;
    if let (Some(question), Some(about)) = (&description.question, shown.first()) {
        let submission =
            Submission { key: about.handle.clone(), email: GUEST.to_owned(), message: question.clone() };
        questions::ask(app, &NOBODY, &event.slug, ADDRESS, submission).await?;
    }
    if let Some(person) = &description.wants_to_be_removed
        && let Some(selfies) = selfies(pictures, person)?
    {
        object(app, event, selfies).await?;
    }
    statistics::write(app).await?;
    Ok(())
}

/// The days since the event, but today; the first of them in [`VISITS`] is the event's.
fn visit_before_today(app: &App, event: &Event) {
    let days = statistics::days_since(app, event);
    for (days_after, visits) in (0..days).zip(VISITS) {
        let searches = visits * 3 / 5;
        let searches_empty = searches / 9;
        let searches_found = searches - searches_empty;
        let counts = Counts {
            visits,
            searches,
            searches_found,
            searches_empty,
            guests_helped: searches_found * 4 / 5,
            downloads: searches_found * 5 / 2,
            browsed: visits / 4,
            hearts: visits / 3,
            shown: searches_found * 5,
            not_me: searches_found / 40,
            missed: searches_found / 8,
        };
        statistics::count_earlier(app, event, days - days_after, counts);
    }
}

fn selfies(pictures: &Pictures, person: &str) -> Result<Option<Selfies>, CliError> {
    let Some(selfie) = pictures.selfie(person)? else { return Ok(None) };
    Ok(Some(Selfies {
        pictures: vec![selfie.into()],
        face: None,
        strictness: Strictness::Normal,
        rejected: Vec::new(),
        wants_preview: false,
        found_before: false,
        admission: None,
    }))
}

async fn put_hearts(app: &App, event: &Event, shown: &[FoundPhoto]) -> Result<(), CliError> {
    for (photo, hearts) in shown.iter().step_by(3).zip(HEARTS.into_iter().cycle()) {
        for _ in 0..hearts {
            hearts::count(app, &NOBODY, &event.slug, &photo.handle, true).await?;
        }
    }
    Ok(())
}

async fn object(app: &App, event: &Event, selfies: Selfies) -> Result<(), Failure> {
    let preview = requests::preview(app, event, selfies, None).await?;
    let new = NewObjection {
        token: preview.token,
        choice: Choice::StopFinding.as_str().to_owned(),
        notice_version: NoticeVersion::CURRENT.as_str().to_owned(),
    };
    requests::object(app, requests::validate(app, &NOBODY, &new).await?).await.map(drop)
}
