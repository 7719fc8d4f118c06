//! Adapters that compute wrongly, made of one that does not by rewriting its shaders as a bad driver might. Each fault is found
//! before a wrong bit is returned: by the probe at the start, or by the canary of the pipeline. What is dropped altogether is in
//! `lost_work.rs`.

use std::cell::Cell;
use std::rc::Rc;
use std::thread;

use pollster::block_on;
use scatterwise::testing::gpu::testing::{Hooks as _, Kind, Pass, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::testing::gpu::{Arithmetic, DeviceOptions, Gpu};
use scatterwise::{Activation, ErrorCode, Reduce, Tensor, elementwise_mul};

use crate::common::backends::{on_webgpu, read};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::suites::numerics;

thread_local! {
    /// How many shaders were rewritten.
    static REWRITTEN: Cell<usize> = const { Cell::new(0) };
}

/// Runs it on a thread of its own, which starts devices of its own.
fn apart(body: impl AsyncFnOnce() -> Row + Send + 'static) -> Row {
    thread::spawn(move || block_on(body())).join().unwrap_or_else(|_| Err(Fault::Wrong("a panic".into())))
}

async fn start() -> scatterwise::Result<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    scatterwise::start_gpu("test", options, None).await
}

/// Counts what was rewritten.
fn noted(before: &str, after: String) -> Option<String> {
    (after != before).then(|| {
        REWRITTEN.set(REWRITTEN.get() + 1);
        after
    })
}

fn is_native(key: ShaderKey) -> bool {
    let is_native = matches!(key.combine.kind, Kind::NativeFloat32 | Kind::GuardedFloat32);
    is_native || matches!(key.pass, Pass::MultiplyGuarded(_))
}

// ---------------------------------------------------------------- faults

fn drops_barriers(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, text.replace("workgroupBarrier();", ""))
}

/// Reads, computes and writes, as if no other thread did.
fn without_atomics(text: &str, function: &str, combined: impl Fn(&str, &str) -> String) -> String {
    let called = format!("{function}(&");
    let mut parts = text.split(&called);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (call, rest) = part.split_once(';').unwrap();
        let (place, value) = call.strip_suffix(')').unwrap().rsplit_once(',').unwrap();
        let loaded = format!("atomicLoad(&{place})");
        result += &format!("atomicStore(&{place},{});{rest}", combined(&loaded, value));
    }
    result
}

fn loses_additions(key: ShaderKey, text: &str) -> Option<String> {
    if key.pass != Pass::ProbeWorkgroup {
        return None;
    }
    // The last one: the first is the mark that the dispatch leaves.
    let at = text.rfind("atomicAdd").unwrap();
    let lost = without_atomics(&text[at..], "atomicAdd", |a, b| format!("{a}+{b}"));
    noted(text, text[..at].to_owned() + &lost)
}

/// Everywhere: then the marks of dispatches are lost too.
fn loses_all_additions(key: ShaderKey, text: &str) -> Option<String> {
    let is_probe = matches!(key.pass, Pass::Probe | Pass::ProbeWorkgroup | Pass::Seal);
    let lost = without_atomics(text, "atomicAdd", |a, b| format!("{a}+{b}"));
    if is_probe { noted(text, lost) } else { None }
}

fn loses_maxima(key: ShaderKey, text: &str) -> Option<String> {
    let lost = without_atomics(text, "atomicMax", |a, b| format!("max({a},{b})"));
    if key.pass == Pass::ProbeWorkgroup { noted(text, lost) } else { None }
}

