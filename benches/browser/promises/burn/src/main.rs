//! Answers calls on stdin, one on each line, as ../python.py does: `{ op, self, args, options }` gives `{ result }`, `{ lacks }` or `{ error }`, and
//! `after`, self. What Burn refuses is a panic. The argument is the device: flex, Burn's own CPU backend, or wgpu.

use std::any::Any;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use burn_tensor::kind::{Basic, Ordered};
use burn_tensor::{
    Bool, BoolStore, DType, Device, Float, IndexingUpdateOp as Update, Int, Tensor, TensorData,
};
use serde_json::{Value, json};

/// Why Burn, or this program, does not offer a call.
struct Lacks(String);
type Answer<T = TensorData> = Result<T, Lacks>;

fn lacks<T>(why: impl Into<String>) -> Answer<T> {
    Err(Lacks(why.into()))
}

const DTYPES: [(&str, DType); 13] = [
    ("bool", DType::Bool(BoolStore::Native)),
    ("int8", DType::I8),
    ("uint8", DType::U8),
    ("int16", DType::I16),
    ("uint16", DType::U16),
    ("int32", DType::I32),
    ("uint32", DType::U32),
    ("int64", DType::I64),
    ("uint64", DType::U64),
    ("float16", DType::F16),
    ("bfloat16", DType::BF16),
    ("float32", DType::F32),
    ("float64", DType::F64),
];

/// A tensor as the call has it.
fn data(value: &Value) -> Option<TensorData> {
    let (_, dtype) = DTYPES.iter().find(|(name, _)| value["dtype"] == *name)?;
    let shape: Vec<usize> =
        value["shape"].as_array()?.iter().map(|size| size.as_u64().unwrap() as usize).collect();
    Some(TensorData::from_bytes_vec(STANDARD.decode(value["data"].as_str()?).ok()?, shape, *dtype))
}

/// A result as the answer has it.
fn encoded(data: &TensorData, shape: &[usize]) -> Value {
    let dtype = data.dtype();
    if matches!(dtype, DType::Bool(_)) {
        let bytes: Vec<u8> = data.iter::<bool>().map(u8::from).collect(); // a device may store them in more bytes
        return json!({ "dtype": "bool", "shape": shape, "data": STANDARD.encode(bytes) });
    }
    let name = DTYPES
        .iter()
        .find(|(_, one)| *one == dtype)
        .map_or_else(|| format!("{dtype:?}"), |(name, _)| name.to_string());
    json!({ "dtype": name, "shape": shape, "data": STANDARD.encode(data.as_bytes()) })
}

/// The operands of a call and its device.
struct Call<'a> {
    op: &'a str,
    args: &'a Value,
    options: &'a Value,
    device: &'a Device,
}

