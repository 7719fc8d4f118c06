//! How many operations the text of a shader makes for a thread, if it has no loop.

use scatterwise::testing::gpu::testing::{ShaderKey, WORKGROUP};
use wgpu::naga::front::wgsl;
use wgpu::naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use wgpu::naga::{Block, Expression, Function, Module, Statement, TypeInner};

/// The arithmetic, comparisons, selections and conversions of a thread, each component of a vector for itself, with both sides of each
/// branch. `None` if a function that `main` calls has a loop: its rounds are not in the text.
pub fn of_thread(key: ShaderKey) -> Option<u64> {
    let module = wgsl::parse_str(&key.source(WORKGROUP)).expect("a shader");
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).expect("a valid shader");
    let main = &module.entry_points.first()?.function;
    Shader { module: &module, info: &info }.of_function(main, info.get_entry_point(0))
}

struct Shader<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
}

impl Shader<'_> {
    fn of_function(&self, function: &Function, info: &FunctionInfo) -> Option<u64> {
        self.of_block(&function.body, function, info)
    }

    fn of_block(&self, block: &Block, function: &Function, info: &FunctionInfo) -> Option<u64> {
        let both = |one: &Block, other: &Block| {
            Some(self.of_block(one, function, info)? + self.of_block(other, function, info)?)
        };
        block.iter().try_fold(0, |sum, statement| {
            let here = match statement {
                Statement::Emit(range) => range
                    .clone()
                    .map(|at| {
                        let width = match info[at].ty.inner_with(&self.module.types) {
                            TypeInner::Vector { size, .. } => *size as u64,
                            _ => 1,
                        };
                        width * u64::from(is_operation(&function.expressions[at]))
                    })
                    .sum(),
                Statement::Block(inner) => self.of_block(inner, function, info)?,
                Statement::If { accept, reject, .. } => both(accept, reject)?,
                Statement::Call { function: called, .. } => {
                    self.of_function(&self.module.functions[*called], &self.info[*called])?
                }
                Statement::Loop { .. } | Statement::Switch { .. } => return None,
                _ => 0,
            };
            Some(sum + here)
        })
    }
}

/// Whether a GPU computes an expression. Reading bits as those of another type takes no time.
fn is_operation(expression: &Expression) -> bool {
    match expression {
        Expression::Binary { .. }
        | Expression::Unary { .. }
        | Expression::Select { .. }
        | Expression::Relational { .. }
        | Expression::Math { .. } => true,
        Expression::As { convert, .. } => convert.is_some(),
        _ => false,
    }
}
