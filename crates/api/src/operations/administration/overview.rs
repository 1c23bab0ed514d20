//! How the installation stands.

use app::App;
use app::operations::administration::Administration;
use app::operations::administration::overview::{KeptLonger, Overview, Places, overview};
use app::operations::monitoring;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Administrator, Json};
use crate::operations::runtime::responses::{AdministratorsOnly, Unavailable};

/// How the installation stands.
#[derive(Serialize, ToSchema)]
pub struct OverviewBody {
    /// The program's version.
    version: String,
    /// The version of the database's schema.
    schema: i64,
    /// `sqlite` or `postgres`.
    engine: String,
    /// When what follows was counted, but for free disk space and warnings: at most a minute ago.
    #[schema(format = DateTime)]
    counted_at: String,
    accounts: AccountsBody,
    /// Events that are not deleted.
    events: i64,
    /// Photos, in events and in none.
    photos: i64,
    storage: StorageBody,
    ledger: LedgerBody,
    /// What an operator has to decide or look after, in sentences.
    warnings: Vec<String>,
}

/// How many open accounts there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountsBody {
    open: i64,
    administrators: i64,
    /// Those with a verified address.
    verified: i64,
    locked: i64,
}

/// What the installation takes on disks.
#[derive(Serialize, ToSchema)]
pub(crate) struct StorageBody {
    /// The bytes of the originals, as the database knows them.
    originals_bytes: i64,
    /// The bytes of the renditions, where the database knows them.
    renditions_bytes: Option<i64>,
    database_bytes: i64,
    /// The address of the media store, without secrets.
    media: String,
    /// The bytes that are free where data and local media are, on the fuller one of two disks.
    free_bytes: Option<u64>,
    /// What events keep past the installation's `retention_days`, because their photographers have chosen so; null where it is
    /// nothing.
    kept_longer: Option<KeptLongerBody>,
}

/// What longer retention takes.
#[derive(Serialize, ToSchema)]
#[schema(as = KeptLonger)]
pub(crate) struct KeptLongerBody {
    /// The installation's `retention_days`.
    days: u32,
    photos: i64,
    /// The bytes of their originals.
    bytes: i64,
}

impl KeptLongerBody {
    fn new(days: u32, kept: KeptLonger) -> Option<Self> {
        let KeptLonger { photos, bytes } = kept;
        (photos > 0).then_some(Self { days, photos, bytes })
    }
}

/// The sums of the ledger, in credits.
#[derive(Serialize, ToSchema)]
pub(crate) struct LedgerBody {
    bought: f64,
    /// What accounts began with, or were given.
    granted: f64,
    /// What was taken from accounts.
    taken: f64,
    /// What uploads cost.
    charged: f64,
    /// What refunds of payments took back.
    returned: f64,
    /// Bought and granted less taken, charged and returned.
    balance: f64,
    /// The sum of the balances of all accounts.
    balances: f64,
    /// Whether the two are the same.
    agrees: bool,
}

impl OverviewBody {
    /// The overview with what has to be looked after.
    pub fn new(overview: Overview, warnings: Vec<String>) -> Self {
        let Overview { version, schema, engine, counted, kept_days, media, free_bytes } = overview;
        let totals = &counted.totals;
        Self {
            version: version.to_owned(),
            schema,
            engine: engine.to_owned(),
            counted_at: counted.at.to_rfc3339(),
            accounts: AccountsBody {
                open: totals.accounts,
                administrators: totals.administrators,
                verified: totals.verified,
                locked: totals.locked,
            },
            events: totals.events,
            photos: totals.photos,
            storage: StorageBody {
                originals_bytes: totals.original_bytes,
                renditions_bytes: None,
                database_bytes: counted.database_bytes,
                media,
                free_bytes,
                kept_longer: KeptLongerBody::new(kept_days, totals.kept_longer),
            },
            ledger: LedgerBody {
                bought: totals.bought.as_rupees(),
                granted: totals.granted.as_rupees(),
                taken: totals.taken.as_rupees(),
                charged: totals.charged.as_rupees(),
                returned: totals.returned.as_rupees(),
                balance: totals.balance().as_rupees(),
                balances: totals.balances.as_rupees(),
                agrees: totals.balance() == totals.balances,
            },
            warnings,
        }
    }
}

/// How the installation stands: accounts, storage, the ledger, and what has to be looked after.
#[utoipa::path(get, path = "/api/administration/overview", tag = "administration", security(("bearer" = [])), responses(
    (status = 200, body = OverviewBody),
    AdministratorsOnly,
    Unavailable,
))]
pub(crate) async fn administration_overview(
    State(app): State<App>,
    Administrator(user): Administrator,
) -> Result<Json<OverviewBody>> {
    let overview =
        overview(&Administration::of(&app, &user), app.settings().keeping, Places::of(&app)).await?;
    let readiness = monitoring::readiness(&app).await?;
    let unavailable = readiness.unavailable.iter().map(|each| each.message.to_string());
    let warnings = unavailable.chain(readiness.warnings.iter().cloned()).collect();
    Ok(Json(OverviewBody::new(overview, warnings)))
}