impl Call<'_> {
    /// An error for options other than these.
    fn knows(&self, options: &[&str]) -> Answer<()> {
        let unknown: Vec<&str> = self
            .options
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .filter(|name| !options.contains(name))
            .collect();
        if unknown.is_empty() { Ok(()) } else { lacks(format!("no option {}", unknown.join(","))) }
    }

    fn reduce(&self) -> Option<&str> {
        self.options["reduce"].as_str()
    }

    fn dim(&self) -> Answer<isize> {
        self.args["dim"].as_i64().map_or_else(|| lacks("a dim"), |dim| Ok(dim as isize))
    }

    /// An operand of the kind of self, which has to have this rank; dimensions of size 1 go before its own where `expands`.
    fn tensor<const D: usize, K: Basic>(
        &self,
        name: &str,
        dtype: DType,
        expands: bool,
    ) -> Answer<Tensor<D, K>> {
        let Some(data) = data(&self.args[name]) else { return lacks("tensors only") };
        if data.dtype() != dtype {
            return lacks("operands of one dtype");
        }
        let own = data.shape().to_vec();
        if own.len() > D || (own.len() < D && !expands) {
            return lacks("operands of one rank");
        }
        let shape: Vec<usize> = std::iter::repeat_n(1, D - own.len()).chain(own).collect();
        Ok(Tensor::from_data(
            TensorData::from_bytes_vec(data.as_bytes().to_vec(), shape, dtype),
            (self.device, dtype),
        ))
    }

    /// An index, in the device's own integers. Negative values in range of `sizes`, one for each column, count from the end; Burn has no such.
    fn index<const D: usize>(&self, name: &str, sizes: &[usize]) -> Answer<Tensor<D, Int>> {
        let Some(data) = data(&self.args[name]) else { return lacks("tensors only") };
        let shape = data.shape().to_vec();
        if shape.len() != D {
            return lacks("an index of another rank");
        }
        let numbers: Vec<i64> = match data.dtype() {
            DType::F16 | DType::BF16 | DType::F32 | DType::F64 | DType::Bool(_) => {
                return lacks("an index of integers");
            }
            DType::U64 if data.as_bytes().chunks(8).any(|bytes| bytes[7] > 127) => {
                return lacks("indices are int64 at most");
            }
            _ => data.iter::<i64>().collect(),
        };
        let numbers: Vec<i64> = numbers
            .iter()
            .enumerate()
            .map(|(k, at)| {
                let size = sizes.get(k % sizes.len().max(1)).map_or(0, |size| *size as i64);
                if *at < 0 && *at >= -size { at + size } else { *at }
            })
            .collect();
        let own: DType = self.device.settings().int_dtype.into();
        if own == DType::I32 && numbers.iter().any(|at| i32::try_from(*at).is_err()) {
            return lacks("indices are int32");
        }
        Ok(Tensor::from_data(TensorData::new(numbers, shape), (self.device, own)))
    }

    /// How a scatter updates, where none is named it replaces.
    fn update(&self) -> Answer<Update> {
        match self.reduce() {
            None => Ok(Update::Assign),
            Some("add" | "sum") => Ok(Update::Add),
            Some("multiply" | "prod") => Ok(Update::Mul),
            Some("amax") => Ok(Update::Max),
            Some("amin") => Ok(Update::Min),
            Some(other) => lacks(format!("no scatter with {other}")),
        }
    }
}

/// The data of a tensor, or a panic with Burn's own error.
fn read<const D: usize, K: Basic>(tensor: Tensor<D, K>) -> TensorData {
    tensor.into_data()
}

/// The operators that every kind of element has.
fn moves<const D: usize, K: Basic>(call: &Call, x: Tensor<D, K>, dtype: DType) -> Answer<Option<TensorData>> {
    let shape = x.dims();
    // Burn has gathers and scatters of an index that has the sizes of self but along dim, and as many values.
    if ["gather", "take_along_dim", "scatter_", "scatter_add_axis", "scatter_reduce"].contains(&call.op) {
        let sizes = |name: &str| data(&call.args[name]).map(|one| one.shape().to_vec());
        let along = call.args["dim"].as_i64().map_or(99, |dim| if dim < 0 { dim + D as i64 } else { dim });
        let index = sizes("index");
        if index.as_ref().is_some_and(|index| {
            index.len() == D && (0..D).any(|k| k as i64 != along && index[k] != shape[k])
        }) {
            return lacks("an index of the sizes of self");
        }
        if call.op.starts_with("scatter") && call.args["src"].is_object() && sizes("src") != index {
            return lacks("one update for each index");
        }
    }
    let size_at = |dim: isize| {
        shape
            .get(if dim < 0 { dim + D as isize } else { dim } as usize)
            .copied()
            .into_iter()
            .collect::<Vec<_>>()
    };
    let result = match call.op {
        "gather" | "take_along_dim" | "index_select" => {
            call.knows(&[])?;
            let dim = call.dim()?;
            let sizes = size_at(dim);
            read(if call.op == "index_select" {
                x.select(dim, call.index("index", &sizes)?)
            } else {
                x.gather(dim, call.index("index", &sizes)?)
            })
        }
        "scatter_" | "scatter_add_axis" | "scatter_reduce" => {
            call.knows(&["reduce", "include_self"])?;
            if call.options["include_self"] == false {
                return lacks("no scatter without self");
            }
            let dim = call.dim()?;
            let update = if call.op == "scatter_add_axis" { Update::Add } else { call.update()? };
            read(x.scatter(
                dim,
                call.index("index", &size_at(dim))?,
                call.tensor("src", dtype, false)?,
                update,
            ))
        }
        "index_add" | "index_copy" => {
            call.knows(&[])?;
            let dim = call.dim()?;
            let update = if call.op == "index_add" { Update::Add } else { Update::Assign };
            read(x.select_assign(
                dim,
                call.index("index", &size_at(dim))?,
                call.tensor("src", dtype, false)?,
                update,
            ))
        }
        "scatter_nd" | "scatter_add_nd" => {
            call.knows(&["reduce"])?;
            let update = if call.op == "scatter_add_nd" { Update::Add } else { call.update()? };
            let sizes = if call.op == "scatter_add_nd" { &[][..] } else { &shape[..] };
            scattered(call, x, dtype, sizes, update)?
        }
        "gather_nd" => {
            call.knows(&[])?;
            gathered(call, x)?
        }
        _ => return Ok(None),
    };
    Ok(Some(result))
}

