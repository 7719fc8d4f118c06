//! The bins of a column, and how they are guessed.

use crate::backend::cpu::kernels::vector::lanes::SHIFT;
use crate::dtype::DType;
use crate::plan::round;

/// The place of a sample whose guess is not certain. It is above every place.
pub(crate) const UNSURE: u32 = u32::MAX;

/// The edges of a column, and how its bins are guessed: `t = (value − low) · scale`. The integer part of t is the bin. The dtype of t is
/// that of the guess.
#[derive(Clone, Copy, Default)]
pub(crate) struct Axis<'a> {
    edges: &'a [f64],
    /// The number of bins.
    pub(crate) bins: u32,
    /// The first edge.
    pub(crate) low: f64,
    /// The number of bins in a distance of 1.
    pub(crate) scale: f64,
    /// If t is at most this far from the middle of a bin, the value is in that bin. Negative if bins cannot be guessed.
    pub(crate) limit: f64,
}

impl<'a> Axis<'a> {
    /// Prepares guesses in `dtype`, float32 or float64. Bins are not guessed (`limit` is negative) if an edge is a quarter of a bin or
    /// more away from its place among equal bins, or if there are more than 2^22 edges.
    pub(crate) fn new(edges: &'a [f64], dtype: DType) -> Self {
        let bins = edges.len().saturating_sub(1) as u32;
        let mut axis = Self { edges, bins, limit: -1.0, ..Self::default() };
        let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return axis };
        let rounded = |value| round(value, dtype);
        axis.low = rounded(first);
        axis.scale = rounded(f64::from(bins) / (last - first));
        // The largest distance of an edge's t from the edge's number.
        let mut off = 0f64;
        for (at, &edge) in edges.iter().enumerate() {
            let here = (rounded(rounded(rounded(edge) - axis.low) * axis.scale) - at as f64).abs();
            // Written as a negation, so that NaN returns too. From 2^22 on, a float32 has too few digits for the fraction of t.
            if !(here < 0.25 && at < 1 << 22) {
                return axis;
            }
            off = if here > off { here } else { off }; // `max` would be a function call
        }
        // Half a bin, less a millionth: the distance from the middle of a bin is rounded too.
        axis.limit = 0.499_999 - off;
        axis
    }

    /// The bin of a value, or `bins` if it is in no bin.
    #[inline(always)]
    pub(crate) fn bin(&self, value: f64) -> u32 {
        let scaled = (value - self.low) * self.scale;
        // Adding `SHIFT` rounds to the nearest integer and leaves it in the low bits. Subtracting half first gives the integer below. A
        // negative integer becomes a large guess, and so `bins`.
        let shifted = scaled - 0.5 + SHIFT;
        let guess = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
        // Whether t is close enough to the middle of the bin. False for NaN.
        if (scaled - (shifted - SHIFT) - 0.5).abs() <= self.limit {
            return guess.min(self.bins.into()) as u32;
        }
        if self.limit > 0.0 { self.correct(value, guess) } else { self.search(value) }
    }

    /// The bin of a value among edges of almost equal distances: the guessed bin or one of its neighbours, because `t(e[i])` is less than
    /// a quarter away from i. All values on edges come here. Integers and numbers with few digits often are on edges.
    #[inline(never)]
    fn correct(&self, value: f64, guess: u64) -> u32 {
        let (Some(&first), Some(&last)) = (self.edges.first(), self.edges.last()) else { return self.bins };
        // Written as a negation, so that NaN is outside too.
        if !(first <= value && value <= last) {
            return self.bins;
        }
        let most = self.bins - 1;
        let bin = (guess as i64).clamp(0, most.into()) as u32;
        let Some(&[low, high]) = self.edges.get(bin as usize..).and_then(<[f64]>::first_chunk) else {
            return self.bins;
        };
        // The last bin includes its upper edge.
        (bin + u32::from(high <= value) - u32::from(value < low)).min(most)
    }

    /// Searches the bin of a value among any edges: the last bin whose lower edge is at most the value. The last bin includes its upper
    /// edge.
    #[inline(never)]
    fn search(&self, value: f64) -> u32 {
        // False for NaN.
        let is_inside = self.edges.last().is_some_and(|&last| value <= last);
        let below = self.edges.partition_point(|&edge| edge <= value) as u32;
        if is_inside && below > 0 && self.bins > 0 { below.min(self.bins) - 1 } else { self.bins }
    }
}
