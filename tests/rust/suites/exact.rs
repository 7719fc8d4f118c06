//! The exact number against big integers: every float dtype, every kind of data, any order, any division into parts, and its bytes.

use scatterwise::testing::{ExactNumber, ExactParts, write_exact};
use scatterwise::{DType, Scalar, Shape};

use crate::common::data::Data;
use crate::common::exact::{Big, nearest, quotient};
use crate::common::pairs::Numbers;
use crate::everywhere;

pub(super) const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// Kinds of terms that take different ways through an accumulator.
#[derive(Debug, Clone, Copy)]
pub(super) enum Terms {
    /// From −1 to 1.
    Uniform,
    /// Any finite bits: all exponents.
    AllExponents,
    /// Large numbers that cancel each other, and small remainders.
    Cancelling,
    /// Numbers below the normal ones.
    Subnormal,
    /// Sums in the middle between two numbers, some of them moved by a tiny term.
    Ties,
    /// Near the largest number.
    Largest,
    /// Zeros of both signs.
    Zeros,
    /// Infinities, NaN and zeros among others.
    Specials,
}

impl Terms {
    pub(super) const ALL: [Self; 8] = [
        Self::Uniform,
        Self::AllExponents,
        Self::Cancelling,
        Self::Subnormal,
        Self::Ties,
        Self::Largest,
        Self::Zeros,
        Self::Specials,
    ];

    /// Terms for one place, as bits of the dtype.
    pub(super) fn bits(self, dtype: DType, len: usize, numbers: &mut Numbers) -> Vec<u64> {
        let width = 8 * dtype.size();
        let sign = 1u64 << (width - 1);
        let infinity = Scalar::Float(f64::INFINITY).cast(dtype);
        let fraction_bits = infinity.trailing_zeros();
        let uniform = |numbers: &mut Numbers| {
            Scalar::Float(numbers.below(1 << 24) as f64 / f64::from(1 << 23) - 1.0).cast(dtype)
        };
        let any_finite = |numbers: &mut Numbers| numbers.below(infinity) | (numbers.below(2) * sign);
        let one = Scalar::Float(1.0).cast(dtype);
        // Half of the last bit of 1.
        let half = one - ((u64::from(fraction_bits) + 1) << fraction_bits);
        let mut bits: Vec<u64> = (0..len)
            .map(|_| match self {
                Self::Uniform => uniform(numbers),
                Self::AllExponents | Self::Cancelling => any_finite(numbers),
                Self::Subnormal => numbers.below(1 << fraction_bits) | (numbers.below(2) * sign),
                Self::Largest => (infinity - 1 - numbers.below(3)) | (numbers.below(8) / 5 * sign),
                Self::Zeros => numbers.below(8).min(1) * sign,
                Self::Specials => match numbers.below(40) {
                    0 => infinity,
                    1 => infinity | sign,
                    2 => infinity + 1 + numbers.below(3),
                    3..20 => numbers.below(2) * sign,
                    _ => uniform(numbers),
                },
                Self::Ties => match numbers.below(6) {
                    0 => one,
                    1 => half,
                    2 => sign | half,
                    3 => (numbers.below(2) * sign) | 1,
                    4 => one + (numbers.below(4) << fraction_bits),
                    _ => sign,
                },
            })
            .collect();
        if let (Self::Ties, [first, second, third, ..]) = (self, &mut *bits) {
            // A tie that the smallest number decides.
            (*first, *second, *third) = (one + numbers.below(2), half, (numbers.below(2) * sign) | 1);
        }
        if matches!(self, Self::Cancelling) {
            let negated: Vec<u64> = bits.iter().skip(1).map(|bits| bits ^ sign).collect();
            bits.extend(negated);
        }
        shuffle(&mut bits, numbers);
        bits
    }

    /// Terms for each of some rows. Those that cancel each other do so within a row.
    pub(super) fn rows(self, dtype: DType, [rows, terms]: [usize; 2], numbers: &mut Numbers) -> Data {
        let negative_zero = 1 << (8 * dtype.size() - 1);
        let len = if matches!(self, Self::Cancelling) { terms.div_ceil(2) } else { terms };
        let row = |_| {
            let mut bits = self.bits(dtype, len, numbers);
            bits.resize(terms, negative_zero);
            bits
        };
        Data::from_bits(dtype, &[rows, terms], (0..rows).flat_map(row).collect::<Vec<_>>())
    }
}

