//! Adapters that compute wrongly: the tests rewrite the shaders of a good adapter as a bad driver might. Each fault is found
//! before a wrong bit is returned, by the probe at the start or by the self-test of the pipeline. `lost_work.rs` is about work that
//! an adapter drops.

use std::cell::Cell;
use std::rc::Rc;
use std::thread;

use pollster::block_on;
use scatterwise::testing::gpu::testing::{Hooks as _, Pass, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::testing::gpu::{Arithmetic, DeviceOptions, Gpu};
use scatterwise::{
    Activation, Binary, Device, ErrorCode, IndexPlan, OutOfRange, Reduce, Spmm, Target, Tensor,
    elementwise_add, elementwise_div, elementwise_mul,
};

use crate::common::backends::{on_webgpu, read};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::suites::numerics;

thread_local! {
    /// How many shaders were rewritten on this thread.
    static REWRITTEN: Cell<usize> = const { Cell::new(0) };
}

/// Runs `body` on a thread of its own, which starts devices of its own and compiles their shaders with the fault that it plants. A panic
/// is a failed row.
pub(super) fn apart(body: impl AsyncFnOnce() -> Row + Send + 'static) -> Row {
    /// Lets go of the thread's device, after a panic too: a driver allows a process only so many.
    struct Stop;
    impl Drop for Stop {
        fn drop(&mut self) {
            scatterwise::stop_gpu();
        }
    }
    let run = move || {
        let _stop = Stop;
        block_on(body())
    };
    thread::spawn(run).join().unwrap_or_else(|_| Err(Fault::Wrong("a panic".into())))
}

/// The device of this thread, started at the first call.
pub(super) async fn start() -> scatterwise::Result<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    scatterwise::start_gpu("test", options, None).await
}

/// The text of a shader that was rewritten, which is counted; `None`, as a `Rewrite` returns it, if nothing has changed.
pub(super) fn noted(before: &str, after: String) -> Option<String> {
    (after != before).then(|| {
        REWRITTEN.set(REWRITTEN.get() + 1);
        after
    })
}

/// Whether a shader computes with the adapter's own floats, with guards or without.
fn is_native(key: ShaderKey) -> bool {
    matches!(
        key.pass,
        Pass::Native(..) | Pass::Guarded(..) | Pass::SparseRows(Arithmetic::Native | Arithmetic::Guarded)
    )
}

// ---------------------------------------------------------------- faults
//
// Each is a `Rewrite`: the text of a shader as a bad driver might take it, or `None` where the fault changes nothing. The texts that are
// looked for are as `build.rs` leaves them, without needless blanks.

/// Threads of a workgroup no longer wait for each other.
fn drops_barriers(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("workgroupBarrier();", ""))
}

/// The text with every call of an atomic `function` replaced by a load, `combined(loaded, value)` and a store, as if no other thread wrote
/// in between. Such a call is a statement, `function(&place,value);`: calls whose returned value is used stay.
fn without_atomics(text: &str, function: &str, combined: impl Fn(&str, &str) -> String) -> String {
    let called = format!("{function}(&");
    let mut parts = text.split(&called);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if result.ends_with('=') {
            result += &format!("{called}{part}");
            continue;
        }
        let (call, rest) = part.split_once(';').unwrap();
        let (place, value) = call.strip_suffix(')').unwrap().split_once(',').unwrap();
        let loaded = format!("atomicLoad(&{place})");
        result += &format!("atomicStore(&{place},{});{rest}", combined(&loaded, value));
    }
    result
}

/// Loses additions of threads to each other in one part of the probe only.
fn loses_additions(key: ShaderKey, text: &str) -> Option<String> {
    if key.pass != Pass::ProbeWorkgroup {
        return None;
    }
    // The last one: the first is the mark that the dispatch leaves.
    let at = text.rfind("atomicAdd").unwrap();
    let lost = without_atomics(&text[at..], "atomicAdd", |a, b| format!("{a}+{b}"));
    noted(text, text[..at].to_owned() + &lost)
}

