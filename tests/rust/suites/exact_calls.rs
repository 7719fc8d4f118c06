//! Calls with `sum: 'exact'` against the definition, on every way that a sum can take.

use scatterwise::OutOfRange::Raise;
use scatterwise::{
    DType, ErrorClass, ErrorCode, ExactSum, NdReduce, Op, OutOfRange, Reduce, Reduction, Scalar, Scatter,
    Source, Sum, Target, Tensor, Update,
};

use crate::common::data::Data;
use crate::common::exact::quotient;
use crate::common::pairs::Numbers;
use crate::everywhere;
use crate::suites::exact::{FLOATS, Terms, shuffle, values};

/// A call, and for each place the numbers of the values that go there.
pub(super) struct Case {
    pub(super) table: Data,
    pub(super) index: Data,
    pub(super) values: Data,
    target: fn(&Tensor) -> Target,
    terms: Vec<Vec<usize>>,
}

impl Case {
    /// `rows` entries for a table with `places` rows of `row` elements, by index tuples of one number.
    pub(super) fn rows(
        dtype: DType,
        kind: Terms,
        [places, row, entries]: [usize; 3],
        numbers: &mut Numbers,
    ) -> Self {
        let mut terms = vec![vec![]; places * row];
        let index: Vec<i64> = (0..entries).map(|_| numbers.below(places as u64) as i64).collect();
        for (entry, &place) in index.iter().enumerate() {
            for l in 0..row {
                terms[place as usize * row + l].push(entry * row + l);
            }
        }
        Self {
            table: data(dtype, kind, &[places, row], numbers),
            index: Data::new(&[entries, 1], &index),
            values: data(dtype, kind, &[entries, row], numbers),
            target: Target::tuples,
            terms,
        }
    }

    /// Entries along the first of two dimensions, some of them counted from the end.
    pub(super) fn along(
        dtype: DType,
        kind: Terms,
        [places, columns, entries]: [usize; 3],
        numbers: &mut Numbers,
    ) -> Self {
        let mut terms = vec![vec![]; places * columns];
        let mut index = vec![];
        for entry in 0..entries {
            for column in 0..columns {
                let place = numbers.below(places as u64) as i32;
                terms[place as usize * columns + column].push(entry * columns + column);
                index.push(if numbers.below(5) == 0 { place - places as i32 } else { place });
            }
        }
        Self {
            table: data(dtype, kind, &[places, columns], numbers),
            index: Data::new(&[entries, columns], &index),
            values: data(dtype, kind, &[entries, columns], numbers),
            target: |index| Target::along(0, index),
            terms,
        }
    }

    /// A flat index, whose places are its values.
    pub(super) fn flat(
        dtype: DType,
        kind: Terms,
        [places, entries]: [usize; 2],
        numbers: &mut Numbers,
    ) -> Self {
        let mut terms = vec![vec![]; places];
        let index: Vec<i32> = (0..entries).map(|_| numbers.below(places as u64) as i32).collect();
        index.iter().enumerate().for_each(|(entry, &place)| terms[place as usize].push(entry));
        Self {
            table: data(dtype, kind, &[places], numbers),
            index: Data::new(&[entries], &index),
            values: data(dtype, kind, &[entries], numbers),
            target: |index| Target::along(0, index),
            terms,
        }
    }

    /// Large terms of one sign, all in one place: more than two words of an accumulator of 32-bit words carry.
    pub(super) fn carrying(dtype: DType, numbers: &mut Numbers) -> Self {
        let mut case = Self::flat(dtype, Terms::Uniform, [1, 900], numbers);
        let sign = if numbers.below(2) == 0 { 1.0 } else { -1.0 };
        let of = |k: u64| Scalar::Float(sign * (3.5 + k as f64 / 16.0)).cast(dtype);
        case.values = Data::from_bits(dtype, &[900], (0..900).map(|k| of(k % 8)));
        case
    }

    /// A quarter of a tensor of one dimension, from an element on.
    pub(super) fn part(&self, data: &Data, at: usize) -> Tensor {
        let end = (at + data.len() / 4).min(data.len());
        Data::from_bits(data.dtype, &[end - at], (at..end).map(|k| data.bits(k))).tensor()
    }

    /// The call.
    pub(super) fn call(&self, index: &Tensor, src: Source, update: Update) -> Scatter {
        Scatter::new(Op::ScatterReduce, (self.target)(index), src, update)
    }

    /// Makes the call and compares each place with the definition.
    fn check(&self, update: Update, what: &str) {
        let mut table = self.table.tensor();
        let (index, src) = (self.index.tensor(), self.values.tensor());
        self.call(&index, src.into(), update).run(&mut table).unwrap();
        let expected = self.expected(update, |number| self.values.bits(number));
        assert_eq!(expected.difference(&Data::of(&table)), None, "{what}");
    }

