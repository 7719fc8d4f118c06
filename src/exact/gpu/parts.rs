//! Exact sums that outlive a call, with the count of terms of each place.

use std::rc::Rc;

use crate::engine::Value;
use crate::engine::gpu::shaders::pass::{ExactRound, ExactTile};
use crate::engine::gpu::{Block, DeviceBuffer, Dispatch, Gpu, Pass, ShaderKey, Tile};
use crate::exact::arithmetic::limbs::MOST_LIMBS;
use crate::exact::arithmetic::number::ExactNumber;
use crate::exact::gpu::scatter::{Terms, record, tile_places};
use crate::index::gpu::Index;
use crate::plan::{Addressing, Reduce};
use crate::{DType, HostBuffer, Result, reserved};

/// The number of the lowest word of an accumulator: `EXACT_FIRST` of the shaders.
const fn first_word(dtype: DType) -> usize {
    if matches!(dtype, DType::Float16) { 3 } else { 0 }
}

/// How the sums of all places are spread over buffers.
#[derive(Clone, Copy)]
struct Layout {
    dtype: DType,
    places: usize,
    /// Places of a buffer, but for the last one.
    most: usize,
}

impl Layout {
    fn record(self) -> usize {
        record(self.dtype, true)
    }

    /// The first place of each buffer, and how many it has.
    fn tiles(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.places).step_by(self.most).map(move |first| (first, self.most.min(self.places - first)))
    }
}

/// Exact sums on a device.
pub(crate) struct ExactSums {
    gpu: Rc<Gpu>,
    layout: Layout,
    buffers: Vec<DeviceBuffer>,
}

impl ExactSums {
    /// Sums of no terms.
    pub(crate) fn new(gpu: &Rc<Gpu>, op: &'static str, dtype: DType, places: usize) -> Result<Self> {
        Self::made(gpu, op, dtype, places, |_, _, len| DeviceBuffer::new(gpu, op, "exact sums", len))
    }

    /// Sums whose place number `p` begins with `number(p)`.
    pub(crate) fn holding(
        gpu: &Rc<Gpu>,
        op: &'static str,
        dtype: DType,
        places: usize,
        number: impl Fn(usize) -> ExactNumber,
    ) -> Result<Self> {
        Self::made(gpu, op, dtype, places, |first, record, len| {
            let mut words = HostBuffer::zeroed(op, len)?;
            let tile = len / 4 / record;
            for place in 0..tile {
                let number = number(first + place);
                let (accumulator, flags) = number.signed();
                // Two signed words.
                let (low, high) = (number.count() as u32, (number.count() + (1 << 31)) >> 32);
                let own = accumulator.into_iter().skip(first_word(dtype)).take(record - 3);
                let slots = words.elements_mut::<u32>().iter_mut().skip(place).step_by(tile);
                slots.zip(own.chain([flags, low, high as u32])).for_each(|(slot, word)| *slot = word);
            }
            gpu.upload(op, words.bytes())
        })
    }

    /// Sums in buffers that `make` makes, for a first place, the words of a sum and a number of bytes.
    fn made(
        gpu: &Rc<Gpu>,
        op: &'static str,
        dtype: DType,
        places: usize,
        make: impl Fn(usize, usize, usize) -> Result<DeviceBuffer>,
    ) -> Result<Self> {
        gpu.alive(op)?;
        let record = record(dtype, true);
        let layout = Layout { dtype, places, most: tile_places(gpu, record) };
        let mut buffers = Vec::new();
        for (first, len) in layout.tiles() {
            buffers.push(make(first, record, 4 * record * len)?);
        }
        Ok(Self { gpu: Rc::clone(gpu), layout, buffers })
    }

    pub(crate) fn gpu(&self) -> Rc<Gpu> {
        Rc::clone(&self.gpu)
    }

    /// Checks that a call may use the sums.
    pub(crate) fn usable(&self, op: &'static str) -> Result<()> {
        self.gpu.alive(op)?;
        self.buffers.iter().try_for_each(|buffer| buffer.usable(op))
    }

    fn tiles(&self) -> impl Iterator<Item = (Tile, &DeviceBuffer)> {
        let tiles = self.layout.tiles().zip(&self.buffers);
        tiles.map(|((first, places), buffer)| {
            let [first, places, record] = [first, places, self.layout.record()].map(|number| number as u32);
            (Tile { first, places, record, copies: 1 }, buffer)
        })
    }