/// Loses every addition that the probe makes, and those of the marks that its dispatches leave.
fn loses_all_additions(key: ShaderKey, text: &str) -> Option<String> {
    let is_probe = is_native(key) || matches!(key.pass, Pass::ProbeWorkgroup | Pass::EndOfBatch);
    let lost = without_atomics(text, "atomicAdd", |a, b| format!("{a}+{b}"));
    if is_probe { noted(text, lost) } else { None }
}

/// Returns 0 for the value before an addition.
fn loses_returned_values(key: ShaderKey, text: &str) -> Option<String> {
    let lost = text.replace("let old=atomicAdd(", "let old=0u*atomicAdd(");
    if key.pass == Pass::ProbeWorkgroup { noted(text, lost) } else { None }
}

/// Loses maxima of threads in the probe.
fn loses_maxima(key: ShaderKey, text: &str) -> Option<String> {
    let lost = without_atomics(text, "atomicMax", |a, b| format!("max({a},{b})"));
    if key.pass == Pass::ProbeWorkgroup { noted(text, lost) } else { None }
}

/// The text of the probe with a part replaced.
fn probe_with(key: ShaderKey, text: &str, from: &str, to: &str) -> Option<String> {
    if key.pass == Pass::ProbeWorkgroup { noted(text, text.replace(from, to)) } else { None }
}

/// Returns the new value of a maximum in place of the old one.
fn returns_new_maxima(key: ShaderKey, text: &str) -> Option<String> {
    probe_with(key, text, "let lower=atomicMax(", "let lower=rising|atomicMax(")
}

/// Returns an old minimum that another thread has changed since.
fn returns_late_minima(key: ShaderKey, text: &str) -> Option<String> {
    let late = "let higher=atomicLoad(&dst[first+2u]);atomicMin(&dst[first+2u],falling);";
    probe_with(key, text, "let higher=atomicMin(&dst[first+2u],falling);", late)
}

/// Takes every exchange for made.
fn claims_exchanges(key: ShaderKey, text: &str) -> Option<String> {
    probe_with(key, text, "if(swap.exchanged){", "if(true){")
}

/// The text of a shader whose loops end when a thread has run `rounds` rounds of them in all, as Mesa's llvmpipe ends them after 32,767.
pub(super) fn stops_loops(text: &str, rounds: u32) -> String {
    let mut result = "var<private> rounds_run:u32;\n".to_owned();
    for line in text.lines() {
        result += line;
        let is_loop = ["for", "while", "loop"].iter().any(|word| line.starts_with(word));
        if is_loop && line.ends_with('{') {
            result += &format!("rounds_run+=1u;if(rounds_run>{rounds}u){{break;}}");
        }
        result.push('\n');
    }
    result
}

/// Ends loops in every shader after 10,000 rounds, fewer than the probe tries.
fn stops_long_loops(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, stops_loops(text, 10_000))
}

/// The operators of `native_float.wgsl`, whose results the faults rewrite.
const OPERATORS: [char; 3] = ['*', '+', '-'];

/// The text with each result of the adapter's operators as `rewritten` has it, of both operands and the operator, and with these functions if that
/// changed it.
fn with_results(
    text: &str,
    operators: &[char],
    rewritten: impl Fn(&str, &str, char) -> String,
    functions: &str,
) -> Option<String> {
    let replaced = operators.iter().fold(text.to_owned(), |text, &operator| {
        let [a, b] = ["bitcast<f32>(a)", "bitcast<f32>(b)"];
        text.replace(&format!("{a}{operator}{b}"), &rewritten(a, b, operator))
    });
    if replaced == text { None } else { noted(text, replaced + functions) }
}

/// Takes subnormal operands and results of products and sums for zero.
fn flushes(_: ShaderKey, text: &str) -> Option<String> {
    const FLUSHED: &str = "fn flushed(bits:u32)->f32{\nreturn bitcast<f32>(select(bits,bits&0x80000000u,(bits&0x7f800000u)==0u));\n}\n";
    let flushed =
        |_: &str, _: &str, operator| format!("flushed(bitcast<u32>(flushed(a){operator}flushed(b)))");
    with_results(text, &OPERATORS, flushed, FLUSHED)
}

