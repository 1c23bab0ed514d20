//! Which numbers the detector computes with.

use std::fmt;

/// The numbers that a detector computes with. Boxes differ by some percent; embeddings are computed with 32-bit
/// floats always, so that a pack's are comparable on all processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// 8-bit integers: about half the time, on processors that multiply and add the network's without losing a carry.
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

/// The bits of weights, sign included, of which no pair's products with unsigned bytes exceeds 16 bits: 2 · 255 · 63 < 2¹⁵.
const BITS_WITHOUT_OVERFLOW: u32 = 7;

/// What this processor has for products of unsigned and signed bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Instructions {
    /// Those that add the products to 32 bits at once.
    vnni: Option<&'static str>,
    /// Those that add two products in 16 bits first, where larger sums are cut off (`vpmaddubsw`).
    avx2: bool,
}

impl Instructions {
    pub(crate) fn of_this_processor() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            // A processor with AMX for bytes has these as well.
            let vnni = if std::arch::is_x86_feature_detected!("avx512vnni") {
                Some("AVX-512 VNNI")
            } else if std::arch::is_x86_feature_detected!("avxvnni") {
                Some("AVX-VNNI")
            } else {
                None
            };
            Self { vnni, avx2: std::arch::is_x86_feature_detected!("avx2") }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::default()
    }

    /// The instructions that compute a network whose weights have so many bits without losing anything, or which ones are missing.
    pub(crate) fn for_weights(self, bits: u32) -> Result<&'static str, &'static str> {
        let avx2 = (self.avx2 && bits <= BITS_WITHOUT_OVERFLOW).then_some("AVX2");
        let missing = if bits <= BITS_WITHOUT_OVERFLOW { "AVX2" } else { "VNNI" };
        self.vnni.or(avx2).ok_or(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::Instructions;

    #[test]
    fn weights_of_eight_bits_need_vnni_and_those_of_seven_avx2() {
        let vnni = Instructions { vnni: Some("AVX-VNNI"), avx2: true };
        let avx2 = Instructions { vnni: None, avx2: true };
        assert_eq!([7, 8].map(|bits| vnni.for_weights(bits)), [Ok("AVX-VNNI"); 2]);
        assert_eq!([7, 8].map(|bits| avx2.for_weights(bits)), [Ok("AVX2"), Err("VNNI")]);
        assert_eq!([7, 8].map(|bits| Instructions::default().for_weights(bits)), [Err("AVX2"), Err("VNNI")]);
    }
}
