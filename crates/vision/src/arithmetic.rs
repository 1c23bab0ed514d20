//! Which numbers the detector computes with.

use std::fmt;

/// The numbers that a detector computes with. Boxes differ by some percent; embeddings are computed with 32-bit
/// floats always, so that a pack's are comparable on all processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// 8-bit integers: about half the time, on processors that multiply and add them without losing a carry.
    Integers {
        /// The processor's instructions for it.
        instructions: &'static str,
    },
    /// 32-bit floats.
    Floats {
        /// Why not 8-bit integers.
        reason: String,
    },
}

impl Arithmetic {
    /// A short name, for metrics.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Integers { .. } => "int8",
            Self::Floats { .. } => "float32",
        }
    }

    pub(crate) fn floats(reason: impl Into<String>) -> Self {
        Self::Floats { reason: reason.into() }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integers { instructions } => write!(formatter, "8-bit integers ({instructions})"),
            Self::Floats { reason } => write!(formatter, "32-bit floats ({reason})"),
        }
    }
}

/// The instructions of this processor that multiply unsigned by signed bytes and add the products to 32 bits at once.
///
/// Without them ONNX Runtime adds two products in 16 bits first, where large ones are cut off: slower, and wrong.
pub(crate) fn integer_instructions() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        // A processor with AMX for bytes has these as well.
        if std::arch::is_x86_feature_detected!("avx512vnni") {
            return Some("AVX-512 VNNI");
        }
        if std::arch::is_x86_feature_detected!("avxvnni") {
            return Some("AVX-VNNI");
        }
    }
    None
}
