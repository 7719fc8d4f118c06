//! Calls whose operands have gradients.

use scatterwise::{
    Activation, Along, Factor, Gather, IndexMode, IndexPlan, Op, Reduction, Result, Scatter, Segments, Sum,
    Target, Tensor, activate, activate_vjp, broadcast_vjp, elementwise_add, elementwise_div, elementwise_max,
    elementwise_min, elementwise_mul, elementwise_sub, elementwise_vjp, segment_reduce, segment_reduce_vjp,
};

use crate::common::data::Data;

/// A call of some operator on operands that have gradients.
pub(super) struct Call {
    /// For messages.
    pub(super) text: String,
    /// The operands with gradients: the table or x; then src or y, if the call has one. A scatter without src takes a scalar.
    pub(super) operands: Vec<Data>,
    /// The index, or the lengths of segments; empty for an operation on two tensors.
    pub(super) index: Data,
    /// The weights of the elements of the result, whose weighted sum is differentiated.
    pub(super) cotangent: Data,
    pub(super) kind: Kind,
}

/// Which operator is called.
pub(super) enum Kind {
    Scatter(Form, scatterwise::Update, Factor, IndexMode),
    Gather(Form, IndexMode),
    /// `gather_nd`, with that many batch dimensions.
    Batches(usize),
    /// `elementwise_mul` or a sibling, with its axis.
    Aligned(Op, i64, Option<Activation>),
    /// `mul` or a sibling.
    Broadcast(Op),
    Activate(Activation),
    /// With the initial value.
    Segments(Reduction, Option<f64>),
    /// `take_along_dim`, with its dim.
    TakeAlong(Option<i64>),
    /// A reduction along some dims or all, and whether these are kept.
    Dims(Along, Option<Vec<i64>>, bool),
}

/// How an index names places; the number is the dimension.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// An entry for each element, as in `scatter_`.
    Along(i64),
    /// An entry for each slice, as in `index_add`.
    Slices(i64),
    /// Index tuples.
    Tuples,
    /// An entry for each row, as in `scatter_mul`.
    Rows,
    /// As `Along`, by a prepared index.
    Planned(i64),
}

impl Form {
    /// Where a call with this index works on a table of shape `dims`.
    fn target(self, dims: &[usize], index: &Tensor, mode: IndexMode) -> Result<Target> {
        Ok(match self {
            Self::Along(dim) => Target::along(dim, index),
            Self::Slices(dim) => Target::slices(dim, index),
            Self::Tuples | Self::Rows => Target::tuples(index),
            Self::Planned(dim) => Target::from(&IndexPlan::along_with(dims, dim, index, mode)?),
        })
    }
}

impl Call {
    /// The result of the call on these operands, which are `self.operands` or others of the same shapes.
    pub(super) fn result(&self, operands: &[Tensor], index: &Tensor) -> Result<Tensor> {
        match &self.kind {
            Kind::Scatter(..) => {
                let mut table = operands[0].clone();
                self.scatter(operands, index)?.run(&mut table)?;
                Ok(table)
            }
            Kind::Gather(..) | Kind::Batches(_) => self.gather(operands, index)?.run(&operands[0]),
            Kind::Aligned(op, axis, act) => {
                let function = match op {
                    Op::ElementwiseAdd => elementwise_add,
                    Op::ElementwiseSub => elementwise_sub,
                    Op::ElementwiseDiv => elementwise_div,
                    Op::ElementwiseMax => elementwise_max,
                    Op::ElementwiseMin => elementwise_min,
                    _ => elementwise_mul,
                };
                function(&operands[0], &operands[1], *axis, *act)
            }
            Kind::Broadcast(op) => {
                let (x, y) = (&operands[0], &operands[1]);
                match op {
                    Op::Add => x.add(y),
                    Op::Sub => x.sub(y),
                    Op::Div => x.div(y, None),
                    Op::Maximum => x.maximum(y),
                    Op::Minimum => x.minimum(y),
                    _ => x.mul(y),
                }
            }
            Kind::Activate(act) => activate(&operands[0], *act),
            Kind::Segments(reduction, initial) => {
                let lengths = Segments::Lengths(index);
                segment_reduce(&operands[0], *reduction, Sum::Ordered, lengths, initial.map(Into::into))
            }
            Kind::TakeAlong(dim) => operands[0].take_along_dim(index, *dim),
            Kind::Dims(along, dims, keepdim) => match along {
                Along::Sum => operands[0].sum(dims.as_deref(), *keepdim, None),
                Along::Prod => operands[0].prod(dims.as_deref(), *keepdim, None),
                Along::Mean => operands[0].mean(dims.as_deref(), *keepdim, None),
                Along::Amax => operands[0].amax(dims.as_deref(), *keepdim),
                _ => operands[0].amin(dims.as_deref(), *keepdim),
            },
        }
    }

