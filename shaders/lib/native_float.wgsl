// float32 in the adapter's arithmetic. The probe tries these functions at start; they are used where it saw the CPU's bits.
fn native_add(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
}

fn native_multiply(a: u32, b: u32) -> u32 {
    return bitcast<u32>(bitcast<f32>(a) * bitcast<f32>(b));
}
