//! `afterglow doctor`: looks at what an installation needs, one check a module, and changes nothing of it.

mod arrival;
mod certificate;
mod clock;
mod configuration;
mod database;
mod decoders;
mod disk;
mod finding;
mod folders;
mod mail;
mod media_store;
mod models;
mod payments;
mod proxy;
mod public_url;
mod readiness;
mod report;
mod schema;
mod upload;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::operations::operators::OperatorContext;
use domain::{Clock, Randomness};
use gateway::probes::Probe;

use crate::cli::{CliError, print};
use crate::settings::{Flags, Settings};
use finding::Finding;
use report::Report;

/// What can be said to it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON, whose form docs/doctor.md describes.
    #[arg(long)]
    json: bool,
    /// PEM file of the authority that has signed the certificate of the public URL, where it is one of your own.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

/// Examines the installation and prints what was found; exits with 1 when a check has failed.
pub(crate) async fn run(flags: &Flags, arguments: Arguments) -> Result<ExitCode, CliError> {
    let report = match Settings::read(flags) {
        Ok(settings) => examine(&settings, arguments.ca.as_deref()).await,
        Err(error) => Report::new(None, vec![configuration::unreadable(&error)]),
    };
    print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(if report.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn examine(settings: &Settings, authorities: Option<&Path>) -> Report {
    let public_url = settings.public_url(settings.listen.port());
    let mut findings = vec![configuration::check(settings, &public_url)];
    findings.extend(folders::check(settings));
    findings.push(disk::check(settings).await);
    let (finding, db) = database::check(settings).await;
    findings.push(finding);
    let context = match db {
        Some(db) => {
            let (finding, is_current) = schema::check(&db).await;
            findings.push(finding);
            Some((
                OperatorContext { db, clock: Clock::System, randomness: Randomness::System, seller: None },
                is_current,
            ))
        }
        None => {
            findings.push(Finding::skipped(schema::NAME, "There is no database to look into."));
            None
        }
    };
    // Tables can be read only where they are this version's.
    let current = context.as_ref().and_then(|(context, is_current)| is_current.then_some(context));
    let (finding, bucket) = media_store::check(settings, current).await;
    findings.push(finding);
    findings.push(clock::check(context.as_ref().map(|(context, _)| &context.db), bucket).await);
    findings.extend(clock::jump(current).await);
    findings.extend(models::check(settings).await);
    findings.push(decoders::check(settings).await);
    findings.push(mail::check(settings, &public_url).await);
    findings.push(payments::check(settings));
    let (finding, is_serving) = readiness::check(settings).await;
    findings.push(finding);
    findings.extend(from_outside(&public_url, authorities, is_serving, current).await);
    if let Some((context, _)) = context {
        context.db.close().await;
    }
    Report::new(Some(settings), findings)
}

/// What a guest meets, who comes through the public URL.
async fn from_outside(
    public_url: &str,
    authorities: Option<&Path>,
    is_serving: bool,
    context: Option<&OperatorContext>,
) -> Vec<Finding> {
    let probe = Probe::new(public_url, authorities);
    let (finding, answer) = public_url::check(public_url, probe.as_ref(), is_serving).await;
    let mut findings = vec![finding];
    let (Ok(probe), Some(answer)) = (probe, answer) else {
        let why = "The service cannot be asked through the public URL.";
        findings
            .extend([certificate::NAME, proxy::NAME, upload::NAME].map(|name| Finding::skipped(name, why)));
        return findings;
    };
    findings.push(certificate::check(public_url, &answer, Clock::System.now()));
    let Some(context) = context else {
        let why = "It needs the database, with this version's schema.";
        findings.extend([proxy::NAME, upload::NAME].map(|name| Finding::skipped(name, why)));
        return findings;
    };
    findings.push(proxy::check(public_url, &probe, context).await);
    findings.push(upload::check(&probe, context).await);
    findings
}
