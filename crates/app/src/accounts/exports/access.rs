//! What gives access to an event or tells others of it, without what it is opened with.

use domain::guests::walls;
use domain::photos::albums::Album;
use domain::webhooks;
use serde::Serialize;
use storage::uploads::ftp;

use super::values::Moment;

#[derive(Serialize)]
pub(super) struct FtpLogin<'a> {
    user_name: &'a str,
    created_at: Moment,
    expires_at: Option<Moment>,
    last_used_at: Option<Moment>,
}

impl<'a> FtpLogin<'a> {
    pub(super) fn of(login: &'a ftp::FtpLogin) -> Self {
        Self {
            user_name: &login.name,
            created_at: Moment(login.created_at),
            expires_at: login.expires_at.map(Moment),
            last_used_at: login.last_used_at.map(Moment),
        }
    }
}

/// Where other programs are told of what happens, without the secret.
#[derive(Serialize)]
pub(super) struct Webhook<'a> {
    url: &'a str,
    description: &'a str,
    told_of: Vec<&'static str>,
    created_at: Moment,
    switched_off_at: Option<Moment>,
}

impl<'a> Webhook<'a> {
    pub(super) fn of(endpoint: &'a webhooks::Endpoint) -> Self {
        Self {
            url: &endpoint.url,
            description: &endpoint.description,
            told_of: endpoint.event_types.names(),
            created_at: Moment(endpoint.created_at),
            switched_off_at: endpoint.disabled.map(|disabled| Moment(disabled.at)),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Wall<'a> {
    created_at: Moment,
    /// The name of the album that it shows; none for all of the event.
    album: Option<&'a str>,
}

impl<'a> Wall<'a> {
    /// The wall of an event with these albums.
    pub(super) fn of(wall: &walls::Wall, albums: &'a [Album]) -> Self {
        let album = albums.iter().find(|album| Some(album.id) == wall.album);
        Self { created_at: Moment(wall.created_at), album: album.map(|album| album.name.as_str()) }
    }
}