/// Makes the largest numbers of infinite and NaN results.
fn loses_nan(_: ShaderKey, text: &str) -> Option<String> {
    const FINITE: &str = "fn finite(bits:u32)->f32{\nreturn bitcast<f32>(select(bits,(bits&0x80000000u)|0x7f7fffffu,(bits&0x7f800000u)==0x7f800000u));\n}\n";
    let finite = |a: &str, b: &str, operator| format!("finite(bitcast<u32>({a}{operator}{b}))");
    with_results(text, &OPERATORS, finite, FINITE)
}

/// Results whose last bit is always 1: those that end with 0 are one unit in the last place too much.
fn rounded_up(text: &str, operators: &[char]) -> Option<String> {
    with_results(
        text,
        operators,
        |a, b, operator| format!("bitcast<f32>((bitcast<u32>({a}{operator}{b}))|1u)"),
        "",
    )
}

/// Rounds sums up, and not products.
fn rounds_sums_up(_: ShaderKey, text: &str) -> Option<String> {
    rounded_up(text, &['+'])
}

/// Makes -0 of terms that cancel.
fn cancels_to_minus_zero(_: ShaderKey, text: &str) -> Option<String> {
    const CANCELLED: &str = "fn cancelled(bits:u32,a:u32,b:u32)->f32{\nreturn bitcast<f32>(select(bits,0x80000000u,(a^b)==0x80000000u&&(a<<1u)!=0u&&(bits<<1u)==0u));\n}\n";
    let cancelled = |a: &str, b: &str, operator| format!("cancelled(bitcast<u32>({a}{operator}{b}),a,b)");
    with_results(text, &['+'], cancelled, CANCELLED)
}

/// Flushes in the passes of calls only, so that the probe sees nothing of it.
fn flushes_passes(key: ShaderKey, text: &str) -> Option<String> {
    if is_native(key) { flushes(key, text) } else { None }
}

/// Rounds up in the passes of calls only.
fn rounds_up(key: ShaderKey, text: &str) -> Option<String> {
    if is_native(key) { rounded_up(text, &OPERATORS) } else { None }
}

/// Guesses of quotients that are too large by more than their rest can tell.
fn guesses_wildly(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("let guess=", "let guess=1000u+"))
}

/// Guesses of quotients that are too large, by more than WGSL allows.
fn guesses_badly(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("let guess=", "let guess=90u+"))
}

// ---------------------------------------------------------------- at the start