/// The ranks of `indices` and its last size.
fn ranks(call: &Call) -> Answer<(usize, usize)> {
    let Some(data) = data(&call.args["indices"]) else { return lacks("tensors only") };
    match data.shape().to_vec()[..] {
        [] => lacks("indices without dimensions"),
        [.., 0] => lacks("tuples of no numbers"),
        [.., width] => Ok((data.shape().to_vec().len(), width)),
    }
}

/// The sizes that the columns of tuples of `width` numbers have.
fn columns(sizes: &[usize], width: usize) -> &[usize] {
    &sizes[..width.min(sizes.len())]
}

fn scattered<const D: usize, K: Basic>(
    call: &Call,
    x: Tensor<D, K>,
    dtype: DType,
    sizes: &[usize],
    update: Update,
) -> Answer {
    let (rank, width) = ranks(call)?;
    let sizes = columns(sizes, width);
    macro_rules! by_rank {
        ($($m:literal $v:literal),*) => {
            match (rank, (rank - 1 + D).checked_sub(width)) {
                $((m, Some(v)) if m == $m && v == $v => Ok(read(x.scatter_nd::<$m, $v>(call.index("indices", sizes)?, call.tensor("updates", dtype, false)?, update))),)*
                _ => lacks("indices of these ranks are not tried"),
            }
        };
    }
    by_rank!(1 1, 1 2, 1 3, 2 1, 2 2, 2 3, 2 4, 3 2, 3 3, 3 4)
}

fn gathered<const D: usize, K: Basic>(call: &Call, x: Tensor<D, K>) -> Answer {
    let (rank, width) = ranks(call)?;
    let shape = x.dims();
    let sizes = columns(&shape, width);
    macro_rules! by_rank {
        ($($m:literal $v:literal),*) => {
            match (rank, (rank - 1 + D).checked_sub(width)) {
                $((m, Some(v)) if m == $m && v == $v => Ok(read(x.gather_nd::<$m, $v>(call.index("indices", sizes)?))),)*
                _ => lacks("indices of these ranks are not tried"),
            }
        };
    }
    by_rank!(1 1, 1 2, 2 1, 2 2, 2 3, 3 2, 3 3)
}

