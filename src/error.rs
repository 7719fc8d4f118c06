//! Errors that carry their facts: operator, argument, position, value, allowed range, shapes.

use std::fmt;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which class the error has in JavaScript; the reference pages name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// A wrong kind of argument, or a dtype that does not fit: JavaScript's own `TypeError`.
    Type,
    /// An argument of the right kind with an unusable value: `ValueError`.
    Value,
    /// Everything else: `RuntimeError`.
    Runtime,
    /// An index outside its range: `IndexError`, which is a `RuntimeError`.
    Index,
}

impl ErrorClass {
    /// The name of the JavaScript class.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Type => "TypeError",
            Self::Value => "ValueError",
            Self::Runtime => "RuntimeError",
            Self::Index => "IndexError",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A stable name for each kind of failure; `as_str` is what JavaScript sees as `error.code`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorCode { $($(#[$doc])* $name,)* }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as JavaScript sees it, in kebab-case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// An index value outside −s … s − 1.
    IndexOutOfRange = "index-out-of-range",
    /// `dim` outside −r … r − 1.
    DimOutOfRange = "dim-out-of-range",
    /// An operand has the wrong rank: for the operator, or beside another operand.
    RankMismatch = "rank-mismatch",
    /// A tensor has more dimensions than are supported.
    RankLimit = "rank-limit",
    /// A size rule between two shapes is broken.
    ShapeMismatch = "shape-mismatch",
    /// A shape is impossible: negative, fractional or too large.
    InvalidShape = "invalid-shape",
    /// The dtypes of two operands differ but must be equal; or the dtype has no such arithmetic, or no gradients.
    DtypeMismatch = "dtype-mismatch",
    /// An index is neither int32 nor int64, or the array for an index holds a value that is not a whole number.
    IndexDtype = "index-dtype",
    /// The operator is not defined for the dtype.
    UnsupportedDtype = "unsupported-dtype",
    /// A name that is not among the thirteen dtypes.
    UnknownDtype = "unknown-dtype",
    /// `reduce` is a word that the operator does not take.
    UnknownReduce = "unknown-reduce",
    /// An integer is divided by zero.
    ZeroDivisor = "zero-divisor",
    /// Offsets or lengths that do not divide the data into segments.
    InvalidSegments = "invalid-segments",
    /// `act` is not the name of an activation.
    UnknownAct = "unknown-act",
    /// A family of operators that this build lacks.
    NotInThisEntry = "not-in-this-entry",
    /// The activation is not defined for the dtype.
    ActDtype = "act-dtype",
    /// `axis` outside −1 … r − 1.
    AxisOutOfRange = "axis-out-of-range",
    /// An option that the operator does not have.
    UnknownOption = "unknown-option",
    /// An argument of the wrong kind, or a value that the argument may not have.
    InvalidArgument = "invalid-argument",
    /// A required argument is missing.
    MissingArgument = "missing-argument",
    /// A number does not fit the dtype.
    ValueOverflow = "value-overflow",
    /// A call has more writes or reads than can be traced.
    TraceLimit = "trace-limit",
    /// Offsets that do not fit each other or the tensor.
    InvalidLod = "invalid-lod",
    /// Nested arrays of unequal lengths.
    RaggedData = "ragged-data",
    /// `item()` of a tensor with more or fewer than one element.
    NotScalar = "not-scalar",
    /// A GPUBuffer that cannot become a tensor.
    InvalidBuffer = "invalid-buffer",
    /// Memory could not be allocated.
    OutOfMemory = "out-of-memory",
    /// The tensor or plan was disposed of.
    Disposed = "disposed",
    /// An operand lives on the wrong device for this call.
    WrongDevice = "wrong-device",
    /// The device does not support this call: an activation for this dtype, or a call that needs values known only to the device.
    UnsupportedOnDevice = "unsupported-on-device",
    /// No device was started, or none can be.
    DeviceUnavailable = "device-unavailable",
    /// The GPU device is gone.
    DeviceLost = "device-lost",
    /// The arithmetic of a GPU gave other bits than the CPU.
    UnreliableArithmetic = "unreliable-arithmetic",
    /// The GPU left submitted work undone. It reported the reason earlier, or never.
    WorkLost = "work-lost",
    /// The GPU reported an error for submitted work.
    DeviceError = "device-error",
    /// The library was used before it was started.
    NotInitialized = "not-initialized",
    /// A call from inside another call of the library.
    ReentrantCall = "reentrant-call",
}

/// The offending value.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue {
    /// An integer, as index values are.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A word, such as an unknown `reduce`.
    Text(String),
}

/// What would have been allowed.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// A closed range of integers.
    Range(i64, i64),
    /// A list of words.
    Words(&'static [&'static str]),
}