    /// The gradients of the sum of the result times `cotangent`, one for each operand.
    pub(super) fn gradients(
        &self,
        operands: &[Tensor],
        index: &Tensor,
        cotangent: &Tensor,
    ) -> Result<Vec<Tensor>> {
        Ok(match &self.kind {
            Kind::Scatter(..) => {
                let gradients = self.scatter(operands, index)?.vjp(&operands[0], cotangent)?;
                [gradients.table].into_iter().chain(gradients.src).collect()
            }
            Kind::Gather(..) | Kind::Batches(_) => {
                vec![self.gather(operands, index)?.vjp(&operands[0], cotangent, Sum::Ordered)?]
            }
            Kind::Aligned(op, axis, act) => {
                elementwise_vjp(*op, &operands[0], &operands[1], *axis, *act, cotangent, Sum::Ordered)?.into()
            }
            Kind::Broadcast(op) => {
                broadcast_vjp(*op, &operands[0], &operands[1], None, cotangent, Sum::Ordered)?.into()
            }
            Kind::Activate(act) => vec![activate_vjp(&operands[0], *act, cotangent)?],
            Kind::Segments(reduction, initial) => {
                let (lengths, initial) = (Segments::Lengths(index), initial.map(Into::into));
                vec![segment_reduce_vjp(&operands[0], *reduction, lengths, initial, cotangent)?]
            }
            Kind::Dims(along, dims, keepdim) => {
                vec![operands[0].reduce_vjp(*along, dims.as_deref(), *keepdim, None, cotangent)?]
            }
            // As the package makes it of a gather.
            Kind::TakeAlong(dim) => {
                let (table, flat) = match dim {
                    Some(_) => (operands[0].clone(), index.clone()),
                    None => (operands[0].reshape(&[operands[0].size()])?, index.reshape(&[index.size()])?),
                };
                let gather = Gather::new(Op::TakeAlongDim, Target::along(dim.unwrap_or(0), &flat));
                vec![gather.vjp(&table, cotangent, Sum::Ordered)?.reshape(operands[0].shape().dims())?]
            }
        })
    }

    /// The call of a `Kind::Scatter`, by the rules of `scatter_nd`: by those of `scatter_`, gradients of reductions are zeros.
    fn scatter(&self, operands: &[Tensor], index: &Tensor) -> Result<Scatter> {
        let Kind::Scatter(form, update, factor, mode) = self.kind else { unreachable!("a scatter") };
        let op = match form {
            Form::Rows => Op::ScatterMul,
            Form::Along(_) | Form::Slices(_) | Form::Tuples | Form::Planned(_) => Op::ScatterNd,
        };
        let target = form.target(operands[0].shape().dims(), index, mode)?;
        let src = operands.get(1).map_or(2.5.into(), |src| src.into());
        Ok(Scatter { factor, mode, ..Scatter::new(op, target, src, update) })
    }

    /// The call of a `Kind::Gather` or `Kind::Batches`.
    fn gather(&self, operands: &[Tensor], index: &Tensor) -> Result<Gather> {
        match self.kind {
            Kind::Gather(form, mode) => {
                let target = form.target(operands[0].shape().dims(), index, mode)?;
                Ok(Gather { mode, ..Gather::new(Op::Gather, target) })
            }
            Kind::Batches(batch_dims) => Ok(Gather::new(Op::GatherNd, Target::batched(index, batch_dims))),
            _ => unreachable!("a gather"),
        }
    }
}
