//! The workloads: those of the browser's benchmark that move, add, multiply and gather, with its names and sizes.

use scatterwise::{
    Gather, IndexPlan, Item, Op, Reduce, Scalar, Scatter, Source, Tensor, elementwise_mul, scatter_mul,
};

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// x of `shape` times y of `other`, whose first dimension is at `axis` of x; −1 aligns the last dimensions of both.
    Multiply { axis: i64 },
    /// A scatter along `dim` by an index of shape `other`. Its source has that shape too, or with `scalar` is the number 1.
    Along { dim: usize, reduce: Reduce, scalar: bool },
    /// A scatter of `other[0]` rows, each to the row of the table that `depth` numbers name, 1 or 2. With `zipf` few rows are named often.
    Rows { depth: usize, reduce: Reduce, zipf: bool },
    /// A gather along `dim` by an index of shape `other`.
    Gather { dim: usize },
}

/// One workload at one size.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    pub name: &'static str,
    pub kind: Kind,
    /// The shape of the table; of a multiply that of x.
    pub shape: &'static [usize],
    /// The shape of y or of the index, as `kind` says.
    pub other: &'static [usize],
    pub is_small: bool,
}

macro_rules! workloads {
    ($($name:literal: $kind:expr, $shape:expr, $other:expr; $small_shape:expr, $small_other:expr;)*) => {
        /// All workloads at full size, then all at about 1/64 of it.
        pub const ALL: &[Workload] = &[
            $(Workload { name: $name, kind: $kind, shape: &$shape, other: &$other, is_small: false },)*
            $(Workload { name: $name, kind: $kind, shape: &$small_shape, other: &$small_other, is_small: true },)*
        ];
    };
}

/// A scatter along `dim` whose source is a tensor.
const fn along(dim: usize, reduce: Reduce) -> Kind {
    Kind::Along { dim, reduce, scalar: false }
}

workloads! {
    "multiply, same shape": Kind::Multiply { axis: -1 }, [2048, 2048], [2048, 2048]; [256, 256], [256, 256];
    "multiply at axis 1": Kind::Multiply { axis: 1 }, [32, 128, 32, 32], [128, 32]; [4, 16, 32, 32], [16, 32];
    "multiply by a row": Kind::Multiply { axis: 1 }, [4096, 1024], [1024]; [512, 128], [128];
    "replace along 1": along(1, Reduce::Replace), [1024, 4096], [1024, 4096]; [128, 512], [128, 512];
    "add, as many slots as updates": along(0, Reduce::Add), [1 << 20], [1 << 20]; [1 << 14], [1 << 14];
    "add into 16 slots": along(0, Reduce::Add), [16], [1 << 22]; [16], [1 << 16];
    "count into 256 slots": Kind::Along { dim: 0, reduce: Reduce::Add, scalar: true }, [256], [1 << 22]; [256], [1 << 16];
    "scatter multiply along 0": along(0, Reduce::Multiply), [4096, 256], [1024, 256]; [512, 32], [128, 32];
    "add rows, Zipf": Kind::Rows { depth: 1, reduce: Reduce::Add, zipf: true }, [50_000, 128], [20_000]; [3125, 32], [1250];
    "multiply rows, Zipf": Kind::Rows { depth: 1, reduce: Reduce::Multiply, zipf: true }, [50_000, 128], [20_000]; [3125, 32], [1250];
    "add at pairs": Kind::Rows { depth: 2, reduce: Reduce::Add, zipf: false }, [512, 512, 16], [200_000]; [64, 64, 16], [3125];
    "gather along 1": Kind::Gather { dim: 1 }, [1024, 4096], [1024, 4096]; [128, 512], [128, 512];
}

/// The operands of a call, as flat vectors in row-major order.
#[derive(Clone)]
pub struct Inputs<T> {
    pub table: Vec<T>,
    /// Of a multiply y. Empty for a scalar and for a gather.
    pub source: Vec<T>,
    /// Not negative; pairs follow each other. Empty for a multiply.
    pub index: Vec<i32>,
}

/// An element type that is measured.
pub trait Number: Item + yardstick::Number {
    /// From a small whole number.
    fn from_i32(value: i32) -> Self;
}

impl Number for f32 {
    fn from_i32(value: i32) -> Self {
        value as f32
    }
}

