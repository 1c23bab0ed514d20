//! `serve` and `worker`: run until a signal, then shut down gracefully.

use std::io::{ErrorKind, IsTerminal as _};
use std::net::SocketAddr;
use std::time::Duration;

use app::App;
use app::faces::pace::Pace;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::{cameras, data_folder, exposure, machine, service_manager, web_app, wiring};

/// How long running requests and jobs may take to finish after a signal.
const GRACE_PERIOD: Duration = Duration::from_secs(30);

/// Open files beside connections: the database's, photos that are read, libraries.
const OTHER_FILES: u64 = 256;

/// Serves the web app and the API and, with `with_worker`, runs jobs.
pub(crate) async fn serve(settings: &Settings, with_worker: bool) -> Result<(), CliError> {
    serve_beside(settings, with_worker, async |_| Ok(())).await
}

/// Serves, and does something beside once it serves; an error of that ends both.
pub(crate) async fn serve_beside(
    settings: &Settings,
    with_worker: bool,
    beside: impl AsyncFnOnce(App) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let start = service_manager::Start::begin();
    let (listener, address) = listen(settings.listen).await?;
    let url = settings.public_url(address.port());
    exposure::check(settings, &url)?;
    data_folder::check(settings)?;
    let web_app = web_app::embedded(settings.in_app_browsers.as_deref())?;
    let cameras = cameras::listen(settings).await?;
    let ftp = cameras.as_ref().map(|server| server.service(settings, &url)).transpose()?;
    let app = wiring::app(settings, url.clone(), ftp).await?;
    data_folder::mark(settings)?;
    let needed = u64::try_from(settings.max_connections).unwrap_or(u64::MAX).saturating_add(OTHER_FILES);
    if let Some(files) = machine::raise_open_files().filter(|files| *files < needed) {
        tracing::warn!(files, needed, "the system allows fewer open files than `max_connections` needs");
    }
    let stop = stop_signal()?;
    tokio::spawn(forget(app.clone(), stop.clone()));
    tokio::spawn(give_memory_back(app.clone(), stop.clone()));
    // Until the last request is answered.
    let served = CancellationToken::new();
    let counting = tokio::spawn(write_numbers(app.clone(), served.clone()));
    let worker = if with_worker {
        let workers = wiring::for_workers(settings, &app).await?;
        Some(tokio::spawn(work(workers, stop.clone())))
    } else {
        None
    };
    offer_set_up(&app).await?;
    tracing::info!(%address, url, worker = with_worker, "listening");

    let cameras = cameras.map(|server| tokio::spawn(server.serve(app.clone(), stop.clone())));
    let serving = tokio::spawn(api::serve(
        listener,
        api::router(app.clone(), web_app),
        app.clone(),
        stop.clone().cancelled_owned(),
    ));
    start.ready(&format!("Serving {url} on {address}"));
    let done = tokio::select! {
        done = beside(app) => done,
        () = stop.cancelled() => Ok(()),
    };
    if done.is_err() {
        stop.cancel();
    }
    stop.cancelled().await;
    service_manager::stopping();
    tracing::info!("stopping");
    let finished = tokio::time::timeout(GRACE_PERIOD, async {
        serving
            .await
            .map_err(|error| CliError::context("Serving ended early", &error))?
            .map_err(|error| CliError::context("Serving failed", &error))?;
        if let Some(cameras) = cameras {
            cameras.await.map_err(|error| CliError::context("Serving cameras ended early", &error))?;
        }
        if let Some(worker) = worker {
            worker.await.map_err(|error| CliError::context("The worker ended early", &error))?;
        }
        Ok(())
    });
    let finished = finished.await;
    served.cancel();
    if tokio::time::timeout(GRACE_PERIOD, counting).await.is_err() {
        tracing::warn!("the last numbers of guests could not be written");
    }
    match finished {
        Ok(outcome) => done.and(outcome),
        Err(_) => {
            // A request that is cut off here was not acknowledged; a job is leased again when its lease expires.
            tracing::warn!("some requests or jobs did not finish in time and were cut off");
            done
        }
    }
}

