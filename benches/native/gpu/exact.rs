//! Exact sums of float32 beside the compare-exchange kernel: 1 Mi updates, by data and number of places.

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::Gpu;
use scatterwise::{Op, Reduce, Scatter, Sum, Target, Tensor, Update};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};

use crate::rival;

/// Updates of each row.
const UPDATES: usize = 1 << 20;

/// Kinds of values. The first two are usual data; the others meet in sums that need many bits.
#[derive(Clone, Copy)]
enum Data {
    Uniform,
    Normal,
    LogNormal,
    Binades,
    Cancelling,
    AllExponents,
}

impl Data {
    const ALL: [(Self, &str); 6] = [
        (Self::Uniform, "uniform"),
        (Self::Normal, "normal"),
        (Self::LogNormal, "normal × log-normal"),
        (Self::Binades, "60 binades"),
        (Self::Cancelling, "cancelling"),
        (Self::AllExponents, "all exponents"),
    ];

    /// Value number `k`.
    fn value(self, k: usize, numbers: &mut Numbers) -> f32 {
        let sign = if numbers.below(2) == 0 { 1.0 } else { -1.0 };
        let value = match self {
            Self::Uniform => numbers.unit(),
            Self::Normal => numbers.normal(),
            Self::LogNormal => numbers.normal() * (3.0 * numbers.normal()).exp(),
            Self::Binades => sign * (1.0 + numbers.unit()) * 2f64.powi(numbers.below(60) as i32 - 30),
            // Pairs that cancel, and small remainders.
            Self::Cancelling => match k % 3 {
                0 => 2f64.powi(60),
                1 => -(2f64.powi(60)),
                _ => sign * numbers.unit() * 2f64.powi(-30),
            },
            Self::AllExponents => {
                return f32::from_bits(
                    (numbers.next() as u32 & 0x807f_ffff) | (numbers.below(255) as u32) << 23,
                );
            }
        };
        value as f32
    }
}

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normal, by Box and Muller.
    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Measures and prints the table.
pub fn measure(gpu: &Rc<Gpu>, rival: &rival::Device, (clock, effort): (Clock, Effort)) {
    let mut table =
        Table::new(&["data", "places", "bits", "exact", "compare-exchange", "exact / compare-exchange"], 3);
    for (data, name) in Data::ALL {
        for places in [16, 1 << 16, 1 << 20] {
            let mut numbers = Numbers(places as u64);
            let index: Vec<i32> = (0..UPDATES).map(|_| numbers.below(places as u64) as i32).collect();
            let values: Vec<f32> = (0..UPDATES).map(|k| data.value(k, &mut numbers)).collect();
            let zeros = vec![0f32; places];
            let tensors = [
                Tensor::from_elements(&[places], &zeros),
                Tensor::from_elements(&[UPDATES], &index),
                Tensor::from_elements(&[UPDATES], &values),
            ];
            let here = tensors.map(|tensor| tensor.expect("an operand"));
            let there = here.each_ref().map(|tensor| tensor.upload().expect("an operand on the GPU"));
            let result = |[table, index, src]: &[Tensor; 3]| {
                let mut table = table.clone();
                let update = Update { sum: Sum::Exact, ..Reduce::Add.into() };
                let call = Scatter::new(Op::ScatterAdd, Target::along(0, index), src.into(), update);
                call.run(&mut table).expect("a result");
                table
            };
            let ours = block_on(result(&there).to(scatterwise::Device::Cpu)).expect("a result");
            let is_right = ours.bits_equal(&result(&here)) == Some(true);
            let rows: Vec<u32> = index.iter().map(|&row| row as u32).collect();
            let job = rival.adding(&zeros, &rows, &values, [1, 0]);
            let mut contestants: [Box<dyn FnMut(usize)>; 2] = [
                Box::new(|calls| {
                    (0..calls).for_each(|_| drop(result(&there)));
                    block_on(gpu.sync()).expect("no error");
                }),
                Box::new(|calls| rival.run(&job, calls)),
            ];
            let [exact, peer] = [0, 1].map({
                let times = race(clock, effort, &mut contestants);
                move |at| times[at].median()
            });
            let bits = if is_right { "the CPU's" } else { "WRONG" };
            let cells = [name, &places.to_string(), bits].map(str::to_owned);
            table.row(cells.into_iter().chain([time(exact), time(peer), ratio(exact / peer)]));
        }
    }
    println!("## Exact sums of float32, 1 Mi updates\n\n{table}");
}
