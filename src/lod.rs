//! Level-of-detail tables: Paddle's way to say which rows of a tensor belong together.

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::shape::{Shape, list};

/// Offsets by level, outermost first. The last level splits the rows of a tensor, each other one splits the
/// pieces of the next. It is carried along, never computed with.
///
/// ```
/// use scatterwise::{Lod, Shape};
/// let rows = Shape::new("Tensor", &[5, 2])?;
/// assert!(Lod::new("Tensor", vec![vec![0, 2, 3], vec![0, 1, 4, 5]], &rows).is_ok());
/// assert!(Lod::new("Tensor", vec![vec![0, 2, 6]], &rows).is_err());
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lod(Vec<Vec<usize>>);

impl Lod {
    /// A table for a tensor of that shape.
    ///
    /// # Errors
    /// `ValueError` (`invalid-lod`) where a level has fewer than two offsets, does not begin with 0, decreases, or
    /// does not end with the number of pieces of the next level (of rows, for the last).
    pub fn new(op: &'static str, levels: Vec<Vec<usize>>, shape: &Shape) -> Result<Self> {
        let rows = shape.dims().first().copied().unwrap_or(0);
        let pieces = levels.iter().skip(1).map(|next| next.len().saturating_sub(1)).chain([rows]);
        for (level, (offsets, pieces)) in levels.iter().zip(pieces).enumerate() {
            let increasing = offsets.is_sorted() && offsets.len() >= 2 && offsets.first() == Some(&0);
            if !increasing || offsets.last() != Some(&pieces) {
                let text = format!(
                    "lod[{level}] is {}; offsets begin with 0, do not decrease and end with {pieces} here",
                    list(offsets)
                );
                return Err(Error::new(ErrorClass::Value, ErrorCode::InvalidLod, op, text)
                    .argument("lod")
                    .position(vec![level])
                    .shape("self", shape.dims()));
            }
        }
        Ok(Self(levels))
    }

    /// The offsets by level.
    pub fn levels(&self) -> &[Vec<usize>] {
        &self.0
    }
}
