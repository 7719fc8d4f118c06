// Differences of float32 by the adapter, and which of them are certain: those that are as sums with the negated operand. The proof does not
// ask for the sign of an operand.
#import certain_add

fn certain_subtract(a: u32, b: u32) -> vec2<u32> {
    return certain_sum(a, b, native_subtract(a, b));
}
