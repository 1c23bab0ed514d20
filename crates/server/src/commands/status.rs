//! `afterglow status`.

use std::path::PathBuf;

use api::operations::administration::OverviewBody;
use app::faces::renewal::Renewal;
use app::operations::administration::overview::{self, KeptLonger, Overview, Places};
use app::operations::operators::OperatorContext;

use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::{settings_shown, wiring};

/// Prints how the installation stands.
pub(crate) async fn run(settings: &Settings, as_json: bool) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let overview =
        overview::overview(&context.administration(), wiring::keeping(settings)?, places(settings)).await?;
    if as_json {
        return print_json(&OverviewBody::new(overview, Vec::new()));
    }
    print(&text(&overview))?;
    match renewal(settings, &context).await? {
        Some(renewal) => print(&format!("{renewal}\n")),
        None => Ok(()),
    }
}

/// How far photos are described anew; none where the models are not there, which the doctor says.
pub(crate) async fn renewal(
    settings: &Settings,
    context: &OperatorContext,
) -> Result<Option<Renewal>, CliError> {
    let Ok(pack) = vision::Pack::load(&settings.model_dir) else { return Ok(None) };
    let now = context.clock.now();
    Ok(Renewal::of(&context.db, pack.id(), pack.previous_id(), now).await?)
}

fn places(settings: &Settings) -> Places {
    let folder = settings.media_url().strip_prefix("file://").map(PathBuf::from);
    let folder = folder.map(|folder| std::path::absolute(&folder).unwrap_or(folder));
    let shown = || {
        let all = settings_shown::in_force(settings);
        all.into_iter().find(|setting| setting.name == "media_url").map(|setting| setting.value)
    };
    Places {
        media: match &folder {
            Some(folder) => format!("file://{}", folder.display()),
            None => shown().unwrap_or_default(),
        },
        folders: [Some(settings.data_dir.clone()), folder].into_iter().flatten().collect(),
    }
}

fn text(overview: &Overview) -> String {
    let Overview { version, schema, engine, counted, kept_days, media, free_bytes } = overview;
    let totals = &counted.totals;
    let free = free_bytes.map(|free| format!(", {free} bytes are free")).unwrap_or_default();
    let kept = match totals.kept_longer {
        KeptLonger { photos: 0, .. } => String::new(),
        KeptLonger { photos, bytes } => {
            format!("kept past {kept_days} days: {photos} photos with {bytes} bytes\n")
        }
    };
    let agrees = if totals.balance() == totals.balances { "which is" } else { "WHICH IS NOT" };
    format!(
        "Afterglow {version}, {engine}, schema {schema}\n\
         accounts: {}, of them {} of administrators, {} verified, {} locked\n\
         events: {}\n\
         photos: {} with {} bytes in {media}{free}\n\
         {kept}\
         database: {} bytes\n\
         ledger: {} bought + {} granted - {} taken - {} charged - {} returned = {}, {agrees} the sum of all balances ({})\n",
        totals.accounts,
        totals.administrators,
        totals.verified,
        totals.locked,
        totals.events,
        totals.photos,
        totals.original_bytes,
        counted.database_bytes,
        totals.bought,
        totals.granted,
        totals.taken,
        totals.charged,
        totals.returned,
        totals.balance(),
        totals.balances,
    )
}
