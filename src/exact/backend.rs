//! Exact sums that outlive a call, on the device that they were made for.

use crate::dispatch::operands::Operands;
use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::engine::gpu::require_gpu;
use crate::exact::arithmetic::bytes::Parts;
use crate::exact::arithmetic::limbs::MOST_TERMS;
use crate::exact::arithmetic::number::ExactNumber;
use crate::exact::cpu::sums::{ExactSums, WIDE_COUNTS};
use crate::index::Index;
use crate::plan::Addressing;
use crate::{DType, Device, Error, ErrorClass, ErrorCode, Result, Shape, Storage, Tensor, exact};

/// Exact sums, with the count of terms of each.
pub(crate) struct ExactParts {
    sums: Sums,
    /// False if memory ran out while terms were added: then only some of the terms are in the sums.
    is_whole: bool,
    /// An upper bound of the terms of every slot.
    most: u64,
}

/// Where they are.
enum Sums {
    Host(Box<ExactSums>),
    Device(crate::exact::gpu::ExactSums),
}

/// Sums in host memory that begin with these numbers.
fn hosted(
    op: &'static str,
    slots: usize,
    dtype: DType,
    number: &dyn Fn(usize) -> ExactNumber,
) -> Result<Box<ExactSums>> {
    let mut sums = ExactSums::new(op, dtype, slots, WIDE_COUNTS)?;
    (0..slots).try_for_each(|slot| sums.put(slot, number(slot)))?;
    Ok(sums)
}

impl ExactParts {
    /// Sums without terms on a device.
    pub(crate) fn new(op: &'static str, slots: usize, dtype: DType, device: Device) -> Result<Self> {
        let sums = match device {
            Device::Cpu => Sums::Host(ExactSums::new(op, dtype, slots, WIDE_COUNTS)?),
            Device::WebGpu => {
                Sums::Device(crate::exact::gpu::ExactSums::new(&require_gpu(op)?, op, dtype, slots)?)
            }
        };
        Ok(Self { sums, is_whole: true, most: 0 })
    }

    /// Reads sums from bytes that [`ExactParts::bytes`] wrote, and puts them on a device.
    pub(crate) fn read(op: &'static str, bytes: &[u8], device: Device) -> Result<(Shape, DType, Self)> {
        let read = Parts::read(op, bytes)?;
        let (slots, dtype) = (read.shape.size(), read.dtype);
        let number = |slot| read.number(slot);
        let most = (0..slots).map(|slot| number(slot).count()).max().unwrap_or(0);
        let sums = match device {
            Device::Cpu => Sums::Host(hosted(op, slots, dtype, &number)?),
            Device::WebGpu => Sums::Device(crate::exact::gpu::ExactSums::holding(
                &require_gpu(op)?,
                op,
                dtype,
                slots,
                number,
            )?),
        };
        Ok((read.shape.clone(), dtype, Self { sums, is_whole: true, most }))
    }

    pub(crate) fn device(&self) -> Device {
        match self.sums {
            Sums::Host(_) => Device::Cpu,
            Sums::Device(_) => Device::WebGpu,
        }
    }

    /// Adds the values of a scatter.
    /// If memory runs out while terms are added, every later call refuses the sums. Other errors add nothing.
    pub(crate) fn add(&mut self, plan: &Addressing, index: &Index, value: Value<&Tensor>) -> Result<()> {
        let op = plan.op().name();
        self.check(op)?;
        let most = self.most_with(op, plan.entries() as u64)?;
        match &mut self.sums {
            Sums::Host(sums) => {
                let index = Cpu.index(plan, index)?;
                let positions = index.all()?;
                let value = Cpu.value(plan, value)?;
                self.is_whole = false;
                Cpu.add_exact(plan, &positions, value.as_deref(), sums)?;
            }
            Sums::Device(sums) => {
                let gpu = sums.gpu();
                let value = gpu.value(plan, value)?;
                sums.add(plan, &gpu.index(plan, index)?, value.as_deref())?;
            }
        }
        (self.is_whole, self.most) = (true, most);
        Ok(())
    }

