//! `afterglow demo`: a temporary installation with events that are filled from a folder of pictures.

mod pictures;
mod visitors;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use app::App;
use app::accounts::registrations::Registration;
use app::events::{self, NewEvent};
use app::operations::{operator_accounts, operators};
use app::photos::albums::{self, Move};
use app::photos::selections::Chosen;
use app::photos::{self, Accepted, Upload};
use domain::accounts::User;
use domain::events::Event;
use domain::events::changes::Changes;
use domain::events::flags::FlagChanges;
use domain::{EventId, PhotoId, Randomness};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use self::pictures::{Description, Pictures, PicturesOfEvent};
use crate::cli::{CliError, print};
use crate::settings::{Flags, Settings, Switch};
use crate::{logging, serving, wiring};

const PHOTOGRAPHER: (&str, &str) = ("Mira Sen", "mira@example.com");
/// How often the progress is looked at.
const PAUSE: Duration = Duration::from_millis(500);
/// Photos between two lines about the progress.
const STEP: i64 = 20;

/// What the demo is made of.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the pictures.
    #[arg(default_value = ".cache/demo-pictures")]
    pictures: PathBuf,
}

/// Serves the demo until a signal.
pub(crate) async fn run(flags: &Flags, arguments: &Arguments) -> Result<(), CliError> {
    let pictures = Pictures::read(&arguments.pictures)?;
    let folder = tempfile::Builder::new().prefix("afterglow-demo-").tempdir();
    let folder = folder.map_err(|error| CliError::context("The demo's folder cannot be made", &error))?;
    let settings = temporary(Settings::read(flags)?, folder.path());
    logging::init(&settings)?;
    let context = wiring::beginning_context(&settings).await?;
    let password = operator_accounts::generate_password(&Randomness::System);
    let (name, email) = PHOTOGRAPHER;
    let form = Registration { name: name.to_owned(), email: email.to_owned(), password: password.clone() };
    let photographer = operator_accounts::create(&context, form, true).await?;
    // Each photo costs one.
    let credits = f64::from(u32::try_from(pictures.count()).unwrap_or(u32::MAX));
    operators::grant(&context, email, credits, None).await?;
    let shown = folder.path().to_owned();
    serving::serve_beside(&settings, true, async move |app| {
        print("Filling the demo's events, about a minute...\n")?;
        let events = fill(&app, &photographer, &pictures).await?;
        print(&summary(&app.settings().public_url, &events, &pictures, &password, &shown)?)
    })
    .await
}

/// Where it listens and whose models it uses are the user's; everything else is for another installation.
fn temporary(own: Settings, folder: &Path) -> Settings {
    let address = match own.listen.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => network_address(),
        ip if ip.is_loopback() => None,
        ip => Some(ip),
    };
    let default = Settings::default();
    Settings {
        public_url: own.public_url.or_else(|| address.map(|ip| format!("http://{ip}:{}", own.listen.port()))),
        listen: own.listen,
        model_dir: own.model_dir,
        index_workers: own.index_workers,
        log: if own.log == default.log { String::from("warn") } else { own.log },
        mail_url: Some(format!("outbox://{}", folder.join("outbox").display()).into()),
        data_dir: folder.to_owned(),
        // Who lets others in said so by the address.
        plain_http: Switch::On,
        sandbox_payments: Switch::On,
        retention_days: 0,
        longest_retention_days: 0,
        min_free_disk_mb: 1,
        ..default
    }
}

/// The address by which others in the network reach this machine; nothing is sent to find it.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// Makes the events, takes the photos in as uploads are, waits until all can be found, and lets guests come.
async fn fill(app: &App, photographer: &User, pictures: &Pictures) -> Result<Vec<Event>, CliError> {
    let mut made = Vec::with_capacity(pictures.events.len());
    for of_event in &pictures.events {
        made.push(make(app, photographer, of_event).await?);
    }
    wait_until_indexed(app, &made, pictures.count()).await?;
    let mut events = Vec::with_capacity(made.len());
    for ((slug, photos), PicturesOfEvent { description, .. }) in made.into_iter().zip(&pictures.events) {
        let event = events::by_slug(app, &slug).await?;
        furnish(app, photographer, event.id, description, &photos).await?;
        let event = events::by_slug(app, &slug).await?;
        visitors::come(app, &event, pictures, description).await?;
        events.push(event);
    }
    Ok(events)
}

/// The photos of an event by the names of their files.
type ByName = HashMap<String, PhotoId>;

