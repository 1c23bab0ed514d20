//! `afterglow faces`: the product's pipeline on a folder of photos, without server or database.

mod reports;

use std::path::{Path, PathBuf};

use app::faces::evaluations::{self, Evaluation};
use app::faces::folders::{self, Progress};
use domain::faces::Strictness;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with a folder of photos.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Find the faces of every photo in a folder and keep them for `faces search`.
    Index {
        /// The folder; folders in it are read too.
        dir: PathBuf,
    },
    /// Print the photos of a folder in which a person is, best first, each with its score.
    Search {
        /// The folder; photos that are not indexed yet are indexed first.
        dir: PathBuf,
        /// One to three pictures of the person.
        #[arg(required = true, num_args = 1..=3)]
        selfie: Vec<PathBuf>,
        /// How sure a match must be: strict, normal or loose.
        #[arg(long, default_value = "normal")]
        strictness: String,
        /// Which face of the first picture, counted from 0, the largest first.
        #[arg(long)]
        face: Option<usize>,
    },
    /// Measure how well people are found in photos whose truth is known.
    ///
    /// DIR holds photos/, selfies/PERSON.jpg, strangers/PERSON.jpg and truth.json:
    /// {"people": {PERSON: [names of the photos with them]}, "strangers": [PERSON]}.
    /// Everybody searches by their own selfie. Recall is the part of the photos with the searching people that was
    /// found, precision the part of the found ones that shows the searching person. A refused selfie finds nothing.
    ///
    /// With "faces": {PHOTO: {PERSON: width of the face in pixels}} in truth.json, the report tells faces apart by it.
    Evaluate {
        /// The folder.
        dir: PathBuf,
        /// Write evaluation.csv and evaluation.svg into this folder: recall over precision at thresholds around the
        /// pack's, by the width of faces, and in indexes of every second, fourth and eighth photo.
        #[arg(long, value_name = "FOLDER")]
        report: Option<PathBuf>,
    },
}

/// Runs a command.
pub(crate) fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let engine = wiring::engine(settings)?;
    let cache = settings.data_dir.join("folders");
    let workers = settings.index_workers();
    let index = |dir: &Path| folders::index(&engine, dir, &cache, workers, &report).map_err(CliError::from);
    match command {
        Command::Index { dir } => {
            let index = index(&dir)?;
            let (photos, faces) = (index.photos(), index.faces());
            print(&format!(
                "{photos} photos, {faces} faces, {} files that are no readable photo\n",
                index.unreadable()
            ))
        }
        Command::Search { dir, selfie, strictness, face } => {
            let strictness = Strictness::parse(&strictness)
                .ok_or_else(|| CliError::new("--strictness must be strict, normal or loose"))?;
            let index = index(&dir)?;
            let pictures = selfie.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
            let hits = folders::search(&engine, &index, pictures, face, strictness)?;
            if hits.is_empty() {
                return print("No matching photos found.\n");
            }
            let lines = hits.iter().map(|hit| format!("{:.3}  {}\n", hit.similarity, hit.path.display()));
            print(&lines.collect::<String>())
        }
        Command::Evaluate { dir, report: folder } => {
            let outcome = evaluations::evaluate(&engine, &dir, &cache, workers, &report)?;
            if let Some(folder) = folder {
                write(&folder, "evaluation.csv", &reports::csv(&outcome.curves))?;
                write(&folder, "evaluation.svg", &reports::svg(&outcome.curves))?;
            }
            print(&format!("detector: {}\n{}", engine.arithmetic(), table(&outcome)))
        }
    }
}

fn table(outcome: &Evaluation) -> String {
    let mut text = format!(
        "{} photos, {} faces, {} searches, {} selfies refused\n",
        outcome.index.photos(),
        outcome.index.faces(),
        outcome.searches,
        outcome.refused.len()
    );
    for (person, refusal) in &outcome.refused {
        text.push_str(&format!("  {person}: {refusal}\n"));
    }
    text.push_str("strictness  recall  precision  wrong  missed  strangers answered\n");
    for (strictness, tally) in &outcome.tallies {
        text.push_str(&format!(
            "{:<10}  {:>6.4}  {:>9.4}  {:>5}  {:>6}  {} of {}\n",
            strictness.as_str(),
            tally.recall(),
            tally.precision(),
            tally.wrong,
            tally.missed,
            tally.strangers_answered,
            tally.strangers
        ));
    }
    text
}

fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    std::fs::read(path)
        .map_err(|error| CliError::context(&format!("{} cannot be read", path.display()), &error))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), CliError> {
    let file = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|error| CliError::context(&format!("{} cannot be written", file.display()), &error))
}

fn report(progress: &Progress) {
    match &progress.problem {
        Some(problem) => tracing::warn!(photo = %progress.path.display(), problem, "skipped"),
        None => {
            tracing::info!(done = progress.done, of = progress.total, photo = %progress.path.display(), faces = progress.faces, "indexed")
        }
    }
}