/// Puts a list in any order.
pub(super) fn shuffle<T>(list: &mut [T], numbers: &mut Numbers) {
    for last in (1..list.len()).rev() {
        list.swap(last, numbers.below(last as u64 + 1) as usize);
    }
}

/// The terms as numbers.
pub(super) fn values(dtype: DType, bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| Scalar::load(bits, dtype).as_f64()).collect()
}

/// The sum of terms by the product.
fn number(dtype: DType, terms: &[f64]) -> ExactNumber {
    let mut number = ExactNumber::new(dtype);
    terms.iter().for_each(|&term| number.add(term));
    number
}

/// Calls `check` with terms of every dtype, kind and some lengths.
fn for_terms(mut check: impl FnMut(DType, &[f64], &mut Numbers, &str)) {
    let mut numbers = Numbers(44);
    for dtype in FLOATS {
        for kind in Terms::ALL {
            for round in 0..60 {
                let len = [1, 2, 3, 7, 40, 300][round % 6];
                let terms = values(dtype, &kind.bits(dtype, len, &mut numbers));
                check(dtype, &terms, &mut numbers, &format!("{dtype} {kind:?} {len}, round {round}"));
            }
        }
    }
}

/// Whether two results are the same, where any NaN is NaN.
fn same(dtype: DType, one: u64, two: u64) -> bool {
    let is_nan = |bits| Scalar::load(bits, dtype).as_f64().is_nan();
    one == two || (is_nan(one) && is_nan(two))
}

#[everywhere::test]
fn sums_and_means_are_those_of_big_integers() {
    for_terms(|dtype, terms, _, what| {
        let (number, count) = (number(dtype, terms), terms.len() as u64);
        let (sum, mean) = (quotient(dtype, terms, 1), quotient(dtype, terms, count));
        assert!(same(dtype, number.sum(), sum), "sum of {what}: {:#x}, not {sum:#x}", number.sum());
        assert!(same(dtype, number.mean(), mean), "mean of {what}: {:#x}, not {mean:#x}", number.mean());
        assert_eq!(number.count(), count);
    });
}

#[everywhere::test]
fn no_order_and_no_division_into_parts_changes_a_byte() {
    for_terms(|dtype, terms, numbers, what| {
        let expected = bytes(dtype, &[number(dtype, terms)]);
        let mut terms = terms.to_vec();
        shuffle(&mut terms, numbers);
        let mut parts: Vec<ExactNumber> =
            terms.chunks(1 + numbers.below(9) as usize).map(|part| number(dtype, part)).collect();
        shuffle(&mut parts, numbers);
        let mut whole = ExactNumber::new(dtype);
        for part in &parts {
            // Every second part goes through its bytes.
            if numbers.below(2) == 0 {
                whole.merge(part);
            } else {
                whole.merge(
                    &ExactParts::read("test", &bytes(dtype, std::slice::from_ref(part))).unwrap().number(0),
                );
            }
        }
        assert_eq!(bytes(dtype, &[whole]), expected, "{what}");
    });
}

/// The bytes of sums.
fn bytes(dtype: DType, sums: &[ExactNumber]) -> Vec<u8> {
    let shape = Shape::new("test", &[sums.len()]).unwrap();
    write_exact("test", &shape, dtype, |place| sums[place].clone()).unwrap()
}

#[everywhere::test]
fn bytes_bring_all_sums_back() {
    let mut numbers = Numbers(7);
    for dtype in FLOATS {
        let sums: Vec<ExactNumber> = (0..40)
            .map(|place| {
                number(dtype, &values(dtype, &Terms::ALL[place % 8].bits(dtype, place, &mut numbers)))
            })
            .collect();
        let written = bytes(dtype, &sums);
        let parts = ExactParts::read("test", &written).unwrap();
        assert_eq!((parts.shape.dims(), parts.dtype), (&[40][..], dtype));
        for (place, sum) in sums.iter().enumerate() {
            let read = parts.number(place);
            assert_eq!(
                (read.sum(), read.mean(), read.count()),
                (sum.sum(), sum.mean(), sum.count()),
                "{place}"
            );
        }
        let again: Vec<ExactNumber> = (0..40).map(|place| parts.number(place)).collect();
        assert_eq!(bytes(dtype, &again), written);
    }
}

