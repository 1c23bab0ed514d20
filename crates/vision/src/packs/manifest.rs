//! What `pack.toml` says, field by field.

use serde::Deserialize;

use crate::detections::Decoder;
use crate::face_index::{Agreement, Margins, Matching, Thresholds};
use crate::resampling::Samples;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    format: u32,
    pub(crate) id: String,
    #[serde(rename = "description")]
    _description: String,
    pub(crate) runtime: Runtime,
    /// Finds the faces of a whole picture.
    pub(crate) detector: DetectorModel,
    /// The same network in 8-bit integers; packs of format 1 have none.
    pub(crate) quantised_detector: Option<QuantisedDetector>,
    pub(crate) detection: Detection,
    /// Looks at one face closely and places its landmarks.
    pub(crate) refiner: DetectorModel,
    pub(crate) refinement: Refinement,
    pub(crate) recogniser: RecogniserModel,
    expansion: Expansion,
    thresholds: Vec<Thresholds>,
    /// Packs before format 3 name none.
    margins: Option<Margins>,
    pub(crate) self_test: SelfTest,
    /// The recogniser of the pack before, for faces that are not yet described by this one's; packs before format 4 have none.
    pub(crate) previous: Option<Previous>,
}

/// The recogniser of the pack before, which had the same detector, with all that a search with it needs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Previous {
    /// Of that pack: faces are stored with it.
    pub(crate) id: String,
    /// What it says of the face in the picture of the self-test.
    pub(crate) embedding: Vec<f32>,
    pub(crate) recogniser: RecogniserModel,
    expansion: Expansion,
    margins: Margins,
    thresholds: Vec<Thresholds>,
}

impl Previous {
    pub(crate) fn matching(&self) -> Matching {
        self.expansion.matching(&self.thresholds).with_margins(self.margins)
    }
}

/// The inference engine's shared library.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runtime {
    pub(crate) file: String,
    sha256: String,
    #[serde(rename = "version")]
    _version: String,
    #[serde(rename = "licence")]
    _licence: String,
}

/// The order of a picture's colours in the network's planes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Channels {
    Rgb,
    Bgr,
}

impl Channels {
    const fn indices(self) -> [usize; 3] {
        match self {
            Self::Rgb => [0, 1, 2],
            Self::Bgr => [2, 1, 0],
        }
    }
}

/// The five points of a face; left and right as seen in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Landmark {
    LeftEye,
    RightEye,
    Nose,
    LeftMouth,
    RightMouth,
}

impl Landmark {
    const ALL: [Self; 5] = [Self::LeftEye, Self::RightEye, Self::Nose, Self::LeftMouth, Self::RightMouth];
}

/// A network that finds faces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DetectorModel {
    pub(crate) file: String,
    sha256: String,
    pub(crate) name: String,
    pub(crate) decoder: Decoder,
    pub(crate) input: String,
    pub(crate) outputs: Vec<String>,
    channels: Channels,
    mean: [f32; 3],
    scale: f32,
    /// Width and height of the input are multiples of it.
    pub(crate) size_multiple: usize,
    /// Candidates below are no faces, 0 to 1.
    pub(crate) score_threshold: f64,
    /// Candidates that overlap more are the same face, 0 to 1.
    pub(crate) nms_threshold: f64,
    landmark_order: [Landmark; 5],
    #[serde(rename = "licence")]
    _licence: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "training_data")]
    _training_data: String,
    #[serde(rename = "commercial_use")]
    _commercial_use: String,
}

impl DetectorModel {
    pub(crate) const fn samples(&self) -> Samples {
        Samples { channels: self.channels.indices(), mean: self.mean, scale: self.scale }
    }

    /// Brings the network's landmarks into the order eye, eye, nose, corner, corner of the mouth.
    pub(crate) fn ordered(&self, landmarks: &[[f64; 2]; 5]) -> [[f64; 2]; 5] {
        Landmark::ALL.map(|wanted| {
            let place = self.landmark_order.iter().position(|landmark| *landmark == wanted);
            landmarks[place.unwrap_or_default()]
        })
    }
}

/// The detector in 8-bit integers, whose input, outputs and limits are the detector's own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuantisedDetector {
    pub(crate) file: String,
    sha256: String,
    /// Bits of its weights, sign included. Packs before format 6 do not say: theirs have eight.
    #[serde(default = "eight")]
    pub(crate) weight_bits: u32,
    /// What it finds in the picture of the self-test.
    pub(crate) score: f64,
    /// Left, top, right, bottom, in pixels.
    #[serde(rename = "box")]
    pub(crate) bounds: [f64; 4],
    /// In the detector's own order, in pixels.
    pub(crate) landmarks: [[f64; 2]; 5],
}

const fn eight() -> u32 {
    8
}