/// A refused call. `Display` gives the whole sentence; the getters give the facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Error(Box<Facts>);

#[derive(Debug, Clone, PartialEq)]
struct Facts {
    class: ErrorClass,
    code: ErrorCode,
    op: &'static str,
    message: String,
    argument: Option<&'static str>,
    dim: Option<i64>,
    position: Option<Vec<usize>>,
    value: Option<FactValue>,
    allowed: Option<Allowed>,
    shapes: Vec<(&'static str, Vec<usize>)>,
}

impl Error {
    /// An error of operator `op`; `text` says what is wrong and how to fix it.
    #[inline]
    pub fn new(class: ErrorClass, code: ErrorCode, op: &'static str, text: impl fmt::Display) -> Self {
        Self::build(class, code, op, &text)
    }

    /// [`Error::new`] without generics. Errors are rare, but many places create them. This code is compiled once instead of once
    /// for each place, which halves the bytes that errors add to the download.
    #[cold]
    #[inline(never)]
    fn build(class: ErrorClass, code: ErrorCode, op: &'static str, text: &dyn fmt::Display) -> Self {
        Self(Box::new(Facts {
            class,
            code,
            op,
            message: format!("{op}: {text}"),
            argument: None,
            dim: None,
            position: None,
            value: None,
            allowed: None,
            shapes: Vec::new(),
        }))
    }

    /// Names the argument at fault.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn argument(mut self, name: &'static str) -> Self {
        self.0.argument = Some(name);
        self
    }

    /// Names the dimension at fault. A negative number counts from the back.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn dim(mut self, dim: i64) -> Self {
        self.0.dim = Some(dim);
        self
    }

    /// Names the coordinates of the entry at fault, if there is one.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn position(mut self, position: impl Into<Option<Vec<usize>>>) -> Self {
        self.0.position = position.into();
        self
    }

    /// Gives the offending value.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn value(mut self, value: FactValue) -> Self {
        self.0.value = Some(value);
        self
    }

    /// Gives what would have been allowed.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn allowed(mut self, allowed: Allowed) -> Self {
        self.0.allowed = Some(allowed);
        self
    }

    /// Names the argument at fault, and gives a word as the offending value: the argument itself if it is a word; else the dtype of
    /// the argument, or the dtype that an activation does not take.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub(crate) fn word(self, argument: &'static str, word: &str) -> Self {
        self.argument(argument).value(FactValue::Text(word.into()))
    }

    /// [`Error::word`] with the words that would have been allowed.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub(crate) fn not_among(
        self,
        argument: &'static str,
        word: &str,
        words: &'static [&'static str],
    ) -> Self {
        self.word(argument, word).allowed(Allowed::Words(words))
    }

    /// Adds the shape of an operand, by the operand's name. An error may have several.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn shape(mut self, name: &'static str, sizes: &[usize]) -> Self {
        self.0.shapes.push((name, sizes.to_vec()));
        self
    }

    /// Which JavaScript class the error has.
    pub fn class(&self) -> ErrorClass {
        self.0.class
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The operator, as its page spells it.
    pub fn op(&self) -> &'static str {
        self.0.op
    }

    /// The argument at fault, if any.
    pub fn argument_name(&self) -> Option<&'static str> {
        self.0.argument
    }

    /// The dimension at fault, if any.
    pub fn dim_fact(&self) -> Option<i64> {
        self.0.dim
    }

    /// The coordinates of the entry at fault, if any.
    pub fn position_fact(&self) -> Option<&[usize]> {
        self.0.position.as_deref()
    }

    /// The offending value, if any.
    pub fn value_fact(&self) -> Option<&FactValue> {
        self.0.value.as_ref()
    }

    /// What would have been allowed, if the error says so.
    pub fn allowed_fact(&self) -> Option<&Allowed> {
        self.0.allowed.as_ref()
    }

    /// The shapes involved: the sizes of each, by the operand's name.
    pub fn shapes(&self) -> &[(&'static str, Vec<usize>)] {
        &self.0.shapes
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
