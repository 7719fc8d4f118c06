//! The bins of a column, and how they are found.
//!
//! A bin is guessed, then one edge decides. The guess g is the integer part of `t = (value − low) · scale`. Rounding never reverses an
//! order, so a larger value never has a smaller guess. The guess of each edge `e[i]` is i: that is checked for all of them, and without it
//! nothing is guessed. So a value in bin i, which is at least `e[i]` and less than `e[i + 1]`, has the guess i or i + 1: the guess is one too
//! large if and only if the value is less than `e[g]`.

use crate::DType;
use crate::engine::cpu::kernels::SHIFT;

/// The most bins that are guessed. From 2^22 on, a float32 has too few digits for the fraction of t.
const MOST_BINS: usize = 1 << 22;

/// The number of thresholds for these edges: see [`Thresholds`]. 0 if bins are not guessed.
pub(crate) fn thresholds_len(edges: &[f64]) -> usize {
    if (2..=MOST_BINS).contains(&edges.len()) { edges.len() + 1 } else { 0 }
}

/// What decides after a guess g: the bin is g − 1 if the value is less than threshold g, else g. There is a threshold for each bin, which is
/// its lower edge; then one just above the last edge, which belongs to the last bin; then one below all values, for guesses of other values
/// outside. So the bin of values outside is the number of bins, or one more.
#[derive(Clone, Copy, Default)]
pub(crate) struct Thresholds<'a> {
    doubles: &'a [f64],
    /// For float32 values: the smallest float32 that is not less than the threshold.
    singles: &'a [f32],
}

impl<'a> Thresholds<'a> {
    /// Fills both lists, which have the length [`thresholds_len`].
    pub(crate) fn fill(edges: &[f64], doubles: &'a mut [f64], singles: &'a mut [f32]) -> Self {
        let last = edges.last().map(|last| last.next_up());
        let bins = edges.len().saturating_sub(1);
        let all = edges.iter().copied().take(bins).chain(last).chain([f64::NEG_INFINITY]);
        for ((double, single), value) in doubles.iter_mut().zip(singles.iter_mut()).zip(all) {
            let nearest = value as f32;
            *double = value;
            *single = if f64::from(nearest) < value { nearest.next_up() } else { nearest };
        }
        Self { doubles, singles }
    }
}

/// The edges of a column, and how bins are guessed in float64.
#[derive(Clone, Copy, Default)]
pub(crate) struct Axis<'a> {
    edges: &'a [f64],
    thresholds: &'a [f64],
    /// The number of bins.
    pub(crate) bins: u32,
    /// The first edge.
    low: f64,
    /// The number of bins in a distance of 1.
    scale: f64,
    is_guessed: bool,
}

impl<'a> Axis<'a> {
    /// Prepares guesses. Bins are searched for if an edge is a quarter of a bin or more away from where it is among equal bins.
    pub(crate) fn new(edges: &'a [f64], thresholds: Thresholds<'a>) -> Self {
        let bins = edges.len().saturating_sub(1) as u32;
        let mut axis = Self { edges, thresholds: thresholds.doubles, bins, ..Self::default() };
        let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return axis };
        axis.low = first;
        axis.scale = f64::from(bins) / (last - first);
        let mut numbered = edges.iter().enumerate();
        axis.is_guessed =
            !axis.thresholds.is_empty() && numbered.all(|(at, &edge)| axis.guess(edge) == at as u64);
        axis
    }

    /// The integer next to `t − 1/4`. A negative one is a large number here.
    #[inline(always)]
    fn guess(&self, value: f64) -> u64 {
        // Adding `SHIFT` rounds to the nearest integer and leaves it in the low bits.
        ((value - self.low) * self.scale - 0.25 + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits())
    }

    /// The bin of a value, or `bins` if it is in no bin.
    #[inline(always)]
    pub(crate) fn bin(&self, value: f64) -> u32 {
        if !self.is_guessed {
            return self.search(value);
        }
        let guess = self.guess(value).min(u64::from(self.bins) + 1) as u32;
        let is_below = self.thresholds.get(guess as usize).is_some_and(|&threshold| value < threshold);
        guess.wrapping_sub(is_below.into()).min(self.bins)
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

/// How vectors guess the bins of a column, in float32. Other numbers are rounded to float32 first, which reverses no order either.
#[cfg_attr(
    not(all(target_arch = "wasm32", target_feature = "simd128")),
    allow(dead_code, reason = "only vectors use it")
)]
#[derive(Clone, Copy, Default)]
pub(crate) struct SingleAxis<'a> {
    thresholds: Thresholds<'a>,
    /// The number of bins.
    pub(crate) bins: u32,
    /// A number at or just below the first edge.
    pub(crate) low: f32,
    /// The number of bins in a distance of 1.
    pub(crate) scale: f32,
    /// A guess g is certain if t is more than this above g.
    pub(crate) margin: f32,
    /// Whether every guess below `bins` is certain, whatever t is.
    pub(crate) is_exact: bool,
}