/// The sizes of pictures for detection.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Detection {
    /// Long side of an indexed picture, in pixels; smaller ones are not enlarged.
    pub(crate) long_side: f64,
    /// Long sides tried for a selfie, the smallest first, until a face is found.
    pub(crate) selfie_long_sides: Vec<f64>,
    /// Black margin around a selfie, as a part of each side: a face that fills the frame is detected badly.
    pub(crate) selfie_padding: f64,
    /// How a photo is looked at before; without it the look at its full size is the only one.
    pub(crate) first_look: Option<FirstLook>,
}

/// A look at a photo in a smaller picture, which says where it has to be looked at in its full size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstLook {
    /// Long side of the smaller picture, in pixels.
    pub(crate) long_side: f64,
    /// What has less is nothing, 0 to 1.
    pub(crate) least_score: f64,
    /// What has more for each pixel of its width is looked at again, and so is what has more than `clear_score`.
    pub(crate) score_by_width: f64,
    pub(crate) clear_score: f64,
    /// A face with more is not looked at again, unless it is narrower than `smallest_face`; 0 to 1.
    pub(crate) sure_score: f64,
    /// In pixels of the smaller picture.
    pub(crate) smallest_face: f64,
    /// What is wider is not looked at again, in pixels of the smaller picture.
    pub(crate) largest_face: f64,
    /// What has less is looked at again where it is narrower, in pixels of the smaller picture...
    pub(crate) largest_weak: f64,
    /// ... as long as this part of the picture is not used up, of what has the most for its width first.
    pub(crate) weak_share: f64,
}

/// How the crop of a face is made, in which its landmarks are refined.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refinement {
    /// Side of the crop, in pixels of the network.
    pub(crate) crop_side: usize,
    /// Side of the crop, in long sides of the face's box.
    pub(crate) box_scale: f64,
    /// A face whose centre is farther from the crop's centre is another one; as a part of the side.
    pub(crate) farthest_centre: f64,
}

/// A network that computes embeddings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecogniserModel {
    pub(crate) file: String,
    sha256: String,
    pub(crate) name: String,
    pub(crate) input: String,
    pub(crate) output: String,
    channels: Channels,
    mean: [f32; 3],
    scale: f32,
    /// Side of its square input, in pixels.
    pub(crate) chip_size: usize,
    /// Where the landmarks belong in that square.
    pub(crate) template: [[f64; 2]; 5],
    /// Length of an embedding.
    pub(crate) dimension: usize,
    #[serde(rename = "metric")]
    _metric: Metric,
    /// Whether the embeddings of a face and of its mirror image are averaged.
    pub(crate) mirror_average: bool,
    /// Narrower faces of a photo are skipped, in pixels; for a selfie the flaw is reported.
    pub(crate) smallest_face: f64,
    #[serde(rename = "licence")]
    _licence: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "training_data")]
    _training_data: String,
    #[serde(rename = "commercial_use")]
    _commercial_use: String,
}

impl RecogniserModel {
    pub(crate) const fn samples(&self) -> Samples {
        Samples { channels: self.channels.indices(), mean: self.mean, scale: self.scale }
    }
}

/// The only way this version compares embeddings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Metric {
    Cosine,
}

/// See [`Matching`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expansion {
    matches: usize,
    similarity: f32,
    /// Packs before format 5 have none.
    agreement: Option<Agreement>,
}

impl Expansion {
    fn matching(self, thresholds: &[Thresholds]) -> Matching {
        Matching::new(thresholds.to_vec(), self.matches, self.similarity).with_agreement(self.agreement)
    }

    /// Whether what it learns from agreement can be.
    fn is_possible(&self) -> bool {
        self.agreement.is_none_or(|agreement| {
            agreement.is_possible() && agreement.faces <= self.matches && agreement.below < self.similarity
        })
    }
}

/// A picture with a known outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfTest {
    pub(crate) picture: String,
    sha256: String,
    /// Left, top, right, bottom of the one face, in pixels.
    #[serde(rename = "box")]
    pub(crate) bounds: [f64; 4],
    pub(crate) embedding: Vec<f32>,
}

// Bounds that prevent a faulty pack from using all memory.
const LARGEST_SIDE: f64 = 8192.0;
const LARGEST_CHIP: usize = 1024;
/// The first format whose packs have to name their margins.
const FIRST_WITH_MARGINS: u32 = 3;
/// The first format whose packs may carry the recogniser of another.
const FIRST_WITH_PREVIOUS: u32 = 4;