    /// Adds the terms of other sums. Both have the same dtype and the same number of slots.
    pub(crate) fn merge(&mut self, op: &'static str, other: &Self) -> Result<()> {
        self.check(op)?;
        other.check(op)?;
        let most = self.most_with(op, other.most)?;
        match (&mut self.sums, &other.sums) {
            (Sums::Host(sums), Sums::Host(other)) => {
                self.is_whole = false;
                sums.merge(other)?;
            }
            (Sums::Device(sums), Sums::Device(other)) => sums.merge(other),
            (Sums::Host(_), Sums::Device(_)) | (Sums::Device(_), Sums::Host(_)) => {
                let text = format!(
                    "other lives on {} and these sums on {}: pass await other.to_bytes() through ExactSum.from_bytes(bytes, {{ device: '{}' }})",
                    other.device().name(),
                    self.device().name(),
                    self.device().name()
                );
                return Err(
                    Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument("other")
                );
            }
        }
        (self.is_whole, self.most) = (true, most);
        Ok(())
    }

    pub(crate) fn duplicate(&mut self, op: &'static str) -> Result<Self> {
        self.check(op)?;
        let sums = match &mut self.sums {
            Sums::Host(sums) => {
                sums.carry();
                Sums::Host(hosted(op, sums.slots(), sums.dtype(), &|slot| sums.number(slot))?)
            }
            Sums::Device(sums) => Sums::Device(sums.duplicate(op)?),
        };
        Ok(Self { sums, ..*self })
    }

    /// A copy in host memory, of the sums as they are now.
    pub(crate) fn download(
        &mut self,
        op: &'static str,
        dtype: DType,
    ) -> impl Future<Output = Result<Self>> + use<> {
        let most = self.most;
        let begun = self.check(op).and_then(|()| match &self.sums {
            Sums::Host(_) => self.duplicate(op).map(Ok),
            Sums::Device(sums) => Ok(Err(sums.read(op))),
        });
        async move {
            let read = match begun? {
                Ok(copy) => return Ok(copy),
                Err(read) => read.await?,
            };
            let sums = hosted(op, read.slots(), dtype, &|slot| read.number(slot))?;
            Ok(Self { sums: Sums::Host(sums), is_whole: true, most })
        }
    }

    /// The sums, or the means, rounded once to `dtype`: in host memory any float dtype, on a GPU that of the sums.
    pub(crate) fn rounded(&self, op: &'static str, means: bool, dtype: DType) -> Result<Storage> {
        self.check(op)?;
        match &self.sums {
            Sums::Host(sums) => sums.rounded(means, dtype).map(Storage::from),
            Sums::Device(sums) => sums.rounded(op, means).map(Storage::from),
        }
    }

    pub(crate) fn counts(&self, op: &'static str) -> Result<Storage> {
        self.check(op)?;
        match &self.sums {
            Sums::Host(sums) => sums.copy_of_counts().map(Storage::from),
            Sums::Device(sums) => sums.counts(op).map(Storage::from),
        }
    }

    /// The canonical bytes of sums in host memory.
    pub(crate) fn bytes(&mut self, op: &'static str, shape: &Shape) -> Result<Vec<u8>> {
        self.check(op)?;
        let Sums::Host(sums) = &mut self.sums else {
            let text = "these sums live on webgpu: await a copy on the CPU first";
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text));
        };
        sums.carry();
        exact::write(op, shape, sums.dtype(), |slot| sums.number(slot))
    }

    /// An upper bound of the terms of every slot, if each gets `more` of them.
    fn most_with(&mut self, op: &'static str, more: u64) -> Result<u64> {
        if self.most + more > MOST_TERMS
            && let Sums::Host(sums) = &self.sums
        {
            // The cached bound may be too high.
            self.most = sums.most_terms();
        }
        if self.most + more <= MOST_TERMS {
            return Ok(self.most + more);
        }
        let text = format!("a place might get more than {MOST_TERMS} terms");
        Err(Error::new(ErrorClass::Runtime, ErrorCode::ValueOverflow, op, text))
    }

    /// Refuses sums that lack some of their terms, and unusable data on a GPU.
    #[inline(never)]
    fn check(&self, op: &'static str) -> Result<()> {
        if let Sums::Device(sums) = &self.sums {
            return sums.usable(op);
        }
        if self.is_whole {
            return Ok(());
        }
        let text = "memory ran out while terms were added to these sums; make them again";
        Err(Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text))
    }
}