/// Ends every loop of a thread after `rounds` rounds, as Mesa's llvmpipe does after 32,767.
fn stops_loops(text: &str, rounds: u32) -> String {
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

fn stops_long_loops(_: ShaderKey, text: &str) -> Option<String> {
    noted(text, stops_loops(text, 10_000))
}

const SUM: &str = "bitcast<f32>(a)+bitcast<f32>(b)";
const PRODUCT: &str = "bitcast<f32>(a)*bitcast<f32>(b)";

fn flushes(_: ShaderKey, text: &str) -> Option<String> {
    const FLUSHED: &str = "fn flushed(bits:u32)->f32{\nreturn bitcast<f32>(select(bits,bits&0x80000000u,(bits&0x7f800000u)==0u));\n}\n";
    let flushed = |operator: &str| format!("flushed(bitcast<u32>(flushed(a){operator}flushed(b)))");
    let after = text.replace(SUM, &flushed("+")).replace(PRODUCT, &flushed("*"));
    if after == text { None } else { noted(text, after + FLUSHED) }
}

/// A sum whose first operand is the product before it is computed without the rounding between them: by the product's error,
/// which is known exactly from halves of the factors.
fn fuses(_: ShaderKey, text: &str) -> Option<String> {
    const FUSED: &str = "
var<private> last_a:f32;var<private> last_b:f32;var<private> last_product:u32;
fn kept(x:f32)->f32{return bitcast<f32>(observed(x));}
fn upper(x:f32)->f32{return bitcast<f32>(bitcast<u32>(x)&0xfffff000u);}
fn fused(c:f32)->f32{
let p=bitcast<f32>(last_product);
let ah=upper(last_a);let al=kept(last_a-ah);let bh=upper(last_b);let bl=kept(last_b-bh);
var e=kept(kept(ah*bh)-p);e=kept(e+kept(ah*bl));e=kept(e+kept(al*bh));e=kept(e+kept(al*bl));
return kept(p+c)+e;
}
";
    let after = text
        .replace(
            &format!("return observed({PRODUCT});"),
            &format!("last_a=bitcast<f32>(a);last_b=bitcast<f32>(b);last_product=observed({PRODUCT});return last_product;"),
        )
        .replace(
            &format!("return observed({SUM});"),
            &format!(
                "if(a==last_product && (a&0x7f800000u)!=0x7f800000u){{return observed(fused(bitcast<f32>(b)));}}return observed({SUM});"
            ),
        );
    if after == text { None } else { noted(text, after + FUSED) }
}

/// Adds or multiplies two updates to each other first.
fn regroups(key: ShaderKey, text: &str) -> Option<String> {
    const REGROUPED: &str = "
var<private> waiting:Element;var<private> turn:u32;
fn regrouped(value:Element,update:Element)->Element{
turn+=1u;
if((turn&1u)==1u){waiting=update;return value;}
return combine(value,combine(waiting,update));
}
";
    if !is_native(key) {
        return None;
    }
    let after = text
        .replace("value=combine(value,update)", "value=regrouped(value,update)")
        .replace("value=combine(value,tile[k])", "value=regrouped(value,tile[k])")
        .replace("combine(load_dst(element),update)", "regrouped(load_dst(element),update)")
        .replace("let result=combine_native(before,update)", "let result=regrouped(before,update)")
        .replace("value=combine(one,scalar())", "value=combine(value,combine(scalar(),scalar()))")
        .replace("combine(combine(value,scalar()),scalar())", "combine(value,combine(scalar(),scalar()))");
    if after == text { None } else { noted(text, after + REGROUPED) }
}

fn flushes_passes(key: ShaderKey, text: &str) -> Option<String> {
    if is_native(key) { flushes(key, text) } else { None }
}

fn stops_short_loops(key: ShaderKey, text: &str) -> Option<String> {
    if is_native(key) { noted(text, stops_loops(text, 50)) } else { None }
}

/// One unit in the last place too much, for some.
fn rounds_up(key: ShaderKey, text: &str) -> Option<String> {
    let up = "bitcast<f32>((bitcast<u32>(bitcast<f32>(a)*bitcast<f32>(b)))|1u)";
    if is_native(key) { noted(text, text.replace(PRODUCT, up)) } else { None }
}

// ---------------------------------------------------------------- at the start

/// What the probe makes of a fault.
enum Seen {
    /// The adapter is not used, for this reason.
    Unusable(&'static str),
    /// Its arithmetic is not used, or guarded.
    Arithmetic(Arithmetic),
}

#[one_thread::test]
async fn the_probe_finds_faults() {
    on_webgpu("faults-at-start", async |gpu, report| {
        let probed = gpu.numerics().float32;
        let rows: [(&str, Rewrite, Seen); 7] = [
            ("a dropped barrier", drops_barriers, Seen::Unusable("barriers")),
            ("a lost addition", loses_additions, Seen::Unusable("atomic sums")),
            ("lost additions everywhere", loses_all_additions, Seen::Unusable("left undone")),
            ("a lost maximum", loses_maxima, Seen::Unusable("atomic maxima")),
            ("a loop that stops early", stops_long_loops, Seen::Unusable("long loops")),
            ("flushed subnormal numbers", flushes, Seen::Arithmetic(Arithmetic::Guarded)),
            ("a fused multiply-add", fuses, Seen::Arithmetic(Arithmetic::Strict)),
        ];
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

/// An adapter that takes subnormal numbers for zero is guarded, and then every pass has the CPU's bits, with its own arithmetic.
#[one_thread::test]
async fn an_adapter_that_flushes_is_right() {
    on_webgpu("flushing-adapter", async |_, report| {
        for call in Call::ALL {
            let outcome = apart(async move || {
                plant(Some(flushes));
                let gpu = start().await?;
                equal("arithmetic", gpu.numerics().float32, Arithmetic::Guarded)?;
                call.is_right(&gpu).await?;
                gpu.sync().await?;
                equal("demoted", gpu.demoted(), Vec::new())
            });
            report.row(&call.name(), outcome);
        }
        let outcome = apart(async || {
            plant(Some(flushes));
            let gpu = start().await?;
            numerics::sums_and_products(&gpu, Arithmetic::Guarded).await
        });
        report.row("sums and products of all kinds of pairs", outcome);
    })
    .await;
}

/// A device beside the one that runs.
async fn another() -> scatterwise::Result<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    Gpu::start("test", options, None).await
}

// ---------------------------------------------------------------- in a pass

const ROWS: usize = 3;
const ENTRIES: usize = 301;

fn ramp(len: usize, scale: f32) -> scatterwise::Result<Tensor> {
    let values: Vec<f32> = (0..len).map(|k| 1.0 + (k * k % 101) as f32 * scale).collect();
    Tensor::from_elements(&[len], &values)
}

/// One call for each pass that computes with floats.
#[derive(Clone, Copy)]
enum Call {
    Scatter(Strategy, Reduce),
    Counted(Reduce),
    Multiply(Option<Activation>),
}

impl Call {
    const ALL: [Self; 12] = [
        Self::Scatter(Strategy::Columns, Reduce::Add),
        Self::Scatter(Strategy::Columns, Reduce::Multiply),
        Self::Scatter(Strategy::Small, Reduce::Add),
        Self::Scatter(Strategy::Small, Reduce::Multiply),
        Self::Scatter(Strategy::RunPerThread, Reduce::Add),
        Self::Scatter(Strategy::RunPerThread, Reduce::Multiply),
        Self::Scatter(Strategy::RowPerGroup, Reduce::Add),
        Self::Scatter(Strategy::RowPerGroup, Reduce::Multiply),
        Self::Counted(Reduce::Add),
        Self::Counted(Reduce::Multiply),
        Self::Multiply(None),
        Self::Multiply(Some(Activation::Relu)),
    ];

    /// What `Gpu::demoted` calls it.
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
            Self::Counted(of) => format!("{} counted", reduce(of)),
            Self::Multiply(None) => "multiply elementwise".into(),
            Self::Multiply(Some(act)) => format!("multiply elementwise {}", act.name()),
        }
    }

    fn run(self, gpu: &Gpu, is_there: bool) -> scatterwise::Result<Tensor> {
        let put = |tensor: Tensor| if is_there { tensor.upload() } else { Ok(tensor) };
        let table = put(ramp(ENTRIES, 0.1)?)?;
        let index: Vec<i32> = (0..ENTRIES as i32).map(|k| k * k % ROWS as i32).collect();
        let index = put(Tensor::from_elements(&[ENTRIES], &index)?)?;
        match self {
            Self::Scatter(strategy, reduce) => {
                gpu.force_strategy(Some(strategy));
                let src = put(ramp(ENTRIES, if reduce == Reduce::Add { 0.01 } else { 0.0001 })?)?;
                table.scatter(0, &index, &src, reduce)
            }
            Self::Counted(reduce) => {
                gpu.force_strategy(Some(Strategy::CountThenRepeat));
                table.scatter(0, &index, 1.001, reduce)
            }
            Self::Multiply(act) => {
                let (x, y) = (put(ramp(ENTRIES, 0.01)?)?, put(ramp(ENTRIES, 0.1)?)?);
                elementwise_mul(&x, &y, -1, act)
            }
        }
    }

    async fn is_right(self, gpu: &Gpu) -> Row {
        let expected = Data::of(&self.run(gpu, false)?);
        same("result", expected.difference(&read(&self.run(gpu, true)?).await?))
    }

    /// The first call of its pass on a device with a fault.
    async fn is_caught(self, gpu: &Rc<Gpu>, fault: Rewrite) -> Row {
        let early = ramp(ROWS, 0.3)?.upload()?;
        gpu.sync().await?;
        plant(Some(fault));
        let before = REWRITTEN.get();
        let wrong = self.run(gpu, true)?;
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
        // In integers.
        self.is_right(gpu).await
    }
}

/// Tries a fault on every call, each on a device of its own; returns how many it was caught in.
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

#[one_thread::test]
async fn canaries_find_faults() {
    on_webgpu("faults-in-passes", async |gpu, report| {
        let probed = gpu.numerics().float32;
        let native = || match probed {
            Arithmetic::Native => Ok(()),
            _ => Err(Fault::Skipped("this adapter's own arithmetic is not used for sums".into())),
        };
        let all: Vec<Call> = Call::ALL.to_vec();
        // A sum of one scalar jumps, and a multiply has no long loop.
        let is_long = |call: &Call| !matches!(call, Call::Counted(Reduce::Add) | Call::Multiply(_));
        let long: Vec<Call> = Call::ALL.into_iter().filter(is_long).collect();
        let rows: [(&str, Rewrite, &[Call], usize); 3] = [
            ("regrouped updates", regroups, &all, 10),
            ("flushed subnormal numbers", flushes_passes, &all, 12),
            ("loops that stop early", stops_short_loops, &long, 9),
        ];
        for (name, fault, calls, expected) in rows {
            let outcome = native().and_then(|()| equal("calls", caught(calls, None, fault)?, expected));
            report.row(name, outcome);
        }
        // Guarded sums and products do not depend on what the adapter does to subnormal numbers.
        let scatters: Vec<Call> =
            all.iter().copied().filter(|call| !matches!(call, Call::Multiply(_))).collect();
        let of_scatters: [(&str, Rewrite, &[Call], usize); 2] = [
            ("regrouped updates", regroups, &scatters, 10),
            ("loops that stop early", stops_short_loops, &long, 9),
        ];
        for (name, fault, calls, expected) in of_scatters {
            let guarded = (probed != Arithmetic::Strict).then_some(Arithmetic::Guarded);
            let outcome = caught(calls, guarded, fault).and_then(|calls| equal("calls", calls, expected));
            report.row(&format!("guarded: {name}"), outcome);
        }
        let products = [Call::Multiply(None)];
        let guarded = (probed != Arithmetic::Strict).then_some(Arithmetic::Guarded);
        let outcome = caught(&products, guarded, rounds_up).and_then(|calls| equal("calls", calls, 1));
        report.row("guarded products that are rounded up", outcome);

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