impl Manifest {
    /// Every file of the pack with its SHA-256.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let always = [
            (&self.runtime.file, &self.runtime.sha256),
            (&self.detector.file, &self.detector.sha256),
            (&self.refiner.file, &self.refiner.sha256),
            (&self.recogniser.file, &self.recogniser.sha256),
            (&self.self_test.picture, &self.self_test.sha256),
        ];
        let quantised = self.quantised_detector.iter().map(|model| (&model.file, &model.sha256));
        let previous =
            self.previous.iter().map(|previous| (&previous.recogniser.file, &previous.recogniser.sha256));
        let all = always.into_iter().chain(quantised).chain(previous);
        all.map(|(name, sha256)| (name.as_str(), sha256.as_str()))
    }

    pub(crate) fn matching(&self) -> Matching {
        self.expansion.matching(&self.thresholds).with_margins(self.margins.unwrap_or_default())
    }

    /// What the types cannot say; the answer is the reason for a refusal.
    pub(crate) fn check(&self) -> Result<(), String> {
        let require = |holds: bool, reason: &str| if holds { Ok(()) } else { Err(reason.to_owned()) };
        for (name, _) in self.files() {
            let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
            require(plain, &format!("'{name}' is not a plain file name"))?;
        }
        for model in [&self.detector, &self.refiner] {
            let name = &model.name;
            require(
                model.outputs.len() == model.decoder.outputs(),
                &format!("{name} lists the wrong number of outputs"),
            )?;
            require((1..=256).contains(&model.size_multiple), &format!("{name} has an odd size_multiple"))?;
            let distinct = Landmark::ALL.iter().all(|landmark| model.landmark_order.contains(landmark));
            require(distinct, &format!("{name} lists a landmark twice"))?;
        }
        let sides = self.detection.selfie_long_sides.iter().chain([&self.detection.long_side]);
        require(
            sides.clone().all(|side| (32.0..=LARGEST_SIDE).contains(side)) && sides.count() > 1,
            "a side is out of range",
        )?;
        require((0.0..=2.0).contains(&self.detection.selfie_padding), "selfie_padding is out of range")?;
        if let Some(first) = &self.detection.first_look {
            require(
                (32.0..=LARGEST_SIDE).contains(&first.long_side),
                "the first look's side is out of range",
            )?;
            let rising = [0.0, first.least_score, self.detector.score_threshold, first.sure_score, 1.0];
            require(
                rising.is_sorted_by(|one, other| one < other),
                "the first look's scores do not enclose the detector's",
            )?;
            require(
                first.score_by_width > 0.0
                    && first.clear_score > 0.0
                    && (0.0..=first.largest_face).contains(&first.smallest_face)
                    && (0.0..=1.0).contains(&first.weak_share),
                "the first look is out of range",
            )?;
        }
        let crop = self.refinement.crop_side;
        require(
            (32..=LARGEST_CHIP).contains(&crop) && crop.is_multiple_of(self.refiner.size_multiple),
            "crop_side does not suit the refiner",
        )?;
        require((1.0..=8.0).contains(&self.refinement.box_scale), "box_scale is out of range")?;
        check_recogniser(&self.recogniser, &self.self_test.embedding, &self.thresholds)?;
        require(self.format < FIRST_WITH_MARGINS || self.margins.is_some(), "there are no margins")?;
        require(self.margins.is_none_or(|margins| margins.are_possible()), "a margin is out of range")?;
        require(self.expansion.is_possible(), "the agreement is out of range")?;
        let is_possible = |model: &QuantisedDetector| (2..=8).contains(&model.weight_bits);
        require(self.quantised_detector.as_ref().is_none_or(is_possible), "weight_bits is out of range")?;
        let Some(previous) = &self.previous else { return Ok(()) };
        require(self.format >= FIRST_WITH_PREVIOUS, "packs of its format carry no previous recogniser")?;
        require(!previous.id.is_empty() && previous.id != self.id, "the previous pack has no id of its own")?;
        check_recogniser(&previous.recogniser, &previous.embedding, &previous.thresholds)?;
        require(previous.expansion.is_possible(), "the previous recogniser's agreement is out of range")?;
        require(previous.margins.are_possible(), "a margin of the previous recogniser is out of range")
    }
}

/// `embedding` is that of the self-test.
fn check_recogniser(
    model: &RecogniserModel,
    embedding: &[f32],
    thresholds: &[Thresholds],
) -> Result<(), String> {
    let require = |holds: bool, reason: &str| if holds { Ok(()) } else { Err(reason.to_owned()) };
    require((16..=LARGEST_CHIP).contains(&model.chip_size), "chip_size is out of range")?;
    require(model.dimension > 0, "the dimension is 0")?;
    require(embedding.len() == model.dimension, "the self-test has another dimension")?;
    require(!thresholds.is_empty(), "there are no thresholds")?;
    require(thresholds.iter().all(Thresholds::is_nested), "thresholds must fall from strict to loose")?;
    let rising = thresholds.windows(2).all(|pair| pair[0].is_below(&pair[1]));
    require(rising, "thresholds must rise with the number of faces")
}