/// An event with its photos, which are not indexed yet.
async fn make(app: &App, photographer: &User, from: &PicturesOfEvent) -> Result<(String, ByName), CliError> {
    let Description { name, date, description, .. } = &from.description;
    let new = NewEvent {
        name: name.clone(),
        date: date.clone(),
        description: description.clone(),
        ..NewEvent::default()
    };
    let event = events::create(app, photographer, new).await?;
    let mut photos = ByName::new();
    for path in &from.photos {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let photo = upload(app, photographer, event.id, path, &name).await?;
        photos.insert(name, photo);
    }
    Ok((event.slug, photos))
}

async fn wait_until_indexed(app: &App, made: &[(String, ByName)], total: usize) -> Result<(), CliError> {
    let mut told = 0;
    loop {
        let (mut indexed, mut waiting) = (0, 0);
        for (slug, _) in made {
            let indexing = events::by_slug(app, slug).await?.indexing;
            indexed += indexing.indexed;
            waiting += indexing.waiting();
        }
        if waiting == 0 {
            return Ok(());
        }
        if indexed >= told + STEP {
            told = indexed;
            print(&format!("{told} of {total} photos can be found...\n"))?;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn upload(
    app: &App,
    photographer: &User,
    event: EventId,
    path: &Path,
    name: &str,
) -> Result<PhotoId, CliError> {
    let unreadable = |why: &dyn std::error::Error| CliError::context(&path.display().to_string(), why);
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let taken = async {
        let mut upload = Upload::begin(app).await?;
        upload.write(&bytes).await?;
        photos::accept(app, photographer, Some(event), name, upload.finish().await?).await
    };
    match taken.await.map_err(|failure| unreadable(&failure))? {
        Accepted::New(photo) | Accepted::Replaced(photo) | Accepted::Duplicate(photo) => Ok(photo.id),
        Accepted::OfSomebodyElse(photo) => Ok(photo.id),
    }
}

/// What the photographer does with an event: albums, a cover, and all photos for the guests to look at.
async fn furnish(
    app: &App,
    photographer: &User,
    event: EventId,
    description: &Description,
    photos: &ByName,
) -> Result<(), CliError> {
    for wanted in &description.albums {
        let album = albums::create(app, photographer, event, &wanted.name).await?;
        let chosen = wanted.photos.iter().filter_map(|name| photos.get(name)).copied().collect();
        let id = album.id.to_string();
        albums::put(app, photographer, event, Move::Into(&id), Chosen::Photos(chosen)).await?;
    }
    let cover = description.cover.as_ref().and_then(|name| photos.get(name));
    let changes = Changes {
        cover: cover.map(|photo| Some(photo.to_string())),
        flags: FlagChanges { browsable: Some(true), ..FlagChanges::default() },
        ..Changes::default()
    };
    events::changes::change(app, photographer, event, changes).await?;
    Ok(())
}

/// What is printed once the demo can be tried.
fn summary(
    url: &str,
    events: &[Event],
    pictures: &Pictures,
    password: &str,
    folder: &Path,
) -> Result<String, CliError> {
    let mut printed = String::new();
    for (event, PicturesOfEvent { description, .. }) in events.iter().zip(&pictures.events) {
        let link = format!("{url}/event/{}", event.slug);
        if printed.is_empty() {
            let code = QrCode::new(&link)
                .map_err(|error| CliError::context("The QR code cannot be drawn", &error))?;
            // Light on dark, as most terminals are.
            let code =
                code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
            printed = format!("\n{code}\n\n");
        }
        let people: String = description
            .findable()
            .chunks(10)
            .map(|names| format!("                   {}\n", names.join(", ")))
            .collect();
        printed += &format!(
            "The guests' page   {link}\n\
             \x20                  {}: {} photos. Choose 'upload a photo' and one of\n\
             \x20                  {}:\n{people}",
            event.name,
            event.indexing.total,
            pictures.selfies().display(),
        );
    }
    Ok(format!(
        "{printed}\
         \x20                  It finds the photos of that person; 'Add a friend' those of two.\n\
         The photographer   {url}/login\n\
         \x20                  {}, password {password}\n\
         \x20                  The people are on each event's page, within a minute.\n\
         Everything is in   {}\n\
         For phones in the same network: --listen 0.0.0.0:8080. Ctrl-C ends it and removes everything.\n",
        PHOTOGRAPHER.1,
        folder.display(),
    ))
}
