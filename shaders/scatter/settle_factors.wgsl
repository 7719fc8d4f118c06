// Multiplies elements by the factors that factors.wgsl has left in `src`, if there are any. A thread has up to 64 elements, as far apart as
// there are threads.
#import element

// 5^exponent modulo 2^32.
fn power_of_5(exponent: u32) -> u32 {
    var power = 5u;
    var result = 1u;
    for (var left = exponent & 0x3fffffffu; left != 0u; left >>= 1u) {
        result *= select(1u, power, (left & 1u) == 1u);
        power *= power;
    }
    return result;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (failed() || thread >= params.head.threads || src[0] == 0u) {
        return;
    }
    for (var i = thread; i < params.len; i += params.head.threads) {
        let exponent = src[2u * i + 1u];
        let other = src[2u * i + 2u];
        if ((exponent | other) != 0u) {
            let odd = power_of_5(exponent);
            let twos = other & 0x7fffffffu;
            let product = load_dst(i) * select(odd, 0u - odd, other != twos);
            store_dst(i, select(product << (twos & 31u), 0u, twos > 31u) & ELEMENT_MASK);
        }
    }
}