    /// A pass over the elements of a tile.
    fn pass<'a, B: Block>(&'a self, pass: Pass, params: &'a B) -> Dispatch<'a> {
        self.gpu.pass(ShaderKey::of(pass, self.layout.dtype, Reduce::Add), params)
    }

    /// Adds the values of a scatter. If the device finds a bad index value, nothing is added, and the next read reports it.
    /// On an error nothing is added.
    pub(crate) fn add(&self, plan: &Addressing, index: &Index, value: Value<&DeviceBuffer>) -> Result<()> {
        let slot = self.gpu.check(plan, index, None);
        let terms = Terms::new(&self.gpu, plan, self.layout.dtype, index, &value, slot);
        terms.check()?;
        if plan.entries() > 0 {
            self.tiles().for_each(|(tile, sums)| terms.add(tile, sums));
        }
        Ok(())
    }

    /// Adds the terms of other sums, of as many places and the same dtype and device.
    pub(crate) fn merge(&self, other: &Self) {
        for ((tile, sums), (_, others)) in self.tiles().zip(other.tiles()) {
            let words = (tile.places * tile.record) as usize;
            self.pass(Pass::ExactMerge, &ExactTile { tile }).dst(sums).src(others).record(words);
        }
    }

    pub(crate) fn duplicate(&self, op: &'static str) -> Result<Self> {
        let buffers = self.buffers.iter().map(|buffer| buffer.duplicate(op)).collect::<Result<_>>()?;
        Ok(Self { gpu: self.gpu(), layout: self.layout, buffers })
    }

    /// The sums or the means, rounded once, as elements.
    pub(crate) fn rounded(&self, op: &'static str, means: bool) -> Result<DeviceBuffer> {
        let bytes = self.layout.places * self.layout.dtype.size();
        let out = DeviceBuffer::unfilled(&self.gpu, op, "the result", bytes)?;
        for (tile, sums) in self.tiles() {
            let params = ExactRound { tile, is_mean: means.into(), counts: 2, row: 1, other_terms: 0 };
            self.pass(Pass::ExactRound, &params).dst(&out).src(sums).record(tile.places as usize);
        }
        Ok(out)
    }

    /// How many terms each place has, as int64.
    pub(crate) fn counts(&self, op: &'static str) -> Result<DeviceBuffer> {
        let out = DeviceBuffer::unfilled(&self.gpu, op, "the counts", 8 * self.layout.places)?;
        for (tile, sums) in self.tiles() {
            let params = ExactTile { tile };
            let pass = self.gpu.pass(Pass::ExactCounts, &params).dst(&out).src(sums);
            pass.record(tile.places as usize);
        }
        Ok(out)
    }

    pub(crate) fn read(&self, op: &'static str) -> impl Future<Output = Result<Numbers>> + use<> {
        let (layout, count) = (self.layout, self.buffers.len());
        let reads: Vec<_> = self.buffers.iter().map(|buffer| buffer.read(op)).collect();
        async move {
            let mut buffers = reserved(op, count)?;
            for read in reads {
                buffers.push(read.await?);
            }
            Ok(Numbers { layout, buffers })
        }
    }
}

/// Exact sums that were read.
pub(crate) struct Numbers {
    layout: Layout,
    buffers: Vec<HostBuffer>,
}

impl Numbers {
    pub(crate) fn slots(&self) -> usize {
        self.layout.places
    }

    pub(crate) fn number(&self, place: usize) -> ExactNumber {
        let Layout { dtype, places, most } = self.layout;
        let words: &[u32] = self.buffers.get(place / most).map(HostBuffer::elements).unwrap_or_default();
        let tile = most.min(places - place / most * most);
        // Word number `at` of the sum: see `shaders/exact/exact_layout.wgsl`.
        let word = |at: usize| words.get(at * tile + place % most).copied().unwrap_or_default();
        let count = self.layout.record() - 3;
        let mut accumulator = [0; MOST_LIMBS];
        accumulator.iter_mut().take(count).enumerate().for_each(|(at, slot)| *slot = word(at));
        let accumulator = accumulator.get(..count).unwrap_or_default();
        let at = |at: usize| word(count + at);
        // Two signed words.
        let terms = (i64::from(at(2) as i32) << 32) + i64::from(at(1) as i32);
        ExactNumber::from_signed(dtype, first_word(dtype), accumulator, at(0), terms as u64)
    }
}