/// Pairs, and reductions along dimensions, which keep them here.
fn computed<const D: usize, K: Ordered>(
    call: &Call,
    x: Tensor<D, K>,
    dtype: DType,
    is_float: bool,
) -> Answer {
    let dims: Option<Vec<isize>> = match &call.args["dim"] {
        Value::Null => None,
        Value::Array(list) => Some(list.iter().map(|dim| dim.as_i64().unwrap_or(99) as isize).collect()),
        one => Some(vec![one.as_i64().unwrap_or(99) as isize]),
    };
    let along = |one: fn(Tensor<D, K>, &[isize]) -> Tensor<D, K>,
                 all: fn(Tensor<D, K>) -> Tensor<1, K>,
                 x: Tensor<D, K>| match &dims {
        Some(dims) => read(one(x, dims)),
        None => read(all(x)),
    };
    match call.op {
        "add" | "sub" | "div" | "maximum" | "minimum" => {
            call.knows(&[])?;
            let other = call.tensor("other", dtype, true)?;
            Ok(read(match call.op {
                "add" => x + other,
                "sub" => x - other,
                "maximum" => x.max_pair(other),
                "minimum" => x.min_pair(other),
                _ if is_float => x / other,
                _ => return lacks("its division of integers is another one"),
            }))
        }
        "lt" | "le" | "gt" | "ge" | "eq" | "ne" => {
            call.knows(&[])?;
            let other = call.tensor("other", dtype, true)?;
            Ok(read(match call.op {
                "lt" => x.lower(other),
                "le" => x.lower_equal(other),
                "gt" => x.greater(other),
                "ge" => x.greater_equal(other),
                "eq" => x.equal(other),
                _ => x.not_equal(other),
            }))
        }
        "elementwise_mul" => {
            call.knows(&["axis"])?;
            let rank = data(&call.args["y"]).map_or(0, |y| y.shape().to_vec().len());
            match call.options["axis"].as_i64() {
                Some(axis) if axis != -1 && axis + rank as i64 != D as i64 => {
                    lacks("no axis: dimensions are aligned at the end")
                }
                _ => Ok(read(x * call.tensor("y", dtype, true)?)),
            }
        }
        "sum" | "prod" | "amax" | "amin" => {
            call.knows(&["keepdim"])?;
            if !is_float && matches!(call.op, "sum" | "prod") {
                return lacks("sums keep their dtype");
            }
            Ok(match call.op {
                "sum" => along(|x, dims| x.sum_dims(dims), |x| x.sum(), x),
                "prod" => along(|x, dims| x.prod_dims(dims), |x| x.prod(), x),
                "amax" => along(|x, dims| x.max_dims(dims), |x| x.max(), x),
                _ => along(|x, dims| x.min_dims(dims), |x| x.min(), x),
            })
        }
        other => lacks(format!("not tried: {other}")),
    }
}

/// What masks have of their own, and `where`, whose self is one.
fn logical<const D: usize>(call: &Call, mask: Tensor<D, Bool>) -> Answer {
    call.knows(&[])?;
    match call.op {
        "logical_and" => Ok(read(mask.bool_and(call.tensor("other", DTYPES[0].1, true)?))),
        "logical_or" => Ok(read(mask.bool_or(call.tensor("other", DTYPES[0].1, true)?))),
        "logical_not" => Ok(read(mask.bool_not())),
        "where" => match data(&call.args["x"]).map(|x| x.dtype()) {
            None => lacks("tensors only"),
            Some(dtype) if !call.device.supports_dtype(dtype) => lacks("no tensors of its dtype"),
            Some(dtype @ DType::Bool(_)) => chosen::<D, Bool>(call, mask, dtype),
            Some(dtype @ (DType::F16 | DType::BF16 | DType::F32 | DType::F64)) => {
                chosen::<D, Float>(call, mask, dtype)
            }
            Some(dtype) => chosen::<D, Int>(call, mask, dtype),
        },
        other => lacks(format!("not tried: {other}")),
    }
}

fn chosen<const D: usize, K: Basic>(call: &Call, mask: Tensor<D, Bool>, dtype: DType) -> Answer {
    Ok(read(call.tensor::<D, K>("y", dtype, false)?.mask_where(mask, call.tensor("x", dtype, false)?)))
}