#[cfg_attr(
    not(all(target_arch = "wasm32", target_feature = "simd128")),
    allow(dead_code, reason = "only vectors use it")
)]
impl<'a> SingleAxis<'a> {
    /// Prepares guesses for numbers of `dtype`; `None` if the edges are too far from equal distances for float32.
    pub(crate) fn new(edges: &[f64], thresholds: Thresholds<'a>, dtype: DType) -> Option<Self> {
        let (&first, &last) = (edges.first()?, edges.last()?);
        let bins = edges.len() - 1;
        let mut axis = Self {
            thresholds,
            bins: bins as u32,
            low: first as f32,
            scale: (bins as f64 / (last - first)) as f32,
            ..Self::default()
        };
        if thresholds.singles.len() != bins + 2 || thresholds.doubles.len() != bins + 2 {
            return None;
        }
        // Every t must be its edge's number or more. `low` is lowered until that is so.
        for _ in 0..4 {
            let [least, most] = axis.distances(edges)?;
            if least >= 0.0 {
                axis.margin = (most as f32).next_up();
                axis.is_exact = axis.is_exact_for(dtype);
                return Some(axis);
            }
            let lower = axis.low + (1.25 * least as f32) / axis.scale;
            axis.low = if lower < axis.low { lower } else { axis.low.next_down() };
        }
        None
    }

    /// The t of a number.
    fn t(&self, value: f32) -> f32 {
        (value - self.low) * self.scale
    }

    /// Whether no value of `dtype` below an edge has the guess of that edge. That is so in bins of width 1 from 0 on, for example. Float64
    /// numbers are never exact, since many have the same float32.
    fn is_exact_for(&self, dtype: DType) -> bool {
        let Thresholds { doubles, singles } = self.thresholds;
        let mut edges = doubles.iter().zip(singles).take(self.bins as usize).enumerate();
        edges.all(|(at, (&double, &single))| {
            // The largest value below the edge.
            let below = match dtype {
                DType::Float32 => single.next_down(),
                DType::Int32 => (double.ceil() - 1.0) as f32,
                _ => return false,
            };
            self.t(below) < at as f32
        })
    }

    /// The smallest and the largest distance of an edge's t from the edge's number; `None` if one is a quarter or more, or NaN.
    fn distances(&self, edges: &[f64]) -> Option<[f64; 2]> {
        let (mut least, mut most) = (0.25f64, -0.25f64);
        for (at, &edge) in edges.iter().enumerate() {
            let here = f64::from(self.t(edge as f32)) - at as f64;
            // False for NaN.
            if !(-0.25 < here && here < 0.25) {
                return None;
            }
            // `min` and `max` would be function calls.
            least = if here < least { here } else { least };
            most = if here > most { here } else { most };
        }
        Some([least, most])
    }

    /// The threshold of a guess for float32 values.
    ///
    /// # Safety
    /// The guess is at most `bins + 1`.
    #[inline(always)]
    pub(crate) unsafe fn single(&self, guess: u32) -> f32 {
        // SAFETY: both lists have `bins + 2` elements: see `new`. The caller guarantees the guess.
        unsafe { *self.thresholds.singles.get_unchecked(guess as usize) }
    }

