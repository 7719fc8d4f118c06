//! The gradients of every scatter.

use crate::gather::Gather;
use crate::gradients::backend::scan_both_ways;
use crate::gradients::elementwise::{combined, divided_by_counts, masked, product, same_values, scaled};
use crate::gradients::{OP, cotangent_for, filled, flat, require_float, zeros_like};
use crate::plan::{Factor, Gradient, IndexMode, Mean, NdReduce, Op, OutOfRange, Page, Reduce, Rule, Update};
use crate::{DType, ErrorCode, Result, Scalar, Scatter, Shape, Source, Target, Tensor, dispatch, reserved};

/// The gradients of a scatter.
pub struct ScatterGradients {
    /// That of the tensor that is written to.
    pub table: Tensor,
    /// That of the source; `None` for a scalar.
    pub src: Option<Tensor>,
}

impl Scatter {
    /// The gradients of `sum(scatter · cotangent)` with respect to the table and the source, where the table is left as it is.
    /// `docs/operators/vjp.md`.
    ///
    /// # Errors
    /// Those of the operator, and of the page.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce, Scatter, Target, Tensor};
    /// let t = Tensor::from_elements(&[2], &[2.0f32, 3.0])?;
    /// let (index, src) = (Tensor::from_elements(&[2], &[0, 0])?, Tensor::from_elements(&[2], &[5.0f32, 7.0])?);
    /// let call = Scatter::new(Op::ScatterNd, Target::slices(0, &index), src.into(), Reduce::Multiply);
    /// let gradients = call.vjp(&t, &Tensor::full(&[2], 1, t.dtype())?)?;
    /// assert_eq!(gradients.table.elements::<f32>(), Some(&[35.0, 1.0][..]));
    /// assert_eq!(gradients.src.unwrap().elements::<f32>(), Some(&[14.0, 10.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn vjp(&self, table: &Tensor, cotangent: &Tensor) -> Result<ScatterGradients> {
        // All checks are made, even where the gradients are zeros; without the mode, by which the check would read the index: `Slots` does
        // that below, once for all calls.
        let checked = self.check_in(IndexMode::default(), table)?;
        let has_entries = checked.plan.entries() > 0;
        let cotangent = cotangent_for(cotangent, table, &table.shape)?;
        require_float(self.op, self.op.table_name(), table)?;
        let given = match &self.src {
            Source::Tensor(src) => Some(src),
            Source::Scalar(_) => None,
        };
        let source_name = checked.plan.source_name();
        given.map_or(Ok(()), |src| require_float(self.op, source_name, src))?;
        let slots = Slots(self.target.for_gradients(self.op, table.operand(), self.mode)?);
        let is_zero_by_its_page = self.op.page() == Page::Scatter && self.update.reduce != Reduce::Replace;
        if is_zero_by_its_page || !has_entries {
            // An index that the operator refuses is refused here too. Where only a GPU knows its values, a gather checks them.
            if has_entries && !slots.0.index.is_ready() {
                slots.gather(table)?;
            }
            let src = given.map(|src| filled(table, &src.shape, Scalar::Int(0), src.dtype)).transpose()?;
            let for_table = if is_zero_by_its_page { zeros_like(table)? } else { cotangent };
            return Ok(ScatterGradients { table: for_table, src });
        }
        // What is written, with one element for each entry; and the layout and dtype that the source has, for its gradient.
        let (src, origin) = match (given, checked.source(table.dtype)) {
            (Some(src), Source::Tensor(written)) => {
                let layout = Layout::new(self.op, src, slots.entry_shape(table)?)?;
                let here = dispatch::to_device_of(self.op.name(), source_name, &written, table)?;
                (Source::Tensor(layout.entries_of(&here)?), Some((layout, src.dtype)))
            }
            (_, written) => (written, None),
        };
        let terms = Terms { slots, table, src, cotangent };
        let (for_table, for_entries) = terms.gradients(self.update)?;
        let src = match (for_entries, origin) {
            (Some(for_entries), Some((layout, dtype))) => {
                let for_src = terms.slots.without_skipped(table, &times(&for_entries, self.factor)?)?;
                Some(layout.source_gradient(&for_src.convert(self.op.name(), dtype)?)?)
            }
            _ => None,
        };
        Ok(ScatterGradients { table: for_table, src })
    }
}

fn times(gradient: &Tensor, factor: Factor) -> Result<Tensor> {
    match factor {
        Factor::One => Ok(gradient.clone()),
        Factor::MinusOne => scaled(gradient, Scalar::Int(-1)),
        Factor::Alpha(alpha) => scaled(gradient, alpha),
    }
}

/// The source of a scatter that puts zeros at all slots that the call writes to.
const ZERO: Source = Source::Scalar(Scalar::Int(0));

/// The index of a call, for the calls that its gradients are made of. The first of them reports a value that is out of range, if only a GPU
/// knows it.
struct Slots(Target);

impl Slots {
    fn entry_shape(&self, table: &Tensor) -> Result<Shape> {
        Ok(self.0.gather(OP, table.operand())?.1)
    }