/// Prints the link that makes an administrator while there is none. Not into the log: whoever has it is the administrator.
async fn offer_set_up(app: &App) -> Result<(), CliError> {
    let Some(link) = app::accounts::setup::renew_link(app).await? else { return Ok(()) };
    let url = &app.settings().public_url;
    let printed = print(&format!(
        "\nAfterglow is at {url}\n\nIt has no administrator yet. This link makes one. It works once; a restart prints a new \
         one in its place.\n\n  {link}\n\n"
    ));
    if let Err(error) = printed {
        tracing::warn!(%error, "the link that makes an administrator cannot be printed");
    }
    // For a person who has started it, or a service manager's log; a program that starts it a hundred times is not told.
    if std::io::stderr().is_terminal() || service_manager::is_there() {
        tokio::spawn(tell_pace(app.clone()));
    }
    Ok(())
}

/// Says before the first upload how long photos will take.
async fn tell_pace(app: App) {
    match Pace::of(&app).await {
        Ok(pace) => tracing::info!("photos of 24 megapixels become searchable at {pace}"),
        Err(failure) => tracing::warn!(error = failure.chain(), "the pace of indexing cannot be measured"),
    }
}

/// Runs jobs alone.
pub(crate) async fn worker(settings: &Settings) -> Result<(), CliError> {
    let start = service_manager::Start::begin();
    data_folder::check(settings)?;
    let app = wiring::app(settings, settings.public_url(settings.listen.port()), None).await?;
    data_folder::mark(settings)?;
    let stop = stop_signal()?;
    if let Some(address) = settings.worker_metrics_listen {
        let (listener, address) = listen(address).await?;
        tracing::info!(%address, "answering /metrics");
        let router = api::metrics_router(app.clone());
        tokio::spawn(api::serve(listener, router, app.clone(), stop.clone().cancelled_owned()));
    }
    tracing::info!(workers = app.settings().index_workers, "working");
    tokio::spawn(forget(app.clone(), stop.clone()));
    tokio::spawn(give_memory_back(app.clone(), stop.clone()));
    let worker = tokio::spawn(work(app, stop.clone()));
    start.ready("Working");
    stop.cancelled().await;
    service_manager::stopping();
    tracing::info!("stopping");
    match tokio::time::timeout(GRACE_PERIOD, worker).await {
        Ok(ended) => ended.map_err(|error| CliError::context("The worker ended early", &error)),
        Err(_) => {
            tracing::warn!("some jobs did not finish in time; their leases run out and they are done again");
            Ok(())
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), CliError> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let hint = if error.kind() == ErrorKind::AddrInUse { " (choose another with `listen`)" } else { "" };
        CliError::context(&format!("{address} cannot be listened on{hint}"), &error)
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| CliError::context("The address listened on cannot be read", &error))?;
    Ok((listener, address))
}

/// Keeps no embeddings in memory that another process has deleted.
async fn forget(app: App, stop: CancellationToken) {
    app::faces::stale_embeddings::drop_stale_periodically(&app, stop).await;
}

/// Writes what guests did, which is in memory for a few seconds.
async fn write_numbers(app: App, stop: CancellationToken) {
    app::statistics::write_periodically(&app, stop).await;
}

/// Returns memory to the system while nothing is done.
async fn give_memory_back(app: App, stop: CancellationToken) {
    app::operations::runtime::idle_memory::give_back_when_idle(&app, stop, machine::trim_memory).await;
}

async fn work(app: App, stop: CancellationToken) {
    app::operations::runtime::worker::run(&app, stop).await;
}

/// A token that SIGTERM or SIGINT cancels.
fn stop_signal() -> Result<CancellationToken, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen =
        |kind| signal(kind).map_err(|error| CliError::context("Signals cannot be listened to", &error));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        cancel.cancel();
    });
    Ok(stop)
}