    /// The result by the definition, where `value` has the bits of a value by its number.
    pub(super) fn expected(&self, update: Update, value: impl Fn(usize) -> u64) -> Data {
        let dtype = self.table.dtype;
        let mut expected = self.table.clone();
        for (place, terms) in self.terms.iter().enumerate().filter(|(_, terms)| !terms.is_empty()) {
            let mut bits: Vec<u64> = terms.iter().map(|&number| value(number)).collect();
            if update.include_self {
                bits.push(self.table.bits(place));
            }
            let is_mean = update.mean != scatterwise::Mean::No;
            let count = if is_mean { bits.len() as u64 } else { 1 };
            expected.set_bits(place, quotient(dtype, &values(dtype, &bits), count));
        }
        expected
    }
}

/// A tensor of that kind of terms.
fn data(dtype: DType, kind: Terms, dims: &[usize], numbers: &mut Numbers) -> Data {
    let len = dims.iter().product();
    let mut bits = kind.bits(dtype, len, numbers);
    bits.truncate(len);
    Data::from_bits(dtype, dims, bits)
}

/// Exact sums and means, with self and without.
pub(super) fn updates() -> [Update; 4] {
    let exact =
        |reduction: Reduction, include_self| Update { sum: Sum::Exact, ..reduction.update(include_self) };
    [
        exact(Reduction::Sum, true),
        exact(Reduction::Sum, false),
        exact(Reduction::Mean, true),
        exact(Reduction::Mean, false),
    ]
}

/// Calls `check` with every dtype, kind of terms and update.
fn for_each_kind(mut check: impl FnMut(DType, Terms, Update, &mut Numbers, &str)) {
    let mut numbers = Numbers(5);
    for dtype in FLOATS {
        for kind in Terms::ALL {
            for update in updates() {
                check(dtype, kind, update, &mut numbers, &format!("{dtype} {kind:?} {update:?}"));
            }
        }
    }
}

#[everywhere::test]
fn each_place_is_rounded_once() {
    for_each_kind(|dtype, kind, update, numbers, what| {
        Case::flat(dtype, kind, [7, 3000], numbers).check(update, &format!("flat, {what}"));
        Case::rows(dtype, kind, [5, 3, 200], numbers).check(update, &format!("rows, {what}"));
        Case::along(dtype, kind, [4, 6, 90], numbers).check(update, &format!("along, {what}"));
        Case::flat(dtype, kind, [3, 0], numbers).check(update, &format!("nothing, {what}"));
        Case::rows(dtype, kind, [1, 1, 1], numbers).check(update, &format!("one, {what}"));
    });
}

#[everywhere::test]
fn few_updates_of_a_large_table() {
    for_each_kind(|dtype, kind, update, numbers, what| {
        Case::flat(dtype, kind, [5000, 60], numbers).check(update, &format!("flat, {what}"));
        Case::along(dtype, kind, [5000, 2, 20], numbers).check(update, &format!("along, {what}"));
    });
}

/// Terms that floats cannot take go to accumulators for all places while these fit a cache, else to second floats.
#[everywhere::test]
fn many_terms_are_put_aside() {
    let exact = updates()[0];
    let mut numbers = Numbers(6);
    for dtype in [DType::Bfloat16, DType::Float32, DType::Float64] {
        for kind in [Terms::AllExponents, Terms::Cancelling, Terms::Ties, Terms::Specials] {
            for places in [40, 2000, 106_000] {
                let case = Case::flat(dtype, kind, [places, 9000], &mut numbers);
                case.check(exact, &format!("{dtype} {kind:?} into {places}"));
            }
        }
    }
}

#[everywhere::test]
fn one_scalar_for_all_entries() {
    let mut numbers = Numbers(8);
    for dtype in FLOATS {
        for update in updates() {
            for case in [
                Case::flat(dtype, Terms::Uniform, [9, 700], &mut numbers),
                Case::rows(dtype, Terms::Uniform, [4, 5, 40], &mut numbers),
            ] {
                let (mut table, index) = (case.table.tensor(), case.index.tensor());
                let call = Scatter::new(Op::ScatterReduce, (case.target)(&index), 0.1.into(), update);
                call.run(&mut table).unwrap();
                let expected = case.expected(update, |_| scatterwise::Scalar::Float(0.1).cast(dtype));
                assert_eq!(expected.difference(&Data::of(&table)), None, "{dtype} {update:?}");
            }
        }
    }
}