impl Number for i32 {
    fn from_i32(value: i32) -> Self {
        value
    }
}

/// Xorshift with 64 bits of state, which is never 0 (Marsaglia 2003: shifts by 13, 7 and 17). The upper 53 bits are used.
pub struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15) // any seed would do
    }
}

impl Random {
    /// A whole number from 0 to `bound` − 1.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as usize) % bound.max(1)
    }

    /// A number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }

    /// A place below `count` by Zipf's law: a rank has a uniform logarithm. The factor, a prime, keeps frequent places from being neighbours.
    pub fn zipf(&mut self, count: usize) -> usize {
        (((count as f64 + 1.0).ln() * self.unit()).exp() as usize - 1) * 7919 % count
    }
}

impl Workload {
    /// How many elements the table has.
    pub fn table_len(&self) -> usize {
        self.shape.iter().product()
    }

    /// How many index entries there are, where a pair is one entry; 0 for a multiply.
    pub fn entries(&self) -> usize {
        match self.kind {
            Kind::Multiply { .. } => 0,
            _ => self.other.iter().product(),
        }
    }

    /// How many elements an index entry names: those of a row, or 1.
    pub fn row_len(&self) -> usize {
        match self.kind {
            Kind::Rows { depth, .. } => self.shape.iter().skip(depth).product(),
            _ => 1,
        }
    }

    /// How updates are combined with the table, if it is a scatter.
    pub fn reduce(&self) -> Option<Reduce> {
        match self.kind {
            Kind::Along { reduce, .. } | Kind::Rows { reduce, .. } => Some(reduce),
            Kind::Multiply { .. } | Kind::Gather { .. } => None,
        }
    }

