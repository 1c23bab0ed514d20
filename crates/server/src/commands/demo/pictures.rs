//! The folder of pictures that a demo is made of.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cli::CliError;

const DESCRIPTION_FILE: &str = "event.json";

/// A folder as `afterglow demo --help` describes it.
pub(super) struct Pictures {
    folder: PathBuf,
    pub(super) events: Vec<PicturesOfEvent>,
}

/// An event that is to be made.
pub(super) struct PicturesOfEvent {
    pub(super) photos: Vec<PathBuf>,
    pub(super) description: Description,
}

/// What is in an event's `event.json`. All but the date and the people is new in it, and may be missing.
#[derive(Deserialize)]
pub(super) struct Description {
    #[serde(default = "default_name")]
    pub(super) name: String,
    pub(super) date: String,
    #[serde(default = "default_description")]
    pub(super) description: String,
    /// Whose selfies there are.
    pub(super) people: Vec<String>,
    #[serde(default)]
    pub(super) albums: Vec<AlbumOfFiles>,
    /// The file that is the event's cover.
    pub(super) cover: Option<String>,
    /// What a guest asks about a photo.
    pub(super) question: Option<String>,
    /// Who of the people does not want to be found.
    pub(super) wants_to_be_removed: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct AlbumOfFiles {
    pub(super) name: String,
    /// Names of files in `photos/`.
    pub(super) photos: Vec<String>,
}

/// What `event.json` has at the top of a folder of several events.
#[derive(Deserialize)]
struct Listing {
    events: Vec<String>,
}

fn default_name() -> String {
    String::from("An evening at the photo booth")
}

fn default_description() -> String {
    String::from("Snapshots, prints and strips. Try a selfie of somebody who was there.")
}

impl Pictures {
    pub(super) fn read(folder: &Path) -> Result<Self, CliError> {
        // One event has its description where several have their list.
        let events = match read_json::<Listing>(folder) {
            Ok(listing) => {
                let folders = listing.events.iter().map(|name| PicturesOfEvent::read(&folder.join(name)));
                folders.collect::<Result<Vec<_>, _>>()?
            }
            Err(_) => vec![PicturesOfEvent::read(folder)?],
        };
        Ok(Self { folder: folder.to_owned(), events })
    }

    /// How many photos there are in all events.
    pub(super) fn count(&self) -> usize {
        self.events.iter().map(|event| event.photos.len()).sum()
    }

    /// The folder of the selfies.
    pub(super) fn selfies(&self) -> PathBuf {
        self.folder.join("selfies")
    }

    /// The selfie of a person, if there is one.
    pub(super) fn selfie(&self, person: &str) -> Result<Option<Vec<u8>>, CliError> {
        let path = self.selfies().join(format!("{person}.jpg"));
        match std::fs::read(&path) {
            Ok(selfie) => Ok(Some(selfie)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CliError::context(&path.display().to_string(), &error)),
        }
    }
}

impl Description {
    /// Whose selfies find photos.
    pub(super) fn findable(&self) -> Vec<&str> {
        let people = self.people.iter().filter(|name| Some(*name) != self.wants_to_be_removed.as_ref());
        people.map(String::as_str).collect()
    }
}

impl PicturesOfEvent {
    fn read(folder: &Path) -> Result<Self, CliError> {
        let description = read_json(folder)?;
        let entries = std::fs::read_dir(folder.join("photos"));
        let mut photos: Vec<PathBuf> =
            entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
        photos.sort();
        if photos.is_empty() {
            return Err(missing(&format!("{} has no photos", folder.display())));
        }
        Ok(Self { photos, description })
    }
}

fn read_json<T: serde::de::DeserializeOwned>(folder: &Path) -> Result<T, CliError> {
    let file = folder.join(DESCRIPTION_FILE);
    let text = std::fs::read_to_string(&file);
    let text = text.map_err(|error| missing(&format!("{} cannot be read: {error}", file.display())))?;
    serde_json::from_str(&text)
        .map_err(|error| missing(&format!("{} is not as it must be: {error}", file.display())))
}

fn missing(what: &str) -> CliError {
    CliError::new(format!(
        "{what}. The demo needs pictures of people, which are not shipped: in the sources of Afterglow `make \
         demo-pictures` makes them in .cache/demo-pictures; `afterglow demo FOLDER` takes another folder, whose form \
         `afterglow demo --help` says."
    ))
}
