//! The numbers of the week by mail, for those who want it.

use askama::Template;
use domain::accounts::User;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::statistics::{WEEK, next_summary, week_before};
use domain::{Job, Timestamp, UserId};
use storage::statistics::activity::OfEvent;

use crate::operations::mails;
use crate::{App, Result, Settings, statistics};

/// Accounts that are read in one query.
const BATCH: i64 = 100;
/// Most events that a mail names.
const EVENTS: usize = 20;

/// Whether an account gets the mail.
///
/// # Errors
/// When the database fails.
pub async fn wanted(app: &App, user: &User) -> Result<bool> {
    Ok(storage::statistics::weekly::due_at(&app.db, user.id).await?.is_some())
}

/// Mails an account its numbers every Monday from the next on, or not.
///
/// # Errors
/// When the database fails.
pub async fn set_wanted(app: &App, user: &User, wanted: bool) -> Result<()> {
    let first = wanted.then(|| next_summary(app.now()));
    Ok(storage::statistics::weekly::set(&app.db, user.id, first).await?)
}

/// Enqueues the mails that are due. Weeks that were missed, while nothing ran, are not made up for.
pub(crate) async fn enqueue_due(app: &App) -> Result<()> {
    let now = app.now();
    let next = next_summary(now);
    loop {
        let due = storage::statistics::weekly::due(&app.db, now, BATCH).await?;
        if due.is_empty() {
            return Ok(());
        }
        for user in due {
            let mut tx = app.begin().await?;
            if storage::statistics::weekly::advance(&mut tx, user, now, next).await? {
                tx.enqueue(&Job::SendWeeklySummary { user, due: next.minus(WEEK) }).await?;
                tx.commit().await?;
            }
        }
    }
}

/// The job of [`enqueue_due`]. Mails nothing about a week in which no guest did anything, nor to an address that nobody has
/// confirmed.
pub(crate) async fn send(app: &App, user: UserId, due: Timestamp) -> Result<()> {
    let Some(user) = storage::accounts::users::by_id(&app.db, user).await? else { return Ok(()) };
    if user.email_verified_at.is_none() || !wanted(app, &user).await? {
        return Ok(());
    }
    statistics::write(app).await?;
    let (from, to) = week_before(due);
    let events = storage::statistics::activity::by_event(&app.db, user.id, from, to).await?;
    if events.is_empty() {
        return Ok(());
    }
    mails::deliver(app, &mail(&app.settings, &user, &events, (from, to))?).await
}

struct Summary {
    site: String,
    subject: &'static str,
    name: String,
    from: String,
    to: String,
    lines: Vec<Line>,
    more: usize,
    url: String,
    account_url: String,
}

struct Line {
    event: String,
    text: String,
}

#[derive(Template)]
#[template(path = "summary.txt")]
struct SummaryText<'a> {
    mail: &'a Summary,
}

#[derive(Template)]
#[template(path = "summary.html")]
struct SummaryHtml<'a> {
    mail: &'a Summary,
}

fn mail(settings: &Settings, user: &User, events: &[OfEvent], week: (Timestamp, Timestamp)) -> Result<Mail> {
    let lines =
        events.iter().take(EVENTS).map(|event| Line { event: unlinked(&event.name), text: text(event) });
    let summary = Summary {
        site: settings.site_name.clone(),
        subject: "Your events last week",
        name: unlinked(&user.name),
        from: week.0.to_long_date(),
        to: week.1.to_long_date(),
        lines: lines.collect(),
        more: events.len().saturating_sub(EVENTS),
        url: format!("{}/admin/statistics", settings.public_url),
        account_url: format!("{}/admin/account", settings.public_url),
    };
    Ok(Mail {
        to: user.email.clone(),
        reply_to: None,
        subject: summary.subject.to_owned(),
        text: SummaryText { mail: &summary }.render()?,
        html: SummaryHtml { mail: &summary }.render()?,
        attachment: None,
        unsubscribe_url: None,
        links: vec![summary.url],
    })
}

fn text(event: &OfEvent) -> String {
    let counts = &event.counts;
    let number = |count: i64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let found = counts.found_percent().map(|percent| format!(" ({percent} % found something)"));
    format!(
        "{}, {}{}, {}, {}",
        number(counts.visits, "visit", "visits"),
        number(counts.searches, "search", "searches"),
        found.unwrap_or_default(),
        number(counts.guests_helped, "guest helped", "guests helped"),
        number(counts.downloads, "photo saved", "photos saved"),
    )
}
