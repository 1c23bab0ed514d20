//! The networks of a pack, loaded. Nothing else names the inference engine.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::ep::CPU;
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{RunOptions, Session, SessionInputValue};
use ort::value::{TensorElementType, TensorRef};

use crate::chips::Chip;
use crate::detections::{Decoder, Detection};
use crate::errors::InferenceError;
use crate::packs::{DetectorModel, Pack, RecogniserModel};
use crate::resampling::{Data, Input, Layout, Samples};

/// What the inference engine said while loading.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error("{0}")]
    Library(#[from] ort::LoadDynamicError),
    #[error("{0}")]
    Engine(#[from] ort::Error),
    #[error("{model} has no tensor named '{tensor}'")]
    Tensor { model: String, tensor: String },
    #[error("{0}")]
    Path(#[from] std::io::Error),
    #[error("{}={} is not in the environment, without which it reports to its maker", NO_TELEMETRY.0, NO_TELEMETRY.1)]
    Telemetry,
}

/// The variable of the environment, with its value, that has to be there before the inference engine is loaded. Without it the
/// official builds for Linux and macOS, from 1.29 on, keep an identifier of the machine in the home folder and send it, with
/// names and hashes of the models, to their maker (<https://github.com/microsoft/onnxruntime/pull/27379>). What its API offers
/// comes too late: the first event is on its way by then.
pub const NO_TELEMETRY: (&str, &str) = ("ORT_DISABLE_TELEMETRY", "1");

/// Whether this value of the variable switches it off.
fn is_off(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| value == NO_TELEMETRY.1)
}

impl From<ort::Error> for InferenceError {
    fn from(error: ort::Error) -> Self {
        Self { reason: error.to_string() }
    }
}

/// The inference engine allows one environment a process, so all engines share this one.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// The inference engine's library, loaded.
#[derive(Debug)]
pub(super) struct Runtime(Environment);

impl Runtime {
    pub(super) fn load(pack: &Pack) -> Result<Self, LoadError> {
        let mut shared = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(environment) = shared.as_ref() {
            return Ok(Self(environment.clone()));
        }
        if !is_off(std::env::var_os(NO_TELEMETRY.0).as_deref()) {
            return Err(LoadError::Telemetry);
        }
        // A relative path would be searched for beside the program first.
        let library = std::path::absolute(pack.path(&pack.manifest().runtime.file))?;
        let environment = ort::init_from(library)?.with_name("afterglow").with_telemetry(false).build()?;
        Ok(Self(shared.insert(environment).clone()))
    }

    /// One thread, and no memory pattern: it keeps a block for every shape it ever saw, and pictures differ in size.
    fn session(
        &self,
        file: &Path,
        name: &str,
        input: &str,
        outputs: &[String],
        memory: Memory,
    ) -> Result<Session, LoadError> {
        let session = Session::builder(&self.0)?
            .with_optimization_level(GraphOptimizationLevel::All)
            .map_err(ort::Error::from)?
            .with_intra_threads(1)
            .map_err(ort::Error::from)?
            .with_memory_pattern(false)
            .map_err(ort::Error::from)?
            .with_execution_providers([CPU::default().with_arena_allocator(memory == Memory::Reused).build()])
            .map_err(ort::Error::from)?
            .commit_from_file(file)?;
        let tensor_of =
            |tensor: &str| LoadError::Tensor { model: name.to_owned(), tensor: tensor.to_owned() };
        if session.inputs().len() != 1 || session.inputs()[0].name() != input {
            return Err(tensor_of(input));
        }
        for output in outputs {
            if !session.outputs().iter().any(|outlet| outlet.name() == output) {
                return Err(tensor_of(output));
            }
        }
        Ok(session)
    }
}

/// What happens to the memory of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// It is returned to the system.
    Freed,
    /// It is reused by the next run. Detection in a whole picture takes some hundred megabytes, and having the system
    /// clear them for every picture took a third of the indexing time.
    Reused,
}

/// All networks of a pack, for one caller at a time.
#[derive(Debug)]
pub(super) struct Networks {
    pub(super) detector: Detector,
    pub(super) refiner: Detector,
    pub(super) recogniser: Recogniser,
    /// That of the pack before; none until it is asked for.
    previous: Option<Recogniser>,
}

impl Networks {
    /// `detector` is the file of the pack with the detector.
    pub(super) fn open(runtime: &Runtime, pack: &Pack, detector: &str) -> Result<Self, LoadError> {
        let manifest = pack.manifest();
        let refiner = &manifest.refiner;
        Ok(Self {
            detector: Detector::open(runtime, pack, &manifest.detector, detector, Memory::Reused)?,
            refiner: Detector::open(runtime, pack, refiner, &refiner.file, Memory::Freed)?,
            recogniser: Recogniser::open(runtime, pack, &manifest.recogniser)?,
            previous: None,
        })
    }

    /// The recogniser of the pack before, which is loaded now if it is not; none where the pack carries none.
    pub(super) fn previous(
        &mut self,
        runtime: &Runtime,
        pack: &Pack,
    ) -> Result<Option<&mut Recogniser>, InferenceError> {
        let Some(model) = &pack.manifest().previous else { return Ok(None) };
        if self.previous.is_none() {
            let opened = Recogniser::open(runtime, pack, &model.recogniser);
            self.previous = Some(opened.map_err(|error| InferenceError { reason: error.to_string() })?);
        }
        Ok(self.previous.as_mut())
    }