#[everywhere::test]
fn the_bytes_are_those_of_the_specification() {
    // docs/EXACT_SUM.md has this example.
    let sums = [
        number(DType::Float32, &[1.5, -0.25]),
        number(DType::Float32, &[]),
        number(DType::Float32, &[f64::INFINITY]),
    ];
    let expected = [
        b"XSUM\x01\x02\x01\x00".as_slice(),
        &[3, 0, 0, 0, 0, 0, 0, 0],
        &[4, 0, 0, 0, 1, 0, 0, 0],
        &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        &[0, 0, 0x28, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &[1, 0, 2],
    ];
    assert_eq!(bytes(DType::Float32, &sums), expected.concat());
}

/// Bytes that are read are those that are written of what was read: there are no two forms of a sum. All others are refused.
#[everywhere::test]
fn bad_bytes_are_refused() {
    let mut numbers = Numbers(99);
    for round in 0..4000u64 {
        let dtype = FLOATS[round as usize % 4];
        let places = numbers.below(4) as usize;
        let sums: Vec<ExactNumber> = (0..places)
            .map(|_| {
                let kind = Terms::ALL[numbers.below(8) as usize];
                let len = numbers.below(5) as usize;
                number(dtype, &values(dtype, &kind.bits(dtype, len, &mut numbers)))
            })
            .collect();
        let mut spoiled = bytes(dtype, &sums);
        match numbers.below(4) {
            0 => spoiled.truncate(numbers.below(spoiled.len() as u64) as usize),
            1 => spoiled.push(0),
            _ => {
                let at = numbers.below(spoiled.len() as u64) as usize;
                spoiled[at] = [0, 255, spoiled[at] ^ 1, spoiled[at] ^ 128][numbers.below(4) as usize];
            }
        }
        if let Ok(parts) = ExactParts::read("test", &spoiled) {
            let again = write_exact("test", &parts.shape, parts.dtype, |place| parts.number(place)).unwrap();
            assert_eq!(again, spoiled, "round {round}");
        }
    }
}

/// Two sums with as many terms as there may be still have room.
#[everywhere::test]
fn the_largest_sums_fit() {
    for dtype in FLOATS {
        let largest = Scalar::load(Scalar::Float(f64::INFINITY).cast(dtype) - 1, dtype).as_f64();
        for term in [largest, -largest] {
            let mut sum = number(dtype, &[term]);
            for _ in 0..42 {
                sum.merge(&sum.clone());
            }
            assert_eq!((sum.count(), sum.mean()), (1 << 42, Scalar::Float(term).cast(dtype)), "{dtype}");
            let written = bytes(dtype, &[sum.clone()]);
            assert_eq!(bytes(dtype, &[ExactParts::read("test", &written).unwrap().number(0)]), written);
            sum.merge(&number(dtype, &[term]));
            assert!(ExactParts::read("test", &bytes(dtype, &[sum])).is_err(), "more terms than there may be");
        }
    }
}

/// The data above finds the faults that such code has: each of these wrong definitions gives other results somewhere.
#[everywhere::test]
fn planted_faults_are_found() {
    let mut found = [0; 4];
    let mut before = Vec::new();
    for_terms(|dtype, terms, _, _| {
        let right = quotient(dtype, terms, 1);
        let half = |bits: u64| Scalar::load(bits, DType::Float32).cast(dtype);
        let is_finite = terms.iter().all(|term| term.is_finite());
        // Rounded to float32 first, then to a half type.
        let twice = if dtype.size() == 2 { half(quotient(DType::Float32, terms, 1)) } else { right };
        // A carry out of one word is lost.
        let lost = |sum: Big, x: &f64| sum.plus_without_a_carry(Big::of(*x), 16);
        let lost = if is_finite { nearest(dtype, terms.iter().fold(Big::ZERO, lost), 1) } else { right };
        // The flags of the place before are still set.
        let kept: Vec<f64> =
            terms.iter().copied().chain(before.iter().copied().filter(|x: &f64| !x.is_finite())).collect();
        let kept = quotient(dtype, &kept, 1);
        // A zero is +0 whatever its terms.
        let zero = if right << (64 - 8 * dtype.size()) == 1 << 63 { 0 } else { right };
        for (count, wrong) in found.iter_mut().zip([twice, lost, kept, zero]) {
            *count += u32::from(!same(dtype, right, wrong));
        }
        before = terms.to_vec();
    });
    assert!(found.iter().all(|&count| count > 0), "how often each fault is seen: {found:?}");
}
