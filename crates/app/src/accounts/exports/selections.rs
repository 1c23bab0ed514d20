//! What clients have chosen, without what opens their pages.

use domain::PhotoId;
use domain::guests::client_selections::{ClientSelection, Marked, Scope};
use domain::photos::albums::Album;
use serde::Serialize;

use super::values::{Id, Moment};

#[derive(Serialize)]
pub(super) struct Selection<'a> {
    client: &'a str,
    created_at: Moment,
    /// At most so many photos; none for any number.
    at_most: Option<u32>,
    last_day: Option<String>,
    asks_for_a_pin: bool,
    /// The name of the album whose photos it shows; none for all of the event, and where the album is deleted.
    album: Option<&'a str>,
    done_at: Option<Moment>,
    message: Option<&'a str>,
    marks: Vec<MarkOf<'a>>,
}

#[derive(Serialize)]
struct MarkOf<'a> {
    photo: Id<PhotoId>,
    chosen: bool,
    comment: Option<&'a str>,
}

impl<'a> Selection<'a> {
    /// The selection of an event with these albums.
    pub(super) fn of(made: &'a ClientSelection, marks: &'a [Marked], albums: &'a [Album]) -> Self {
        let album = albums.iter().find(|album| made.scope == Scope::Album(album.id));
        let marks = marks.iter().map(|marked| MarkOf {
            photo: Id(marked.photo),
            chosen: marked.mark.chosen,
            comment: Some(marked.mark.comment.as_str()).filter(|comment| !comment.is_empty()),
        });
        Self {
            client: &made.name,
            created_at: Moment(made.created_at),
            at_most: made.limit,
            last_day: made.due_on.map(|day| day.to_string()),
            asks_for_a_pin: made.pin.is_some(),
            album: album.map(|album| album.name.as_str()),
            done_at: made.done_at.map(Moment),
            message: made.message.as_deref(),
            marks: marks.collect(),
        }
    }
}