    /// Frees what a former call left for the next one, and the recogniser of the pack before.
    pub(super) fn release_memory(&mut self) -> Result<(), InferenceError> {
        self.previous = None;
        self.detector.release_memory()
    }
}

/// A network that detects faces.
#[derive(Debug)]
pub(super) struct Detector {
    session: Session,
    outputs: Vec<String>,
    decoder: Decoder,
    /// How the network takes pictures: one in 8-bit integers may want them as they are.
    layout: Layout,
    threshold: f64,
    /// Of the smallest picture that the network takes.
    smallest_side: usize,
    memory: Memory,
}

impl Detector {
    /// The network `model`, from `file` of the pack.
    pub(super) fn open(
        runtime: &Runtime,
        pack: &Pack,
        model: &DetectorModel,
        file: &str,
        memory: Memory,
    ) -> Result<Self, LoadError> {
        let session = runtime.session(&pack.path(file), &model.name, &model.input, &model.outputs, memory)?;
        let bytes = session.inputs()[0].dtype().tensor_type() == Some(TensorElementType::Uint8);
        Ok(Self {
            session,
            outputs: model.outputs.clone(),
            decoder: model.decoder,
            layout: if bytes { Layout::Bytes } else { Layout::Planes(model.samples()) },
            threshold: model.score_threshold,
            smallest_side: model.size_multiple,
            memory,
        })
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Frees what former runs left for the next one. The engine does so at the end of a run only, so that it gets a tiny one.
    pub(super) fn release_memory(&mut self) -> Result<(), InferenceError> {
        if self.memory == Memory::Freed {
            return Ok(());
        }
        let nothing = Input::black(self.smallest_side, self.smallest_side, &self.layout);
        let mut options = RunOptions::new()?;
        options.set("memory.enable_memory_arena_shrinkage", "cpu:0")?;
        self.session.run_with_options(ort::inputs![tensor(&nothing)?], &options)?;
        Ok(())
    }

    /// Every candidate above the pack's score, in pixels of `input`; the same face several times.
    pub(super) fn candidates(&mut self, input: &Input) -> Result<Vec<Detection>, InferenceError> {
        self.candidates_above(input, self.threshold)
    }

    /// Every candidate above a score of the caller's.
    pub(super) fn candidates_above(
        &mut self,
        input: &Input,
        threshold: f64,
    ) -> Result<Vec<Detection>, InferenceError> {
        let (decoder, names) = (self.decoder, &self.outputs);
        run(&mut self.session, input, names, |outputs| {
            let lengths = decoder.lengths(input.width, input.height);
            if let Some(at) = (0..lengths.len()).find(|at| outputs[*at].len() != lengths[*at]) {
                let (found, expected) = (outputs[at].len(), lengths[at]);
                let reason = format!("output {} holds {found} numbers instead of {expected}", names[at]);
                return Err(InferenceError { reason });
            }
            Ok(decoder.candidates(outputs, input.width, input.height, threshold))
        })
    }
}

/// A network that describes faces.
#[derive(Debug)]
pub(super) struct Recogniser {
    session: Session,
    output: [String; 1],
    dimension: usize,
    samples: Samples,
}

impl Recogniser {
    fn open(runtime: &Runtime, pack: &Pack, model: &RecogniserModel) -> Result<Self, LoadError> {
        let output = [model.output.clone()];
        let file = pack.path(&model.file);
        Ok(Self {
            session: runtime.session(&file, &model.name, &model.input, &output, Memory::Freed)?,
            output,
            dimension: model.dimension,
            samples: model.samples(),
        })
    }

    /// The raw description of an aligned face, or of its mirror image.
    pub(super) fn embed(&mut self, chip: &Chip, mirrored: bool) -> Result<Vec<f32>, InferenceError> {
        let input = chip.planes(&self.samples, mirrored);
        let values = run(&mut self.session, &input, &self.output, |outputs| Ok(outputs[0].to_vec()))?;
        if values.len() != self.dimension {
            let reason =
                format!("the recogniser gave {} numbers instead of {}", values.len(), self.dimension);
            return Err(InferenceError { reason });
        }
        Ok(values)
    }
}

fn tensor(input: &Input) -> Result<SessionInputValue<'_>, InferenceError> {
    let (width, height) = (input.width, input.height);
    Ok(match &input.data {
        Data::Planes(planes) => {
            TensorRef::from_array_view(([1, 3, height, width], planes.as_slice()))?.into()
        }
        Data::Bytes(pixels) => {
            TensorRef::from_array_view(([1, height, width, 4], pixels.as_flattened()))?.into()
        }
    })
}

/// What `read` makes of the outputs of these names.
fn run<T>(
    session: &mut Session,
    input: &Input,
    outputs: &[String],
    read: impl FnOnce(&[&[f32]]) -> Result<T, InferenceError>,
) -> Result<T, InferenceError> {
    let found = session.run(ort::inputs![tensor(input)?])?;
    let mut values = Vec::with_capacity(outputs.len());
    for name in outputs {
        let value =
            found.get(name).ok_or_else(|| InferenceError { reason: format!("there is no output {name}") })?;
        values.push(value.try_extract_tensor::<f32>()?.1);
    }
    read(&values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telemetry_is_off_where_the_environment_says_so_alone() {
        // [SAFE219]
        assert!(is_off(Some(OsStr::new("1"))));
        assert!(!is_off(Some(OsStr::new("0"))));
        assert!(!is_off(Some(OsStr::new(""))));
        assert!(!is_off(None));
    }
}
