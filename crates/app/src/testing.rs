//! What the tests of this and other crates build an [`App`](crate::App) of.

pub mod rows;

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use domain::accounts::EmailAddress;
use domain::events::keeping::Keeping;
use domain::faces::{Embedding, Strictness};
use domain::payments::gst::{Gstin, Rate, Sac};
use domain::payments::invoices::Seller;
use domain::photos::Photo;
use domain::{Clock, FaceId, PhotoId, Randomness, Timestamp};
use gateway::Mailer;
use media::documents::Typefaces;
use media::stores::Store;
use storage::faces::index::Scope;

use crate::PasswordCost;
use crate::faces::descriptions::Descriptions;
use crate::faces::matching;
use crate::operations::runtime::limits::LimitSettings;
use crate::operations::runtime::proxies::{ForwardingHeader, TrustedProxies};
use crate::{
    App, ConnectionCapacity, FtpEncryption, FtpService, Operator, Parts, Result, SearchCapacity, Settings,
    SocialLinks, UploadCapacity,
};

/// The time of the fixed clock: 20 November 2026, 09:00 UTC, at the full half hour, so that links made at once are valid for
/// the whole 6 hours.
pub const START: Timestamp = Timestamp::from_millis(1_795_165_200_000);

/// How many events' and libraries' embeddings are in this process's memory.
pub fn face_indexes_in_memory(app: &App) -> usize {
    app.face_indexes.count()
}

/// Drops the embeddings of an event or a library from this process's memory, so that the next search reads all of them.
pub fn forget(app: &App, scope: Scope) {
    app.face_indexes.forget(scope);
}

/// The photos in an event or a library that show the person of `queries`, best first, each with its most similar face: a
/// search without its selfie.
///
/// # Errors
/// When the database fails.
pub async fn search(app: &App, scope: Scope, queries: Vec<Embedding>) -> Result<Vec<(PhotoId, FaceId)>> {
    let person = Descriptions { current: queries, previous: Vec::new() };
    let found = matching::photos(app, scope, &person, HashSet::new(), Strictness::Normal).await?;
    Ok(found.into_iter().map(|found| (found.photo, found.face)).collect())
}

/// The handle of a photo, whether it is found or not.
pub fn handle(app: &App, photo: &Photo) -> String {
    crate::photos::handles::handle(app, photo, None)
}

/// The defaults of the settings, small enough for a test, without rate limits.
pub fn settings(incoming_dir: &Path) -> Settings {
    Settings {
        public_url: String::from("http://localhost:8080"),
        files_url: None,
        mail_from: EmailAddress::from_trusted(String::from("no-reply@localhost")),
        site_name: String::from("Afterglow"),
        names_itself: true,
        studio_hosts: false,
        dns_server: None,
        support_email: EmailAddress::from_trusted(String::from("support@example.com")),
        social: SocialLinks::default(),
        operator: Operator::default(),
        seller: None,
        tells_guests: true,
        keeping: Keeping::of(30, 365),
        trash_days: 14,
        incoming_dir: incoming_dir.to_owned(),
        password_cost: PasswordCost::Low,
        session_lifetime: Duration::from_secs(30 * 24 * 60 * 60),
        link_lifetime: Duration::from_secs(6 * 60 * 60),
        index_workers: 1,
        inspections: 2,
        searches: 2,
        // One address makes all requests of a test.
        search_capacity: SearchCapacity { queue: 1_000, per_address: 0, ..SearchCapacity::default() },
        // Tests do not depend on the machine's disk.
        upload_capacity: UploadCapacity {
            per_user: 0,
            per_address: 0,
            free_disk_bytes: 0,
            ..UploadCapacity::default()
        },
        connection_capacity: ConnectionCapacity::default(),
        decode_memory_bytes: 1 << 30,
        index_cache_bytes: 1 << 20,
        rendition_memory_bytes: 8 << 20,
        limits: LimitSettings::OFF,
        private_webhooks: false,
        metrics_token: None,
        trusted_proxies: TrustedProxies::default(),
        forwarding_header: ForwardingHeader::default(),
        ftp: Some(FtpService {
            host: String::from("localhost"),
            port: 2121,
            encryption: FtpEncryption::Required,
        }),
        single_sign_on: None,
        in_force: Vec::new(),
    }
}

/// A fixed clock, seeded randomness, and the fakes of face engine, media store and mail, on a real database.
pub fn parts(db: storage::Db, incoming_dir: &Path) -> Parts {
    let clock = Clock::fixed(START);
    Parts {
        settings: settings(incoming_dir),
        clock: clock.clone(),
        randomness: Randomness::seeded(1),
        db,
        store: Store::memory(clock),
        decoders: media::decoders::Decoders::in_process(),
        engine: vision::Engine::fake(),
        mailer: Mailer::memory(),
        payments: None,
        typefaces: TYPEFACES.clone(),
    }
}

/// The typefaces that the web app's build puts into the binary, read once for all tests; none before its packages are there.
static TYPEFACES: LazyLock<Option<Typefaces>> = LazyLock::new(|| {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../web/node_modules/@expo-google-fonts/noto-sans-devanagari");
    let read = |file| Some(&*std::fs::read(package.join(file)).ok()?.leak());
    Typefaces::new(
        read("400Regular/NotoSansDevanagari_400Regular.ttf")?,
        read("700Bold/NotoSansDevanagari_700Bold.ttf")?,
    )
});

/// Who is named on the invoices of tests.
///
/// # Panics
/// Never: its registration is one.
pub fn seller() -> Seller {
    Seller {
        name: String::from("Sundar & Sons Studios Private Limited"),
        address: String::from("1 Lake Road\nPune 411001"),
        gstin: Gstin::parse("27AAPFU0939F1ZV").expect("a registration"),
        sac: Sac::parse("998439").expect("a code"),
        rate: Rate::new(18).expect("a rate"),
    }
}