    /// A copy of a tensor like the table, in which `src` is scattered to the slots.
    fn scatter(&self, table: &Tensor, src: Source, update: impl Into<Update>) -> Result<Tensor> {
        Scatter::new(OP, self.0.clone(), src, update.into()).run_on_copy(table)
    }

    /// What a tensor like the table holds at the slot of each entry.
    fn gather(&self, table: &Tensor) -> Result<Tensor> {
        Gather::new(OP, self.0.clone()).run(table)
    }

    /// The gradient of the source, with +0 for skipped entries. A gather gives +0 for these, but a product or quotient
    /// with it may be −0 or NaN.
    fn without_skipped(&self, table: &Tensor, gradient: &Tensor) -> Result<Tensor> {
        if !self.0.index.drops() {
            return Ok(gradient.clone());
        }
        let all = filled(table, &table.shape, Scalar::Bool(true), DType::Bool)?;
        masked(&self.gather(&all)?, gradient)
    }

    /// For each element of the source the product of the other elements of the source that go to its slot.
    fn products_of_others(&self, table: &Tensor, src: &Tensor) -> Result<Tensor> {
        let plan = self.0.scatter(OP, table.operand(), Some(src.operand()))?;
        let scans = scan_both_ways(&plan, Reduce::Multiply, &self.0.index, src)?;
        let [before, after] =
            scans.map(|storage| Tensor::from_storage(src.shape.clone(), src.dtype, storage));
        product(&before, &after)
    }
}

/// Where the entries of a call are in its source: along a dimension, the source may be larger than the index. The entries are then at its
/// beginning in each dimension.
struct Layout {
    src: Shape,
    entries: Shape,
    /// The element of the source for each entry, where the sizes differ.
    positions: Option<Tensor>,
}

impl Layout {
    fn new(op: Op, src: &Tensor, entries: Shape) -> Result<Self> {
        // No size of the source is smaller than that of the entries: with equally many elements, the order is the same.
        if src.size() == entries.size() {
            return Ok(Self { src: src.shape.clone(), entries, positions: None });
        }
        if op.page() == Page::Scatter {
            let text = format!(
                "src has shape {} and index {entries}: there is a gradient for src only where the two are equal \
                 (pass the part of src that index covers)",
                src.shape
            );
            return Err(op
                .error(Rule::Size, ErrorCode::ShapeMismatch, "src", text)
                .shape("src", src.shape.dims())
                .shape("index", entries.dims()));
        }
        let mut positions = reserved::<i32>(OP.name(), entries.size())?;
        let mut coordinates = Vec::new();
        for entry in 0..entries.size() {
            coordinates.clear();
            entries.unravel_into(entry, &mut coordinates);
            positions.push(src.shape.ravel(&coordinates) as i32);
        }
        let positions = Tensor::from_elements(&[positions.len()], &positions)?;
        Ok(Self { src: src.shape.clone(), entries, positions: Some(positions) })
    }

    /// The element of the source for each entry, in the shape of the entries.
    fn entries_of(&self, src: &Tensor) -> Result<Tensor> {
        let Some(positions) = &self.positions else { return src.reshape(self.entries.dims()) };
        let gather = Gather::new(OP, Target::along(0, positions));
        gather.run(&flat(src)?)?.reshape(self.entries.dims())
    }

    /// The gradient of the source from that of its entries: zeros for the elements that belong to no entry.
    fn source_gradient(&self, gradient: &Tensor) -> Result<Tensor> {
        let Some(positions) = &self.positions else { return gradient.reshape(self.src.dims()) };
        let zeros = filled(gradient, &Shape::of_size(self.src.size()), Scalar::Int(0), gradient.dtype)?;
        let scatter = Scatter::new(OP, Target::along(0, positions), flat(gradient)?.into(), Reduce::Replace);
        scatter.run_on_copy(&zeros)?.reshape(self.src.dims())
    }
}

/// What the gradients of a call are made of. The functions that are called `of_…` return the gradient of the table, and that of the source:
/// it has one element for each entry, and is `None` for a scalar source.
struct Terms<'a> {
    slots: Slots,
    table: &'a Tensor,
    /// One element for each entry, or a scalar; in the table's dtype, times the factor.
    src: Source,
    cotangent: Tensor,
}