/// Integers wrap and bool is OR: the word changes nothing.
#[everywhere::test]
fn integers_and_bool_are_as_ever() {
    for &dtype in DType::ALL.iter().filter(|dtype| !dtype.is_float()) {
        let index = Tensor::from_elements(&[4], &[0, 1, 1, 0]).unwrap();
        let src = Data::from_bits(dtype, &[4], [1, 0, 1, 1]).tensor();
        let sums = [Sum::Ordered, Sum::Exact].map(|sum| {
            let mut table = Data::from_bits(dtype, &[2], [1, 0]).tensor();
            let update = Update { sum, ..Reduce::Add.into() };
            let call = Scatter::new(Op::ScatterReduce, Target::along(0, &index), src.clone().into(), update);
            call.run(&mut table).unwrap();
            Data::of(&table)
        });
        assert_eq!(sums[0], sums[1], "{dtype}");
    }
}

#[everywhere::test]
fn only_a_sum_can_be_exact() {
    let mut table = Tensor::from_elements(&[2], &[1.0f32, 2.0]).unwrap();
    let index = Tensor::from_elements(&[1], &[0]).unwrap();
    for &reduce in NdReduce::ALL {
        let (reduce, _) = reduce.parts();
        let update = Update { sum: Sum::Exact, ..reduce.into() };
        let done = Scatter::new(Op::ScatterNd, Target::along(0, &index), 1.into(), update).run(&mut table);
        assert_eq!(
            done.err().map(|error| error.code()),
            (reduce != Reduce::Add).then_some(ErrorCode::InvalidArgument)
        );
    }
}

/// An index value that is out of range, a bad last entry among them, leaves the table as it was.
#[everywhere::test]
fn a_bad_index_leaves_the_table_alone() {
    let before = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0]).unwrap();
    for last in [3, -4] {
        let mut table = before.clone();
        let index = Tensor::from_elements(&[3], &[0, 1, last]).unwrap();
        let call = Scatter::new(Op::ScatterReduce, Target::along(0, &index), 1.5.into(), updates()[0]);
        assert_eq!(call.run(&mut table).unwrap_err().code(), ErrorCode::IndexOutOfRange);
        assert_eq!(Data::of(&table), Data::of(&before));
    }
}

/// Chunks of a call, in any order, each in a part of its own, one after the other or merged: all have the bytes and the results of one call.
#[everywhere::test]
fn parts_are_one_call() {
    let mut numbers = Numbers(9);
    for dtype in FLOATS {
        for kind in Terms::ALL {
            for (places, entries) in [(3, 500), (900, 3000), (40_000, 3000)] {
                let case = Case::flat(dtype, kind, [places, entries], &mut numbers);
                let what = format!("{dtype} {kind:?} into {places}");
                let mut whole = ExactSum::new(&[places], dtype).unwrap();
                whole.add(Target::along(0, &case.index.tensor()), case.values.tensor(), Raise).unwrap();
                let mut chunks: Vec<(Tensor, Tensor)> = (0..entries)
                    .step_by(entries / 4)
                    .map(|at| (case.part(&case.index, at), case.part(&case.values, at)))
                    .collect();
                shuffle(&mut chunks, &mut numbers);
                let mut merged = ExactSum::new(&[places], dtype).unwrap();
                for (at, (index, values)) in chunks.iter().enumerate() {
                    let mut part = ExactSum::new(&[places], dtype).unwrap();
                    part.add(Target::along(0, index), values, Raise).unwrap();
                    match at % 3 {
                        0 => merged.add(Target::along(0, index), values, Raise).unwrap(),
                        1 => merged.merge(&part).unwrap(),
                        _ => merged.merge(&ExactSum::from_bytes(&part.to_bytes().unwrap()).unwrap()).unwrap(),
                    }
                }
                let [ours, theirs] = [&mut whole, &mut merged].map(|sums| sums.to_bytes().unwrap());
                assert!(ours == theirs, "{what}: bytes");
                // What is read from bytes goes on as what was written.
                let mut read = ExactSum::from_bytes(&ours).unwrap();
                read.merge(&whole).unwrap();
                whole.merge(&merged).unwrap();
                assert!(read.to_bytes().unwrap() == whole.to_bytes().unwrap(), "{what}: twice");
                for (mean, got) in [(false, merged.sum()), (true, merged.mean())] {
                    let got = Data::of(&got.unwrap());
                    for (place, terms) in case.terms.iter().enumerate().filter(|(_, terms)| !terms.is_empty())
                    {
                        let bits: Vec<u64> = terms.iter().map(|&number| case.values.bits(number)).collect();
                        let count = if mean { bits.len() as u64 } else { 1 };
                        let expected = quotient(dtype, &values(dtype, &bits), count);
                        let is_nan = |bits| Scalar::load(bits, dtype).as_f64().is_nan();
                        let is_right =
                            got.bits(place) == expected || (is_nan(got.bits(place)) && is_nan(expected));
                        assert!(is_right, "{what}: place {place}, mean: {mean}");
                    }
                }
            }
        }
    }
}