/// What the probe must make of a fault.
enum Seen {
    /// The adapter is not used, for this reason.
    Unusable(&'static str),
    /// Its arithmetic is not used, or guarded.
    Arithmetic(Arithmetic),
}

one_thread!(the_probe_finds_faults);
/// The probe at the start of a device refuses the adapter, or does not use its arithmetic.
async fn the_probe_finds_faults() {
    on_webgpu("faults-at-start", async |gpu, report| {
        let probed = gpu.numerics().float32;
        let rows: [(&str, Rewrite, Seen); 13] = [
            ("a dropped barrier", drops_barriers, Seen::Unusable("barriers")),
            ("a lost addition", loses_additions, Seen::Unusable("atomic sums")),
            ("lost additions everywhere", loses_all_additions, Seen::Unusable("left undone")),
            ("a wrong returned value", loses_returned_values, Seen::Unusable("carries of atomic sums")),
            ("a lost maximum", loses_maxima, Seen::Unusable("atomic maxima")),
            (
                "a maximum that returns the new value",
                returns_new_maxima,
                Seen::Unusable("maxima of one word"),
            ),
            ("a minimum that returns too late", returns_late_minima, Seen::Unusable("minima of one word")),
            ("an exchange that is not made", claims_exchanges, Seen::Unusable("exchanges of one word")),
            ("a loop that stops early", stops_long_loops, Seen::Unusable("long loops")),
            ("flushed subnormal numbers", flushes, Seen::Arithmetic(Arithmetic::Guarded)),
            ("lost infinities and NaN", loses_nan, Seen::Arithmetic(Arithmetic::Strict)),
            ("sums that are rounded up", rounds_sums_up, Seen::Arithmetic(Arithmetic::Strict)),
            ("sums that cancel to -0", cancels_to_minus_zero, Seen::Arithmetic(Arithmetic::Strict)),
        ];
        // The fault is in the second device of a thread. The first is sound, so that an error is that of the fault.
        for (name, fault, seen) in rows {
            report.row(
                name,
                apart(async move || {
                    start().await?;
                    plant(Some(fault));
                    let outcome = another().await;
                    equal("something was rewritten", REWRITTEN.get() > 0, true)?;
                    match seen {
                        Seen::Unusable(reason) => {
                            let error = error_of(outcome)?;
                            equal("code", error.code(), ErrorCode::DeviceUnavailable)?;
                            equal(&error.to_string(), error.to_string().contains(reason), true)
                        }
                        Seen::Arithmetic(expected) if expected == probed => {
                            Err(Fault::Skipped("this adapter does so by itself".into()))
                        }
                        Seen::Arithmetic(expected) => {
                            equal("arithmetic", outcome?.numerics().float32, expected)
                        }
                    }
                }),
            );
        }
    })
    .await;
}

one_thread!(an_adapter_with_wrong_floats_is_right);
/// On an adapter that takes subnormal numbers for zero products are guarded, on one that loses NaN they are in integers: every pass has the
/// CPU's bits, and scatters ask nothing of the adapter's floats.
async fn an_adapter_with_wrong_floats_is_right() {
    on_webgpu("wrong-floats", async |_, report| {
        let faults: [(&str, Rewrite, Arithmetic); 2] =
            [("flushing", flushes, Arithmetic::Guarded), ("losing NaN", loses_nan, Arithmetic::Strict)];
        for (name, fault, arithmetic) in faults {
            for call in Call::ALL {
                let outcome = apart(async move || {
                    plant(Some(fault));
                    let gpu = start().await?;
                    // An adapter may have several faults of its own.
                    let probed = gpu.numerics().float32;
                    equal("arithmetic", probed == arithmetic || probed == Arithmetic::Strict, true)?;
                    call.is_right(&gpu).await?;
                    gpu.sync().await?;
                    equal("demoted", gpu.demoted(), Vec::new())
                });
                report.row(&format!("{name}: {}", call.name()), outcome);
            }
            let outcome = apart(async move || {
                plant(Some(fault));
                numerics::sums_and_products(&start().await?).await
            });
            report.row(&format!("{name}: sums and products of all kinds of pairs"), outcome);
        }
    })
    .await;
}

/// A second device of this thread, beside the one that runs.
async fn another() -> scatterwise::Result<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    Gpu::start("test", options, None).await
}

// ---------------------------------------------------------------- in a pass

/// The index of a call has squares modulo this number, so it names the rows 0 and 1.
const ROWS: usize = 3;
/// The elements of every operand.
const ENTRIES: usize = 301;

/// `len` float32 from 1 to 1 + 100 · scale, not in order.
fn ramp(len: usize, scale: f32) -> scatterwise::Result<Tensor> {
    let values: Vec<f32> = (0..len).map(|k| 1.0 + (k * k % 101) as f32 * scale).collect();
    Tensor::from_elements(&[len], &values)
}

/// One call for each pass that computes with floats.
#[derive(Clone, Copy)]
enum Call {
    Scatter(Strategy, Reduce),
    Counted,
    Elementwise(Binary, Option<Activation>),
    Sparse,
}

impl Call {
    const ALL: [Self; 16] = [
        Self::Scatter(Strategy::Columns, Reduce::Add),
        Self::Scatter(Strategy::Columns, Reduce::Multiply),
        Self::Scatter(Strategy::Small, Reduce::Add),
        Self::Scatter(Strategy::Small, Reduce::Multiply),
        Self::Scatter(Strategy::RunPerThread, Reduce::Add),
        Self::Scatter(Strategy::RunPerThread, Reduce::Multiply),
        Self::Scatter(Strategy::RowPerGroup, Reduce::Add),
        Self::Scatter(Strategy::RowPerGroup, Reduce::Multiply),
        Self::Counted,
        Self::Elementwise(Binary::Multiply, None),
        Self::Elementwise(Binary::Multiply, Some(Activation::Relu)),
        Self::Elementwise(Binary::Add, None),
        Self::Elementwise(Binary::Add, Some(Activation::Relu)),
        Self::Elementwise(Binary::Subtract, None),
        Self::Elementwise(Binary::Divide(None), None),
        Self::Sparse,
    ];