impl Terms<'_> {
    fn gradients(&self, update: Update) -> Result<(Tensor, Option<Tensor>)> {
        match update.reduce.gradient() {
            Gradient::ToLast => Ok((self.without_written()?, self.for_src(|_| self.sent_to_last_updates())?)),
            Gradient::ToAll => self.of_sum(update),
            Gradient::OfProduct => self.of_product(update),
            Gradient::OfQuotient => self.of_quotient(),
            Gradient::ToEqual => self.of_selection(update),
        }
    }

    fn for_src(&self, gradient: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Option<Tensor>> {
        match &self.src {
            Source::Tensor(src) => gradient(src).map(Some),
            Source::Scalar(_) => Ok(None),
        }
    }

    /// A number that the terms of a slot cannot exceed: one for each element of the source, and self.
    fn most_terms(&self) -> Result<usize> {
        Ok(self.slots.entry_shape(self.table)?.size().saturating_add(1))
    }

    fn without_written(&self) -> Result<Tensor> {
        self.slots.scatter(&self.cotangent, ZERO, Reduce::Replace)
    }

    /// For each entry the cotangent of its slot where it is the last entry that names the slot, else 0. One scatter tells each slot the
    /// number of that entry, and another one sends its cotangent there. A slot that no entry names has a number that is out of range.
    fn sent_to_last_updates(&self) -> Result<Tensor> {
        let shape = self.slots.entry_shape(self.table)?;
        let nowhere = shape.size() as f64;
        let numbers = Tensor::arange(0.0, nowhere, 1.0, DType::Int32)?.reshape(shape.dims())?;
        let last = filled(self.table, &self.table.shape, Scalar::Float(nowhere), DType::Int32)?;
        let last = flat(&self.slots.scatter(&last, numbers.into(), Reduce::Replace)?)?;
        let zeros = filled(self.table, &Shape::of_size(shape.size()), Scalar::Int(0), self.table.dtype)?;
        let call = Scatter::new(OP, Target::along(0, &last), flat(&self.cotangent)?.into(), Reduce::Replace);
        Scatter { mode: OutOfRange::Drop.into(), ..call }.run_on_copy(&zeros)?.reshape(shape.dims())
    }

    /// The gradient of each term is the cotangent of its slot, for a mean divided by the number of terms.
    fn of_sum(&self, update: Update) -> Result<(Tensor, Option<Tensor>)> {
        let share = match update.mean {
            Mean::No => self.cotangent.clone(),
            Mean::OfUpdates | Mean::WithSelf => {
                let others = Scalar::Int(update.other_terms().into());
                let terms = filled(self.table, &self.table.shape, others, DType::Int32)?;
                divided_by_counts(
                    &self.cotangent,
                    &self.slots.scatter(&terms, Source::Scalar(Scalar::Int(1)), Reduce::Add)?,
                    self.most_terms()?,
                )?
            }
        };
        let for_src = self.for_src(|_| self.slots.gather(&share))?;
        Ok((if update.include_self { share } else { self.without_written()? }, for_src))
    }

    /// The gradient of each factor is the cotangent of its slot times the product of all other factors. That product is computed, and not
    /// the result divided by the factor, which may be zero.
    fn of_product(&self, update: Update) -> Result<(Tensor, Option<Tensor>)> {
        let for_src = self.for_src(|src| {
            let others = self.slots.products_of_others(self.table, src)?;
            let beside_src = if update.include_self {
                product(&self.cotangent, self.table)?
            } else {
                self.cotangent.clone()
            };
            product(&self.slots.gather(&beside_src)?, &others)
        })?;
        let for_table = if update.include_self {
            self.slots.scatter(&self.cotangent, self.src.clone(), Reduce::Multiply)?
        } else {
            self.without_written()?
        };
        Ok((for_table, for_src))
    }

    /// The derivative of a quotient q with respect to one of its divisors d is −q/d, with respect to self 1 divided by all of them. Only
    /// `scatter_nd` and `scatter_div` divide, and they include self.
    fn of_quotient(&self) -> Result<(Tensor, Option<Tensor>)> {
        let for_table = self.slots.scatter(&self.cotangent, self.src.clone(), Reduce::Divide)?;
        let for_src = self.for_src(|src| {
            let quotients = self.slots.scatter(self.table, src.into(), Reduce::Divide)?;
            let each = self.slots.gather(&product(&self.cotangent, &quotients)?)?;
            combined(&scaled(&each, Scalar::Int(-1))?, NdReduce::Div, src.into())
        })?;
        Ok((for_table, for_src))
    }

    /// Every term that is equal to the result gets an equal share of the cotangent, all others 0.
    fn of_selection(&self, update: Update) -> Result<(Tensor, Option<Tensor>)> {
        let result = self.slots.scatter(self.table, self.src.clone(), update)?;
        let mut self_is_result = same_values(self.table, &result)?;
        if !update.include_self {
            self_is_result = self.slots.scatter(&self_is_result, ZERO, Reduce::Replace)?;
        }
        let results = self.slots.gather(&result)?;
        let src = match &self.src {
            Source::Tensor(src) => src.clone(),
            Source::Scalar(value) => filled(self.table, &results.shape, *value, results.dtype)?,
        };
        let src_is_result = same_values(&src, &results)?;
        let [of_self, of_src] =
            [&self_is_result, &src_is_result].map(|mask| mask.convert(OP.name(), DType::Int32));
        let ties = self.slots.scatter(&of_self?, (&of_src?).into(), Reduce::Add)?;
        let share = divided_by_counts(&self.cotangent, &ties, self.most_terms()?)?;
        let for_src = self.for_src(|_| masked(&src_is_result, &self.slots.gather(&share)?))?;
        Ok((masked(&self_is_result, &share)?, for_src))
    }
}
