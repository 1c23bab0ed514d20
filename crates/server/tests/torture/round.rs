//! One round: work under a fault, recovery, and the oracle.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use hyper::Method;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio_util::sync::CancellationToken;

use crate::client::{Client, Reply};
use crate::deployment::{Deployment, Machine, SEARCHES_PER_DAY, SERVERS};
use crate::http::Body;
use crate::ledger::{Effect, Totals};
use crate::photographer::{MOST_PHOTOS, Photographer};
use crate::pictures::Pictures;
use crate::power_cut::PowerCut;
use crate::scenario::{Fault, Round};

/// Who searches more often than one address may.
const GUEST: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

/// Of so many power cuts one is followed by a start.
const SERVED_AGAIN: usize = 30;

/// How much happens in a round.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) steps: usize,
    /// Photos that all photographers together upload to many machines.
    pub(crate) photos: usize,
    pub(crate) outage: Duration,
    /// How often the power is cut.
    pub(crate) cuts: usize,
}

/// What became of a round.
pub(crate) struct Outcome {
    pub(crate) defects: Vec<String>,
    pub(crate) totals: Totals,
}

/// Runs a round in an empty folder.
pub(crate) async fn run(
    round: Round,
    load: Load,
    folder: &Path,
    machine: &Machine,
    pictures: Arc<Pictures>,
) -> Outcome {
    let mut rng = StdRng::seed_from_u64(round.seed.into());
    let mut deployment = Deployment::start(machine, folder, round).await;
    let (outbox, provider) = (folder.join("data/outbox"), deployment.provider.clone());
    let client =
        Arc::new(Client::new(deployment.addresses(), outbox, pictures, deployment.journal(), provider));
    let is_many = round.fault == Fault::ManyMachines;
    let number = if is_many { load.photos.div_ceil(MOST_PHOTOS).max(4) } else { rng.random_range(2..=4) };
    let mut photographers: Vec<Photographer> = (0..number)
        .map(|number| Photographer::new(number, client.clone(), StdRng::seed_from_u64(rng.random())))
        .collect();

    let fault_is_over = CancellationToken::new();
    let working = tokio::spawn({
        let fault_is_over = fault_is_over.clone();
        async move {
            let each = load.photos.div_ceil(number);
            join_all(photographers.iter_mut().map(async |photographer| {
                if is_many {
                    photographer.fill_event(each, &fault_is_over).await;
                } else {
                    photographer.work(load.steps, &fault_is_over).await;
                }
            }))
            .await;
            photographers
        }
    });
    let injected = deployment.inject(round.fault, &mut rng, load.outage).await;
    fault_is_over.cancel();
    deployment.defects.drain(..).for_each(|defect| client.report(defect));
    photographers = working.await.unwrap();
    if deployment.start_ended() {
        client.report(String::from("a process ended by itself"));
    }

    recover(&mut deployment, &client, &mut photographers).await;
    if is_many {
        verify_everywhere(&deployment, &mut photographers).await;
        verify_limits(&deployment, &client).await;
    }
    if !deployment.stop() {
        client.report(String::from("SIGTERM did not end the server in order"));
    }
    for issue in deployment.check() {
        client.report(format!("afterglow check: {issue}"));
    }
    if round.fault == Fault::PowerCut {
        cut_power(&deployment, &client, folder, load.cuts, &mut rng).await;
    }
    report_log(&deployment, &client, round.fault);
    let mut totals = totals(&photographers);
    (totals.injected, totals.unanswered) = (injected, client.unanswered());
    Outcome { defects: client.defects(), totals }
}

/// Lets the jobs end, then everything that was not acknowledged, and asks the oracle.
async fn recover(deployment: &mut Deployment, client: &Client, photographers: &mut [Photographer]) {
    let settled = deployment.settle().await;
    join_all(photographers.iter_mut().map(async |photographer| {
        if !photographer.converge().await {
            client.report(format!("{}: something stays uncertain", photographer.account.name));
        }
    }))
    .await;
    // What was repeated may have made jobs of its own.
    for outcome in [settled, deployment.settle().await] {
        if let Err(defect) = outcome {
            client.report(defect);
        }
    }
    join_all(photographers.iter_mut().map(Photographer::verify)).await;
}

/// Asks the oracle once more through each server alone: what one of them has taken, all have.
async fn verify_everywhere(deployment: &Deployment, photographers: &mut [Photographer]) {
    for server in 0..SERVERS {
        deployment.ask_only(server);
        join_all(photographers.iter_mut().map(Photographer::verify)).await;
    }
}

/// One address searches all servers in turn: together they let in as many as one of them.
async fn verify_limits(deployment: &Deployment, client: &Client) {
    deployment.ask_all();
    let mut statuses = Vec::new();
    for _ in 0..SEARCHES_PER_DAY + SERVERS {
        let body = Body::search(&client.pictures.selfie);
        match client.send_from(GUEST, Method::POST, "/api/face/search/nowhere", None, body).await {
            Reply::Response(status, _) => statuses.push(status),
            other => client.report(format!("a search that is counted was answered with {other:?}")),
        }
    }
    let expected = [vec![404; SEARCHES_PER_DAY], vec![429; SERVERS]].concat();
    if statuses != expected {
        client.report(format!("searches from one address were answered with {statuses:?}"));
    }
}

/// Cuts the power at many moments of the round that has ended; what is left of some of them is served again.
async fn cut_power(deployment: &Deployment, client: &Client, folder: &Path, cuts: usize, rng: &mut StdRng) {
    let Some(journal) = deployment.journal() else { return };
    let (data, copies) = (folder.join("data"), folder.join("copies"));
    std::fs::create_dir(&copies).unwrap();
    let records = journal.read();
    let cut = PowerCut { folder: &data, copies: &copies, records, pictures: &client.pictures };
    for loss in cut.losses(cuts, rng).await {
        client.report(loss);
    }
    for number in 0..cuts.div_ceil(SERVED_AGAIN) {
        let (copy, place) = (copies.join(number.to_string()), rng.random_range(0..cut.records.len()));
        std::fs::create_dir_all(copy.join("data")).unwrap();
        cut.write_copy(place, &copy.join("data"), rng);
        for issue in deployment.issues_of_copy(&copy) {
            client.report(format!("served again after a power cut at change {place}: {issue}"));
        }
    }
}

/// A panic is a defect even if every answer was right; an error is one when nothing but the server has failed.
fn report_log(deployment: &Deployment, client: &Client, fault: Fault) {
    let log = std::fs::read_to_string(deployment.log()).unwrap();
    let is_defect =
        |line: &&str| line.contains("panicked at") || (fault == Fault::Kill && line.contains(" ERROR "));
    for line in log.lines().filter(is_defect) {
        client.report(format!("the log says: {line}"));
    }
}

fn totals(photographers: &[Photographer]) -> Totals {
    let mut totals = Totals::default();
    for account in photographers.iter().map(|photographer| &photographer.account) {
        let photos = || account.events.iter().flat_map(|event| &event.photos);
        totals.photos += photos().filter(|photo| photo.upload == Effect::Acknowledged).count();
        totals.deletions += photos().filter(|photo| photo.deletion != Effect::None).count();
        totals.deletions += account.events.iter().filter(|event| event.deletion != Effect::None).count();
        totals.orders += account.orders.len();
        totals.addresses += account.changes;
    }
    totals
}
