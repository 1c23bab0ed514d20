//! The calendar's entry that brings a guest back to an event (iCalendar, RFC 5545).

use app::App;
use app::guests::reminders;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use domain::guests::subscriptions::Language;
use icalendar::{Calendar, Component, Event, Parameter, Property};
use serde::Deserialize;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Path, Query};

/// The route of the calendars.
pub(crate) const ROUTE: &str = "/event/{slug}/calendar.ics";

#[derive(Deserialize)]
pub(crate) struct CalendarQuery {
    /// The guest's language (BCP 47).
    #[serde(default)]
    language: String,
}

/// A day on which the photos of an event can be looked for, as programs for calendars take it.
pub(crate) async fn calendar(
    State(app): State<App>,
    Path(slug): Path<String>,
    Query(CalendarQuery { language }): Query<CalendarQuery>,
) -> Result<Response> {
    let reminder = reminders::of_event(&app, &slug, &Language::parse(&language)).await?;
    let start =
        Property::new("DTSTART", reminder.day).append_parameter(Parameter::new("VALUE", "DATE")).done();
    let entry = Event::new()
        // A program that has the entry changes it instead of making another.
        .uid(&reminder.url)
        .summary(&reminder.title)
        .description(&reminder.url)
        .url(&reminder.url)
        .append_property(start)
        .done();
    let body = Calendar::empty()
        .append_property(("VERSION", "2.0"))
        .append_property(("PRODID", "-//Afterglow//EN"))
        .push(entry)
        .done()
        .to_string();
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
    ];
    Ok((headers, body).into_response())
}
