//! `afterglow demo`: a temporary installation with an event that is filled from a folder of pictures.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use app::App;
use app::accounts::registrations::Registration;
use app::events::{self, NewEvent};
use app::operations::{operator_accounts, operators};
use app::photos::{self, Upload};
use domain::accounts::User;
use domain::events::Event;
use domain::{EventId, Randomness};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::cli::{CliError, print};
use crate::settings::{Flags, Settings, Switch};
use crate::{logging, serving, wiring};

const PHOTOGRAPHER: (&str, &str) = ("Mira Sen", "mira@example.com");
const EVENT: &str = "An evening at the photo booth";
const DESCRIPTION: &str = "Snapshots, prints and strips. Try a selfie of somebody who was there.";
const DESCRIPTION_FILE: &str = "event.json";
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

/// The folder, as tools/demo/make_event.py makes it.
struct Pictures {
    folder: PathBuf,
    photos: Vec<PathBuf>,
    description: Description,
}

#[derive(serde::Deserialize)]
struct Description {
    date: String,
    people: Vec<String>,
}

/// Serves the demo until a signal.
pub(crate) async fn run(flags: &Flags, arguments: &Arguments) -> Result<(), CliError> {
    let pictures = Pictures::read(&arguments.pictures)?;
    let folder = tempfile::Builder::new().prefix("afterglow-demo-").tempdir();
    let folder = folder.map_err(|error| CliError::context("The demo's folder cannot be made", &error))?;
    let settings = temporary(Settings::read(flags)?, folder.path());
    logging::init(&settings)?;
    let context = wiring::operator_context(&settings).await?;
    let password = operator_accounts::generate_password(&Randomness::System);
    let (name, email) = PHOTOGRAPHER;
    let form = Registration { name: name.to_owned(), email: email.to_owned(), password: password.clone() };
    let photographer = operator_accounts::create(&context, form, true).await?;
    // Each photo costs one.
    let credits = f64::from(u32::try_from(pictures.photos.len()).unwrap_or(u32::MAX));
    operators::grant(&context, email, credits, None).await?;
    let shown = folder.path().to_owned();
    serving::serve_beside(&settings, true, async move |app| {
        print("Filling the demo's event, about a minute...\n")?;
        let event = fill(&app, &photographer, &pictures).await?;
        print(&summary(&app.settings().public_url, &event, &pictures, &password, &shown)?)
    })
    .await
}

impl Pictures {
    fn read(folder: &Path) -> Result<Self, CliError> {
        let missing = |what: String| {
            CliError::new(format!(
                "{what}. The demo needs pictures of people, which are not shipped: in the sources of Afterglow `make \
                 demo-pictures` makes them in .cache/demo-pictures; `afterglow demo FOLDER` takes another folder, whose form \
                 `afterglow demo --help` says."
            ))
        };
        let file = folder.join(DESCRIPTION_FILE);
        let text = std::fs::read_to_string(&file);
        let text = text.map_err(|error| missing(format!("{} cannot be read: {error}", file.display())))?;
        let description = serde_json::from_str(&text)
            .map_err(|error| missing(format!("{} is not as it must be: {error}", file.display())))?;
        let entries = std::fs::read_dir(folder.join("photos"));
        let mut photos: Vec<PathBuf> =
            entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect();
        photos.sort();
        if photos.is_empty() {
            return Err(missing(format!("{} has no photos", folder.display())));
        }
        Ok(Self { folder: folder.to_owned(), photos, description })
    }
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

/// Makes the event, takes the photos in as uploads are, and waits until all can be found.
async fn fill(app: &App, photographer: &User, pictures: &Pictures) -> Result<Event, CliError> {
    let new = NewEvent {
        name: EVENT.to_owned(),
        date: pictures.description.date.clone(),
        description: DESCRIPTION.to_owned(),
        ..NewEvent::default()
    };
    let event = events::create(app, photographer, new).await?;
    for path in &pictures.photos {
        upload(app, photographer, event.id, path).await?;
    }
    let mut told = 0;
    loop {
        let event = events::by_slug(app, &event.slug).await?;
        if event.indexing.waiting() == 0 {
            return Ok(event);
        }
        if event.indexing.indexed >= told + STEP {
            told = event.indexing.indexed;
            print(&format!("{told} of {} photos can be found...\n", event.indexing.total))?;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn upload(app: &App, photographer: &User, event: EventId, path: &Path) -> Result<(), CliError> {
    let unreadable = |why: &dyn std::error::Error| CliError::context(&path.display().to_string(), why);
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let taken = async {
        let mut upload = Upload::begin(app).await?;
        upload.write(&bytes).await?;
        photos::accept(app, photographer, Some(event), &name, upload.finish().await?).await
    };
    taken.await.map(|_| ()).map_err(|failure| unreadable(&failure))
}

/// What is printed once the demo can be tried.
fn summary(
    url: &str,
    event: &Event,
    pictures: &Pictures,
    password: &str,
    folder: &Path,
) -> Result<String, CliError> {
    let link = format!("{url}/event/{}", event.slug);
    let code =
        QrCode::new(&link).map_err(|error| CliError::context("The QR code cannot be drawn", &error))?;
    // Light on dark, as most terminals are.
    let code = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    let people: String = pictures
        .description
        .people
        .chunks(10)
        .map(|names| format!("                   {}\n", names.join(", ")))
        .collect();
    let selfies = pictures.folder.join("selfies");
    Ok(format!(
        "\n{code}\n\n\
         The guests' page   {link}\n\
         \x20                  {} photos. Choose 'upload a photo' and one of {}:\n{people}\
         \x20                  It finds the photos of that person; 'Add a friend' those of two.\n\
         The photographer   {url}/login\n\
         \x20                  {}, password {password}\n\
         The people found   {url}/admin/people?event={}, within a minute\n\
         Everything is in   {}\n\
         For phones in the same network: --listen 0.0.0.0:8080. Ctrl-C ends it and removes everything.\n",
        event.indexing.total,
        selfies.display(),
        PHOTOGRAPHER.1,
        event.id,
        folder.display(),
    ))
}
