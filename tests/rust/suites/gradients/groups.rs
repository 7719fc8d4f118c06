//! The gradients of statistics of groups: beside central differences in float64, with the same bits on every backend, and special cases.

use scatterwise::{
    DType, GroupOptions, GroupStatistic, Groups, Result, Scalar, Tensor, group_by, group_reduce_vjp,
};

use super::{BOUND, STEP};
use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::{Data, numbers};
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal, error_of, same};

const STATISTICS: [GroupStatistic; 8] = [
    GroupStatistic::Sum,
    GroupStatistic::Mean,
    GroupStatistic::Min,
    GroupStatistic::Max,
    GroupStatistic::Var,
    GroupStatistic::Std,
    GroupStatistic::First,
    GroupStatistic::Last,
];

/// Distinct numbers of about the same size, some NaN if `has_nan`.
fn drawn(dtype: DType, dims: &[usize], has_nan: bool, random: &mut Numbers) -> Data {
    let count: usize = dims.iter().product();
    let mut value = |at: usize| {
        let number = random.below(1000) as f64 / 64.0 + at as f64 / 512.0 - 8.0;
        let is_nan = has_nan && random.below(4) == 0;
        Scalar::Float(if is_nan { f64::NAN } else { number }).cast(dtype)
    };
    Data::from_bits(dtype, dims, (0..count).map(&mut value).collect::<Vec<u64>>())
}

fn groups_on(backend: &Backend, codes: &Data) -> Result<Groups> {
    group_by(&backend.put(codes)?, 4, Some(-1), None)
}

one_thread!(statistics);
async fn statistics() {
    on_each_backend("gradients of groups", async |backend, report| {
        let mut random = Numbers(79);
        for statistic in STATISTICS {
            for (dtype, skip_nan, columns) in [
                (DType::Float64, false, None),
                (DType::Float64, true, Some(3)),
                (DType::Float32, false, Some(2)),
                (DType::Float16, true, None),
            ] {
                // Each group but the last has three rows or more; the last one has none.
                let codes: Vec<u64> = [0, 1, 2, 0, 1, 2, 0, 1, 2]
                    .into_iter()
                    .chain((0..6).map(|_| random.below(4)))
                    .map(|code| if code == 3 { u32::MAX.into() } else { code })
                    .collect();
                let codes = Data::from_bits(DType::Int32, &[codes.len()], codes);
                let dims = [vec![codes.dims[0]], columns.into_iter().collect()].concat();
                let values = drawn(dtype, &dims, skip_nan, &mut random);
                let cotangent = drawn(dtype, &[&[4], &dims[1..]].concat(), false, &mut random);
                let options = GroupOptions { skip_nan, ..GroupOptions::default() };
                let id = format!("{statistic:?} {dtype} {skip_nan}");
                let outcome = check(statistic, &options, &codes, &values, &cotangent, backend).await;
                report.row(&id, outcome);
            }
        }
    })
    .await;
}

async fn check(
    statistic: GroupStatistic,
    options: &GroupOptions,
    codes: &Data,
    values: &Data,
    cotangent: &Data,
    backend: &Backend,
) -> Row {
    let on_cpu = groups_on(&Backend::Cpu, codes)?;
    let expected = group_reduce_vjp(&on_cpu, &values.tensor(), statistic, options, &cotangent.tensor())?;
    let expected = read(&expected).await?;
    let groups = groups_on(backend, codes)?;
    let (x, c) = (backend.put(values)?, backend.put(cotangent)?);
    let got = read(&group_reduce_vjp(&groups, &x, statistic, options, &c)?).await?;
    same("the bits of the CPU", expected.difference(&got))?;
    if values.dtype != DType::Float64 {
        return Ok(());
    }
    let weights = numbers(cotangent);
    let objective = |values: &[f64]| -> std::result::Result<f64, Fault> {
        let values = Tensor::from_elements(&expected.dims, values)?;
        let result = on_cpu.reduce(&values, statistic, options)?;
        let result = result.elements::<f64>().unwrap_or_default();
        // The empty group has no number.
        let terms = result.iter().zip(&weights).filter(|(value, _)| !value.is_nan());
        Ok(terms.map(|(value, weight)| value * weight).sum())
    };
    let elements = numbers(values);
    // A group with as many values as degrees of freedom has neither a number nor a slope.
    let of_groups = on_cpu.reduce(&values.tensor(), statistic, options)?;
    let of_groups = of_groups.elements::<f64>().unwrap_or_default();
    let columns = elements.len() / codes.dims[0];
    let has_number = |at: usize| {
        let group = codes.bits(at / columns) as usize;
        of_groups.get(group * columns + at % columns).is_none_or(|value| !value.is_nan())
    };
    for (at, got) in numbers(&got).into_iter().enumerate() {
        if got.is_nan() && !has_number(at) {
            continue;
        }
        let moved = |step: f64| {
            let mut elements = elements.clone();
            elements[at] += step;
            objective(&elements)
        };
        let difference = (moved(STEP)? - moved(-STEP)?) / (2.0 * STEP);
        let is_near = (got - difference).abs() <= BOUND * (1.0 + difference.abs());
        equal(&format!("element {at}: {got}, differences say {difference}"), is_near, true)?;
    }
    Ok(())
}

#[crate::everywhere::test]
fn special_cases() {
    let codes = Tensor::from_elements(&[5], &[0, 0, 0, 1, -1]).unwrap();
    let groups = group_by(&codes, 2, Some(-1), None).unwrap();
    let cotangent = Tensor::from_elements(&[2], &[6.0f32, 10.0]).unwrap();
    let gradient = |values: &[f32; 5], statistic, options: &GroupOptions| {
        let values = Tensor::from_elements(&[5], values).unwrap();
        let made = group_reduce_vjp(&groups, &values, statistic, options, &cotangent).unwrap();
        made.elements::<f32>().unwrap().to_vec()
    };
    let plain = GroupOptions::default();
    // Ties share evenly, and a row that is left out gets nothing.
    let ties = gradient(&[3.0, 3.0, 1.0, 3.0, 9.0], GroupStatistic::Max, &plain);
    assert_eq!(ties, [3.0, 3.0, 0.0, 10.0, 0.0]);
    // The variance of one row is NaN, and so is its gradient; equal rows have a deviation without slope.
    let single = gradient(&[3.0, 3.0, 3.0, 3.0, 9.0], GroupStatistic::Std, &plain);
    assert!(single[..3] == [0.0; 3] && single[3].is_nan() && single[4] == 0.0, "{single:?}");
    let skipping = GroupOptions { skip_nan: true, ..plain };
    let last = gradient(&[3.0, 2.0, f32::NAN, f32::NAN, 9.0], GroupStatistic::Last, &skipping);
    assert_eq!(last, [0.0, 6.0, 0.0, 0.0, 0.0]);
    let values = Tensor::from_elements(&[5], &[0.0f32; 5]).unwrap();
    let error = error_of(group_reduce_vjp(&groups, &values, GroupStatistic::Median, &plain, &cotangent));
    assert!(error.unwrap().to_string().contains("how is median"));
}
