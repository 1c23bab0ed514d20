//! Lists of chosen photos by the names of their files, for the program in which the photographer has the originals.

use std::collections::{HashMap, HashSet};

use domain::accounts::User;
use domain::operations::runtime::texts::folded;
use domain::photos::Photo;
use domain::photos::file_names::{safe_name, with_other_ending, without_ending};
use domain::photos::file_times::FileTime;
use domain::photos::sidecars::Marks;
use domain::team::{Right, Role};
use domain::{AlbumId, EventId, PhotoId, Refusal};
use media::zip::File;

use crate::guests::archives::Archive;
use crate::operations::runtime::spreadsheets::{self, Table};
use crate::photos::selections::Chosen;
use crate::team::rights::{self, Reached};
use crate::{App, Result};

const HEADER: [&str; 7] = ["file_name", "captured_at", "hearts", "downloads", "faces", "sharpness", "albums"];

/// How names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A text, one name a line.
    Text,
    /// A table with what is known of each photo.
    Table,
    /// A sidecar for each name.
    Sidecars(Marks),
}

impl Format {
    /// From the fields of a call.
    ///
    /// # Errors
    /// [`Refusal::NameListFormatUnknown`], or those of [`Marks::parse`].
    pub fn parse(format: &str, rating: Option<i64>, label: Option<&str>) -> Result<Self> {
        let marks = Marks::parse(rating, label)?;
        match format {
            "txt" => Ok(Self::Text),
            "csv" => Ok(Self::Table),
            "xmp" => Ok(Self::Sidecars(marks)),
            _ => Err(Refusal::NameListFormatUnknown.into()),
        }
    }
}

/// A list.
pub enum List {
    /// A text in UTF-8.
    Text(String),
    /// A CSV file.
    Table(Vec<u8>),
    /// A ZIP of sidecars.
    Sidecars(Archive),
}

/// Lists photos of an event that the caller sees, or of the library, in the order of the choice or of their upload, and answers the
/// list with the name of its file, which has no ending. Photos that are not there are left out.
///
/// Without endings the names fit raw files, which end otherwise.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::PhotoNotFound`] when none of the photos is there.
pub async fn list(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    chosen: Chosen,
    format: Format,
    with_endings: bool,
) -> Result<(List, String)> {
    let (reached, slug, role) = match event {
        Some(event) => {
            let granted = rights::event(app, caller, event, Right::Upload).await?;
            (granted.photos(), granted.event.slug.to_string(), granted.role)
        }
        None => (Reached::library(caller.id), "library".to_owned(), Role::Owner),
    };
    let ids = match chosen {
        Chosen::All => storage::photos::ids(&app.db, reached.collection, reached.uploader).await?,
        Chosen::Photos(ids) => ids,
    };
    let there = storage::photos::by_ids(&app.db, &ids).await?.into_iter().filter(|photo| reached.has(photo));
    let mut there: HashMap<PhotoId, Photo> =
        there.map(|photo| (photo.id, rights::shown_to(role, photo))).collect();
    let photos: Vec<Photo> = ids.iter().filter_map(|id| there.remove(id)).collect();
    if photos.is_empty() {
        return Err(Refusal::PhotoNotFound.into());
    }
    let name = |photo: &Photo| {
        let name = &photo.original_filename;
        if with_endings { name.clone() } else { without_ending(name).to_owned() }
    };
    let list = match format {
        Format::Text => {
            List::Text(photos.iter().map(|photo| format!("{}\n", one_line(&name(photo)))).collect())
        }
        Format::Table => List::Table(table(app, event, &photos, name).await?),
        Format::Sidecars(marks) => List::Sidecars(sidecars(app, &photos, marks, format!("{slug}-sidecars"))),
    };
    Ok((list, format!("{slug}-photos")))
}

/// A name that somebody has given a file may have a break in it.
fn one_line(name: &str) -> String {
    name.replace(['\r', '\n'], " ")
}

async fn table(
    app: &App,
    event: Option<EventId>,
    photos: &[Photo],
    name: impl Fn(&Photo) -> String,
) -> Result<Vec<u8>> {
    let albums = match event {
        Some(event) => storage::photos::albums::list(&app.db, event).await?,
        None => Vec::new(),
    };
    let albums: HashMap<AlbumId, String> = albums.into_iter().map(|album| (album.id, album.name)).collect();
    let mut table = Table::new(&HEADER)?;
    for photo in photos {
        let named: Vec<&str> =
            photo.albums.iter().filter_map(|id| albums.get(id)).map(String::as_str).collect();
        let captured = photo.capture.at.map(|at| at.to_rfc3339().trim_end_matches('Z').to_owned());
        table.add([
            spreadsheets::text(&name(photo)),
            captured.unwrap_or_default(),
            photo.hearts.to_string(),
            photo.downloads.to_string(),
            photo.faces.to_string(),
            photo.sharpness.map(|sharpness| sharpness.part().to_string()).unwrap_or_default(),
            spreadsheets::text(&named.join("; ")),
        ])?;
    }
    table.finish()
}

/// Named as Lightroom and Capture One name them: the photo's name with the ending `xmp`. Two photos whose names differ in their
/// endings alone have one, since all say the same.
fn sidecars(app: &App, photos: &[Photo], marks: Marks, filename: String) -> Archive {
    let (text, now) = (bytes::Bytes::from(marks.xmp()), FileTime::utc(app.now()));
    let mut taken = HashSet::new();
    let names =
        photos.iter().map(|photo| with_other_ending(&safe_name(&photo.original_filename, "photo"), "xmp"));
    let names = names.filter(|name| taken.insert(folded(name)));
    let files = names.map(|name| File::made(&name, text.clone(), now)).collect();
    Archive::new(app, files, filename)
}