/// The shape of a result: that of its tensor, but for a reduction, which keeps its dimensions with size 1 or has one dimension.
fn shape_of(call: &Call, self_shape: &[usize], result: &TensorData) -> Vec<usize> {
    if !matches!(call.op, "sum" | "prod" | "amax" | "amin") {
        return result.shape().to_vec();
    }
    let keeps = call.options["keepdim"] == true;
    let reduced = |k: usize| match &call.args["dim"] {
        Value::Null => true,
        Value::Array(list) => list.iter().any(|dim| {
            dim.as_i64()
                .is_some_and(|dim| (dim + if dim < 0 { self_shape.len() as i64 } else { 0 }) == k as i64)
        }),
        one => one
            .as_i64()
            .is_some_and(|dim| (dim + if dim < 0 { self_shape.len() as i64 } else { 0 }) == k as i64),
    };
    self_shape
        .iter()
        .enumerate()
        .filter(|(k, _)| keeps || !reduced(*k))
        .map(|(k, size)| if reduced(k) { 1 } else { *size })
        .collect()
}

fn answer(line: &str, device: &Device) -> Value {
    let call: Value = serde_json::from_str(line).unwrap();
    let Some(own) = data(&call["self"]) else { return json!({ "lacks": "self is no tensor" }) };
    let (dtype, shape) = (own.dtype(), own.shape().to_vec());
    if !device.supports_dtype(dtype) {
        return json!({ "lacks": format!("no tensors of {}", call["self"]["dtype"].as_str().unwrap()) });
    }
    let parts =
        Call { op: call["op"].as_str().unwrap(), args: &call["args"], options: &call["options"], device };
    macro_rules! by_rank {
        ($kind:ty, $rest:expr, $($rank:literal),*) => {
            match shape.len() {
                $($rank => {
                    let x = Tensor::<$rank, $kind>::from_data(own, (device, dtype));
                    let kept = x.clone();
                    let made = catch_unwind(AssertUnwindSafe(|| match moves(&parts, x.clone(), dtype)? {
                        Some(result) => Ok(result),
                        None => $rest(&parts, x, dtype),
                    }));
                    (made, catch_unwind(AssertUnwindSafe(|| read(kept))).ok())
                },)*
                0 => return json!({ "lacks": "no tensors without dimensions" }),
                _ => return json!({ "lacks": "ranks above 4 are not tried" }),
            }
        };
    }
    let (made, after) = match dtype {
        DType::Bool(_) => by_rank!(Bool, |call: &Call, x, _| logical(call, x), 1, 2, 3, 4),
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
            by_rank!(Float, |call, x, dtype| computed(call, x, dtype, true), 1, 2, 3, 4)
        }
        _ => by_rank!(Int, |call, x, dtype| computed(call, x, dtype, false), 1, 2, 3, 4),
    };
    let after = after.map(|data| encoded(&data, &data.shape().to_vec()));
    match made {
        Ok(Ok(result)) => {
            json!({ "result": encoded(&result, &shape_of(&parts, &shape, &result)), "after": after })
        }
        Ok(Err(Lacks(why))) => json!({ "lacks": why }),
        Err(panic) => json!({ "error": format!("panic: {}", message(&*panic)), "after": after }),
    }
}

/// What a panic says, in one line.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic");
    text.split_whitespace().filter(|word| *word != "===").collect::<Vec<_>>().join(" ")
}

fn main() {
    std::panic::set_hook(Box::new(|_| {})); // the answer has its message
    let device = match std::env::args().nth(1).as_deref() {
        #[cfg(feature = "wgpu")]
        Some("wgpu") => Device::wgpu(burn_tensor::DeviceKind::DefaultDevice),
        _ => Device::flex(),
    };
    let lock = include_str!("../Cargo.lock");
    let version = lock
        .split("name = \"burn-tensor\"\nversion = \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    println!("{}", json!({ "version": version }));
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&line.unwrap(), &device)).unwrap();
        out.flush().unwrap();
    }
}
