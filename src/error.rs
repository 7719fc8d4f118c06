//! Errors that carry their facts: operator, argument, position, value, allowed range, shapes.

use std::fmt;

use crate::words::words;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

words! {
    /// Which class the error has in JavaScript; the reference pages name them.
    ErrorClass
    /// A wrong kind of argument, or a dtype that does not fit.
    Type = "TypeError";
    /// An argument of the right kind with an unusable value.
    Value = "ValueError";
    /// Everything else.
    Runtime = "RuntimeError";
    /// An index outside its range, a `RuntimeError` too.
    Index = "IndexError";
}

words! {
    /// A stable name for each kind of failure, which JavaScript sees as `error.code`.
    ErrorCode
    IndexOutOfRange = "index-out-of-range";
    DimOutOfRange = "dim-out-of-range";
    /// An operand has the wrong rank: for the operator, or beside another operand.
    RankMismatch = "rank-mismatch";
    RankLimit = "rank-limit";
    /// A size rule between two shapes is broken.
    ShapeMismatch = "shape-mismatch";
    /// A shape is impossible: negative, fractional or too large.
    InvalidShape = "invalid-shape";
    /// The dtypes of two operands differ but must be equal; or the dtype has no such arithmetic, or no gradients.
    DtypeMismatch = "dtype-mismatch";
    /// An index is neither int32 nor int64, or the array for an index holds a value that is not a whole number.
    IndexDtype = "index-dtype";
    UnsupportedDtype = "unsupported-dtype";
    UnknownDtype = "unknown-dtype";
    UnknownReduce = "unknown-reduce";
    ZeroDivisor = "zero-divisor";
    /// Offsets or lengths that do not divide the data into segments.
    InvalidSegments = "invalid-segments";
    UnknownAct = "unknown-act";
    /// A family of operators that this build lacks.
    NotInThisEntry = "not-in-this-entry";
    ActDtype = "act-dtype";
    AxisOutOfRange = "axis-out-of-range";
    UnknownOption = "unknown-option";
    /// An argument of the wrong kind, or a value that the argument may not have.
    InvalidArgument = "invalid-argument";
    MissingArgument = "missing-argument";
    ValueOverflow = "value-overflow";
    /// A call has more writes or reads than can be traced.
    TraceLimit = "trace-limit";
    /// Offsets that do not fit each other or the tensor.
    InvalidLod = "invalid-lod";
    /// Nested arrays of unequal lengths.
    RaggedData = "ragged-data";
    /// `item()` of a tensor with more or fewer than one element.
    NotScalar = "not-scalar";
    /// A GPUBuffer that cannot become a tensor.
    InvalidBuffer = "invalid-buffer";
    OutOfMemory = "out-of-memory";
    /// The tensor or plan was disposed of.
    Disposed = "disposed";
    /// An operand lives on the wrong device for this call.
    WrongDevice = "wrong-device";
    /// The device does not support this call: an activation for this dtype, or a call that needs values known only to the device.
    UnsupportedOnDevice = "unsupported-on-device";
    /// No device was started, or none can be.
    DeviceUnavailable = "device-unavailable";
    DeviceLost = "device-lost";
    /// The arithmetic of a GPU gave other bits than the CPU.
    UnreliableArithmetic = "unreliable-arithmetic";
    /// The GPU left submitted work undone. It reported the reason earlier, or never.
    WorkLost = "work-lost";
    /// The GPU reported an error for submitted work.
    DeviceError = "device-error";
    NotInitialized = "not-initialized";
    /// A call from inside another call of the library.
    ReentrantCall = "reentrant-call";
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

/// Writes a method for each fact, which adds it to an error.
macro_rules! facts {
    ($($(#[$doc:meta])* $fact:ident($value:ident: $kind:ty) = $given:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        #[cold]
        #[inline(never)]
        pub fn $fact(mut self, $value: $kind) -> Self {
            self.0.$fact = $given;
            self
        }
    )*};
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

    facts! {
        /// Names the argument at fault.
        argument(name: &'static str) = Some(name);
        /// Names the dimension at fault. A negative number counts from the back.
        dim(dim: i64) = Some(dim);
        /// Names the coordinates of the entry at fault, if there is one.
        position(position: impl Into<Option<Vec<usize>>>) = position.into();
        /// Gives the offending value.
        value(value: FactValue) = Some(value);
        /// Gives what would have been allowed.
        allowed(allowed: Allowed) = Some(allowed);
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