    /// A name; that of an operation on two tensors is what `Gpu::demoted` calls it.
    fn name(self) -> String {
        let reduce = |reduce| if reduce == Reduce::Add { "add" } else { "multiply" };
        match self {
            Self::Scatter(strategy, of) => {
                let pass = match strategy {
                    Strategy::Columns => "columns",
                    Strategy::Small => "small",
                    Strategy::RunPerThread => "runs",
                    _ => "rows",
                };
                format!("{} {pass}", reduce(of))
            }
            Self::Counted => "add counted".into(),
            Self::Elementwise(binary, act) => {
                let operation = match binary {
                    Binary::Add => "add",
                    Binary::Subtract => "subtract",
                    Binary::Multiply => "multiply",
                    _ => "divide",
                };
                let act = act.map_or(String::new(), |act| format!(" {}", act.name()));
                format!("{operation} elementwise{act}")
            }
            Self::Sparse => "multiply sparse".into(),
        }
    }

    /// Makes the call, on the GPU or on the CPU.
    fn run(self, gpu: &Gpu, on: Device) -> scatterwise::Result<Tensor> {
        let put = |tensor: Tensor| if on == Device::WebGpu { tensor.upload() } else { Ok(tensor) };
        let table = put(ramp(ENTRIES, 0.1)?)?;
        let index: Vec<i32> = (0..ENTRIES as i32).map(|k| k * k % ROWS as i32).collect();
        let index = put(Tensor::from_elements(&[ENTRIES], &index)?)?;
        match self {
            Self::Scatter(strategy, reduce) => {
                gpu.force_strategy(Some(strategy));
                // A product of a hundred numbers stays finite if they are near 1.
                let src = put(ramp(ENTRIES, if reduce == Reduce::Add { 0.01 } else { 0.0001 })?)?;
                table.scatter(0, &index, &src, reduce)
            }
            Self::Counted => {
                gpu.force_strategy(Some(Strategy::CountThenRepeat));
                table.scatter(0, &index, 1.001, Reduce::Add)
            }
            Self::Elementwise(binary, act) => {
                // A row and rows: the probe has tried operands of one shape. A difference takes the row first.
                let (x, y) = (ramp(ENTRIES, 0.01)?.reshape(&[7, ENTRIES / 7])?, ramp(ENTRIES / 7, 0.1)?);
                let (x, y) = (put(x)?, put(y)?);
                let out = match binary {
                    Binary::Add => elementwise_add(&x, &y, -1, act),
                    Binary::Subtract => y.sub(&x),
                    Binary::Multiply => elementwise_mul(&x, &y, -1, act),
                    _ => elementwise_div(&x, &y, -1, act),
                };
                out?.reshape(&[ENTRIES])
            }
            Self::Sparse => {
                // A plan for rows of several elements takes the pass; 101 rows have some three entries each.
                let rows: Vec<i32> = (0..ENTRIES as i32).map(|k| k * k % 101).collect();
                let rows = Tensor::from_elements(&[ENTRIES], &rows)?;
                let rows = IndexPlan::select(&[101], 0, &rows, OutOfRange::Raise)?;
                let dense = put(ramp(ENTRIES, 0.1)?.reshape(&[7, ENTRIES / 7])?)?;
                let values = put(ramp(ENTRIES, 0.01)?)?;
                let call = Spmm::new((&rows).into(), Target::slices(0, &index), Some(&values));
                call.run(&dense)?.reshape(&[101 * ENTRIES / 7])
            }
        }
    }

    /// Whether the GPU has the CPU's bits.
    async fn is_right(self, gpu: &Gpu) -> Row {
        let expected = Data::of(&self.run(gpu, Device::Cpu)?);
        same("result", expected.difference(&read(&self.run(gpu, Device::WebGpu)?).await?))
    }