/// What is wrong is told before anything is added.
#[everywhere::test]
fn parts_refuse_what_they_are_not() {
    assert_eq!(ExactSum::new(&[2], DType::Int32).err().unwrap().code(), ErrorCode::UnsupportedDtype);
    let mut sums = ExactSum::new(&[2], DType::Float32).unwrap();
    let index = Tensor::from_elements(&[3], &[0, 1, 2]).unwrap();
    let src = Tensor::from_elements(&[3], &[1.0f32, 2.0, 3.0]).unwrap();
    let before = sums.to_bytes().unwrap();
    let mut refused = |target, src: &Tensor| sums.add(target, src, Raise).unwrap_err().code();
    assert_eq!(refused(Target::along(0, &index), &src), ErrorCode::IndexOutOfRange);
    assert_eq!(refused(Target::along(1, &index), &src), ErrorCode::DimOutOfRange);
    assert_eq!(refused(Target::along(0, &index), &index), ErrorCode::DtypeMismatch);
    assert!(sums.to_bytes().unwrap() == before);
    let other = |shape, dtype| ExactSum::new(shape, dtype).unwrap();
    assert_eq!(sums.merge(&other(&[2], DType::Float64)).unwrap_err().code(), ErrorCode::DtypeMismatch);
    assert_eq!(sums.merge(&other(&[2, 1], DType::Float32)).unwrap_err().code(), ErrorCode::ShapeMismatch);
    for bytes in [&b"XSUM"[..], &[], &before[..before.len() - 1]] {
        assert_eq!(ExactSum::from_bytes(bytes).err().unwrap().class(), ErrorClass::Value);
    }
    sums.add(Target::along(0, &index), &src, OutOfRange::Drop).unwrap();
    assert_eq!(sums.sum().unwrap().elements::<f32>(), Some(&[1.0, 2.0][..]));
    let empty = ExactSum::new(&[3], DType::Bfloat16).unwrap();
    assert_eq!(Data::of(&empty.sum().unwrap()).bytes, [0; 6]);
    assert_eq!(empty.count().unwrap().elements::<i64>(), Some(&[0, 0, 0][..]));
}

/// Sums without dimensions have one slot, along dim 0 and by tuples of nothing.
#[everywhere::test]
fn one_slot_in_every_form() {
    let index = Tensor::from_elements(&[3], &[0, -1, 0]).unwrap();
    let none = Tensor::zeros(&[3, 0], DType::Int32).unwrap();
    let src = Tensor::from_elements(&[3], &[1e8f32, 1.0, -1e8]).unwrap();
    let (first, one) =
        (Tensor::zeros(&[], DType::Int32).unwrap(), Tensor::from_elements(&[], &[1.0f32]).unwrap());
    let calls =
        [(Target::along(0, &index), &src), (Target::along(-1, &first), &one), (Target::tuples(&none), &src)];
    for (target, src) in calls {
        let mut sums = ExactSum::new(&[], DType::Float32).unwrap();
        sums.add(target, src, Raise).unwrap();
        let sum = sums.sum().unwrap();
        assert_eq!((sum.shape().rank(), sum.elements::<f32>()), (0, Some(&[1.0][..])));
    }
    let mut sums = ExactSum::new(&[], DType::Float32).unwrap();
    let beyond = Tensor::from_elements(&[1], &[1]).unwrap();
    let refused = sums.add(Target::along(0, &beyond), 1.0, Raise).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::IndexOutOfRange);
    assert_eq!(sums.count().unwrap().elements::<i64>(), Some(&[0][..]));
}

/// Ten million places. It takes minutes: `cargo test --no-default-features --test main -- --ignored ten_million`.
#[cfg(not(target_arch = "wasm32"))]
#[test]
#[ignore = "takes minutes"]
fn ten_million_places_are_those_of_big_integers() {
    let exact = updates()[0];
    let mut numbers = Numbers(10_000_000);
    for dtype in [DType::Float32, DType::Bfloat16] {
        for kind in [Terms::Uniform, Terms::AllExponents, Terms::Cancelling, Terms::Subnormal, Terms::Ties] {
            let case = Case::flat(dtype, kind, [1_000_000, 1_000_000], &mut numbers);
            case.check(exact, &format!("{dtype} {kind:?}"));
            println!("{dtype} {kind:?}: 1,000,000 places, none wrong");
        }
    }
}