    /// Whether every entry has the same number, 1, for its update.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Along { scalar: true, .. })
    }

    /// The shape of the source, or of y of a multiply; [0] without one.
    fn source_shape(&self) -> Vec<usize> {
        match self.kind {
            Kind::Multiply { .. } | Kind::Along { scalar: false, .. } => self.other.to_vec(),
            Kind::Rows { depth, .. } => [self.other, &self.shape[depth..]].concat(),
            Kind::Along { scalar: true, .. } | Kind::Gather { .. } => vec![0],
        }
    }

    /// The least bytes that the call must read and write, with elements and index values of four bytes. Each index value and each element
    /// of the source is read once, and each element of the result written once. Elements of the table are read once too, if
    /// they are combined with updates or gathered.
    pub fn least_bytes(&self) -> f64 {
        let source: usize = self.source_shape().iter().product();
        let depth = if let Kind::Rows { depth, .. } = self.kind { depth } else { 1 };
        // The elements of the table that entries name, if no two entries name the same.
        let touched = self.table_len().min(self.entries() * self.row_len());
        let elements = match self.kind {
            Kind::Multiply { .. } => 2 * self.table_len() + source,
            Kind::Gather { .. } => 3 * self.entries(),
            _ if self.reduce() == Some(Reduce::Replace) => source + self.entries() + touched,
            _ => source + self.entries() * depth + 2 * touched,
        };
        4.0 * elements as f64
    }

    /// The operands, with the same random values in every run.
    pub fn inputs<T: Number>(&self) -> Inputs<T> {
        let mut random = Random::default();
        let table = (0..self.table_len()).map(|_| T::from_i32(random.below(17) as i32 - 8)).collect();
        // Factors of ±1 neither overflow nor vanish when a call is repeated.
        let is_factor = self.reduce() == Some(Reduce::Multiply);
        let element = |random: &mut Random| match is_factor {
            true => T::from_i32(random.below(2) as i32 * 2 - 1),
            false => T::from_i32(random.below(17) as i32 - 8),
        };
        let source =
            (0..self.source_shape().iter().product::<usize>()).map(|_| element(&mut random)).collect();
        let index = match self.kind {
            Kind::Multiply { .. } => Vec::new(),
            Kind::Along { dim, .. } | Kind::Gather { dim } => {
                (0..self.entries()).map(|_| random.below(self.shape[dim]) as i32).collect()
            }
            Kind::Rows { depth, zipf, .. } => {
                let rows: usize = self.shape[..depth].iter().product();
                // How many values the second number of a pair has.
                let inner = rows / self.shape[0];
                let mut row = || if zipf { random.zipf(rows) } else { random.below(rows) };
                let tuple = |row: usize| if depth == 1 { vec![row] } else { vec![row / inner, row % inner] };
                (0..self.entries()).flat_map(|_| tuple(row())).map(|number| number as i32).collect()
            }
        };
        Inputs { table, source, index }
    }

    /// The operands as tensors on the CPU: table, source, index.
    pub fn tensors<T: Number>(&self, inputs: &Inputs<T>) -> scatterwise::Result<Operands> {
        let index_shape = match self.kind {
            Kind::Multiply { .. } => vec![0],
            Kind::Rows { depth, .. } => vec![self.other[0], depth],
            _ => self.other.to_vec(),
        };
        Ok(Operands {
            table: Tensor::from_elements(self.shape, &inputs.table)?,
            source: Tensor::from_elements(&self.source_shape(), &inputs.source)?,
            index: Tensor::from_elements(&index_shape, &inputs.index)?,
        })
    }

    /// Makes the call by the library once. A scatter writes to `operands.table` and returns `None`; everything else returns its result.
    pub fn run(&self, operands: &mut Operands) -> scatterwise::Result<Option<Tensor>> {
        let Operands { table, source, index } = operands;
        let update = if self.is_scalar() { Source::Scalar(Scalar::Int(1)) } else { Source::from(&*source) };
        match self.kind {
            Kind::Multiply { axis } => elementwise_mul(table, source, axis, None).map(Some),
            Kind::Gather { dim } => table.gather(dim as i64, index).map(Some),
            Kind::Along { dim, reduce: Reduce::Add, .. } => {
                table.scatter_add_(dim as i64, index, update).map(|()| None)
            }
            Kind::Along { dim, reduce, .. } => {
                table.scatter_(dim as i64, index, update, reduce).map(|()| None)
            }
            Kind::Rows { reduce: Reduce::Multiply, .. } => {
                let rows = index.reshape(&[self.other[0]])?;
                scatter_mul(table, &rows, update).map(|()| None)
            }
            Kind::Rows { reduce: Reduce::Add, .. } => table.scatter_add_nd_(index, update).map(|()| None),
            Kind::Rows { reduce, .. } => unreachable!("no workload does {reduce:?} with rows"),
        }
    }

    /// The index prepared for many calls; `None` for a multiply.
    pub fn plan(&self, index: &Tensor) -> scatterwise::Result<Option<IndexPlan>> {
        match self.kind {
            Kind::Multiply { .. } => Ok(None),
            Kind::Along { dim, .. } | Kind::Gather { dim } => {
                IndexPlan::along(self.shape, dim as i64, index).map(Some)
            }
            Kind::Rows { .. } => IndexPlan::nd(self.shape, index).map(Some),
        }
    }

    /// The call of [`Workload::run`] with the index that [`Workload::plan`] has prepared. Not for a multiply, which has none.
    pub fn run_planned(
        &self,
        operands: &mut Operands,
        plan: &IndexPlan,
    ) -> scatterwise::Result<Option<Tensor>> {
        let Operands { table, source, .. } = operands;
        let update = if self.is_scalar() { Source::Scalar(Scalar::Int(1)) } else { Source::from(&*source) };
        match self.reduce() {
            None => Gather::new(Op::Gather, plan.into()).run(table).map(Some),
            Some(reduce) => {
                let op = if reduce == Reduce::Add { Op::ScatterAddInPlace } else { Op::ScatterInPlace };
                Scatter::new(op, plan.into(), update, reduce).run(table).map(|()| None)
            }
        }
    }

    /// What tables call the size.
    pub fn size_name(&self) -> &'static str {
        if self.is_small { "1/64" } else { "full" }
    }
}

/// The operands of a call. A clone shares its data until it is written to.
#[derive(Clone)]
pub struct Operands {
    pub table: Tensor,
    pub source: Tensor,
    pub index: Tensor,
}

impl Operands {
    /// All of them on the GPU.
    pub fn upload(&self) -> scatterwise::Result<Self> {
        let Self { table, source, index } = self;
        Ok(Self { table: table.upload()?, source: source.upload()?, index: index.upload()? })
    }
}