    /// Whether the first call of a pass catches a fault: every read refuses the call's result and tensors computed from it, the
    /// pass is demoted, and the next call, in integers, is right. Earlier tensors keep their values. Skipped if the fault
    /// rewrites no shader of the call.
    async fn is_caught(self, gpu: &Rc<Gpu>, fault: Rewrite) -> Row {
        let early = ramp(ROWS, 0.3)?.upload()?;
        gpu.sync().await?;
        plant(Some(fault));
        let before = REWRITTEN.get();
        let wrong = self.run(gpu, Device::WebGpu)?;
        let next = wrong.gather(0, &Tensor::from_elements(&[1], &[1])?)?;
        plant(None);
        if REWRITTEN.get() == before {
            return Err(Fault::Skipped("this fault changes nothing there".into()));
        }
        equal("a read", error_of(read(&next).await)?.code(), ErrorCode::UnreliableArithmetic)?;
        for tensor in [&wrong, &next] {
            equal("again", error_of(read(tensor).await)?.code(), ErrorCode::UnreliableArithmetic)?;
        }
        equal("demoted", gpu.demoted().contains(&self.name()), true)?;
        same("before", Data::of(&ramp(ROWS, 0.3)?).difference(&read(&early).await?))?;
        gpu.sync().await?;
        // Now in integers.
        self.is_right(gpu).await
    }
}

/// Tries a fault on every call, each on a device of its own. Returns in how many calls it was caught, without those in which it changes
/// nothing; fails if it was missed in one. `arithmetic` is forced on each device, `None` leaves the probe's choice.
fn caught(calls: &[Call], arithmetic: Option<Arithmetic>, fault: Rewrite) -> Result<usize, Fault> {
    let mut caught = 0;
    for &call in calls {
        let row = apart(async move || {
            let gpu = start().await?;
            if let Some(arithmetic) = arithmetic {
                gpu.force_arithmetic(arithmetic);
            }
            call.is_caught(&gpu, fault).await
        });
        match row {
            Ok(()) => caught += 1,
            Err(Fault::Skipped(_)) => {}
            Err(Fault::Wrong(text)) => return Err(Fault::Wrong(format!("{}: {text}", call.name()))),
        }
    }
    Ok(caught)
}

one_thread!(self_tests_find_faults);
/// A pass that goes wrong after the start is caught by its self-test, in every call that uses the pass; without a fault none is. No scatter
/// has a shader that such a fault changes.
async fn self_tests_find_faults() {
    on_webgpu("faults-in-passes", async |gpu, report| {
        let probed = gpu.numerics().float32;
        let native = || match probed {
            Arithmetic::Native => Ok(()),
            _ => Err(Fault::Skipped("this adapter's own products are guarded, or not used".into())),
        };
        // In calls of all kinds there are two products, two sums, a difference and a sparse product. With guards a result does not depend on the
        // adapter's subnormal numbers, and one with an activation is computed in integers.
        let rows: [(&str, Rewrite); 2] =
            [("flushed subnormal numbers", flushes_passes), ("results that are rounded up", rounds_up)];
        for (name, fault) in rows {
            let outcome = native().and_then(|()| equal("calls", caught(&Call::ALL, None, fault)?, 6));
            report.row(name, outcome);
        }
        let guarded = (probed != Arithmetic::Strict).then_some(Arithmetic::Guarded);
        let outcome = caught(&Call::ALL, guarded, rounds_up)
            .and_then(|calls| equal("calls", calls, 4 * usize::from(guarded.is_some())));
        report.row("guarded results that are rounded up", outcome);
        let outcome = caught(&Call::ALL, None, guesses_wildly)
            .and_then(|calls| equal("calls", calls, usize::from(guarded.is_some())));
        report.row("wild guesses of quotients", outcome);

        // Integers replace every quotient whose guess shows itself to be bad.
        let outcome = apart(async move || {
            plant(Some(guesses_badly));
            let gpu = start().await?;
            Call::Elementwise(Binary::Divide(None), None).is_right(&gpu).await?;
            gpu.sync().await?;
            equal("something was rewritten", REWRITTEN.get() > 0, guarded.is_some())?;
            equal("demoted", gpu.demoted(), Vec::new())
        });
        report.row("bad guesses of quotients", outcome);

        // Without a fault none is demoted.
        let outcome = apart(async move || {
            let gpu = start().await?;
            for call in Call::ALL {
                call.is_right(&gpu).await?;
            }
            gpu.sync().await?;
            equal("demoted", gpu.demoted(), Vec::new())
        });
        report.row("none", outcome);
    })
    .await;
}
