//! How many operations the text of a shader makes for a thread, if it has no loop but those of a guarded operation.

use scatterwise::testing::gpu::testing::{Pass, ShaderKey, WORKGROUP};
use wgpu::naga::front::wgsl;
use wgpu::naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use wgpu::naga::{Block, Expression, Function, Module, Statement, TypeInner};

/// The arithmetic, comparisons, selections and conversions of a thread, each component of a vector for itself, with both sides of each
/// branch. `None` if there is a loop: its rounds are not in the text. A thread of a guarded operation has a quad in each of its `rounds`;
/// the loop over the quads that integers compute again does not count.
pub fn of_thread(key: ShaderKey, rounds: u64) -> Option<u64> {
    let module = wgsl::parse_str(&key.source(WORKGROUP)).expect("a shader");
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info = validator.validate(&module).expect("a valid shader");
    let (main, of_main) = (&module.entry_points.first()?.function, info.get_entry_point(0));
    let shader = Shader { module: &module, info: &info };
    if !matches!(key.pass, Pass::Guarded(..)) {
        return shader.of_function(main, of_main);
    }
    let mut loops = main.body.iter().filter_map(|statement| match statement {
        Statement::Loop { body, continuing, .. } => Some([body, continuing]),
        _ => None,
    });
    let quad = loops.next()?.map(|block| shader.of_block(block, main, of_main));
    let around = main.body.iter().filter(|statement| !matches!(statement, Statement::Loop { .. }));
    Some(rounds * (quad[0]? + quad[1]?) + shader.of_statements(around, main, of_main)?)
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
        self.of_statements(block.iter(), function, info)
    }

    fn of_statements<'b>(
        &self,
        mut statements: impl Iterator<Item = &'b Statement>,
        function: &Function,
        info: &FunctionInfo,
    ) -> Option<u64> {
        let both = |one: &Block, other: &Block| {
            Some(self.of_block(one, function, info)? + self.of_block(other, function, info)?)
        };
        statements.try_fold(0, |sum, statement| {
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