    /// The threshold of a guess for all other values.
    ///
    /// # Safety
    /// The guess is at most `bins + 1`.
    #[inline(always)]
    pub(crate) unsafe fn double(&self, guess: u32) -> f64 {
        // SAFETY: as in `single`.
        unsafe { *self.thresholds.doubles.get_unchecked(guess as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values at each edge and threshold, beside them, and everything else that is special.
    fn values(edges: &[f64]) -> Vec<f64> {
        let near = |&edge: &f64| {
            let single = edge as f32;
            [
                edge,
                edge.next_up(),
                edge.next_down(),
                single.into(),
                single.next_up().into(),
                single.next_down().into(),
            ]
        };
        let between = edges.windows(2).map(|pair| pair.iter().sum::<f64>() / 2.0);
        let special =
            [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e10, -1e10, 4e9];
        edges.iter().flat_map(near).chain(between).chain(special).collect()
    }

    fn expected(edges: &[f64], value: f64) -> u32 {
        let bins = edges.len() - 1;
        let is_last = |at: usize| at == bins - 1 && value == edges[bins];
        let is_in = |&at: &usize| edges[at] <= value && (value < edges[at + 1] || is_last(at));
        (0..bins).find(is_in).unwrap_or(bins) as u32
    }

    fn single_bin(axis: &SingleAxis<'_>, value: f64, dtype: DType) -> u32 {
        let t = axis.t(value as f32);
        let guess =
            if t.is_nan() || t.floor() < 0.0 { axis.bins + 1 } else { (t.floor() as u32).min(axis.bins + 1) };
        let is_unsure =
            if axis.is_exact { t.floor() >= axis.bins as f32 } else { t - t.floor() <= axis.margin };
        if !is_unsure {
            return guess.min(axis.bins);
        }
        // SAFETY: the guess is at most `bins + 1`.
        let is_below = unsafe {
            if dtype == DType::Float32 {
                (value as f32) < axis.single(guess)
            } else {
                value < axis.double(guess)
            }
        };
        guess.wrapping_sub(is_below.into()).min(axis.bins)
    }

    #[test]
    fn every_way_finds_the_bin_of_every_value() {
        let uniform = |low: f64, high: f64, bins: usize| -> Vec<f64> {
            (0..=bins)
                .map(|at| if at == bins { high } else { low + at as f64 * ((high - low) / bins as f64) })
                .collect()
        };
        let tenths: Vec<f64> = (0..=256).map(|at| f64::from(at) / 10.0).collect();
        for (edges, is_guessed) in [
            (uniform(0.0, 256.0, 256), true),
            (uniform(-1.0, 1.0, 200), true),
            (uniform(0.0, 25.6, 256), true),
            (uniform(1e6, 1e6 + 4.0, 4), true),
            (uniform(0.1, 0.3, 1), true),
            (uniform(-3e38, 3e38, 10), false),
            (uniform(1e-310, 9e-310, 4), false),
            (uniform(0.0, 1.0, 100_000), true),
            (tenths.clone(), true),
            (tenths.iter().map(|&edge| f64::from(edge as f32)).collect(), true),
            (vec![0.0, 1.0, 1.0, 2.0], false),
            (vec![-1.0, 5.0, 6.0, 100.0], false),
            (vec![2.0, 2.0], false),
        ] {
            let len = thresholds_len(&edges);
            let (mut doubles, mut singles) = (vec![0.0; len], vec![0.0; len]);
            let thresholds = Thresholds::fill(&edges, &mut doubles, &mut singles);
            let axis = Axis::new(&edges, thresholds);
            let name = format!("{:?}, {} bins", edges.first_chunk::<2>(), axis.bins);
            let most = if axis.bins > 1000 { 6000 } else { usize::MAX };
            for value in values(&edges).into_iter().take(most) {
                let bin = expected(&edges, value);
                assert_eq!(axis.bin(value), bin, "{name}: {value:?}");
                assert_eq!(axis.search(value), bin, "{name}: {value:?}");
            }
            for dtype in [DType::Float32, DType::Float64, DType::Int32] {
                let single = SingleAxis::new(&edges, thresholds, dtype);
                assert_eq!(single.is_some(), is_guessed, "{name}");
                let Some(single) = &single else { continue };
                if (single.low, single.scale) == (0.0, 1.0) || dtype == DType::Float64 {
                    assert_eq!(single.is_exact, dtype != DType::Float64, "{name} {dtype}");
                }
                for value in values(&edges).into_iter().take(most) {
                    let value = match dtype {
                        DType::Float32 => f64::from(value as f32),
                        DType::Int32 => f64::from(value as i32),
                        _ => value,
                    };
                    assert_eq!(
                        single_bin(single, value, dtype),
                        expected(&edges, value),
                        "{name}: {value:?} {dtype}"
                    );
                }
            }
        }
    }
}
