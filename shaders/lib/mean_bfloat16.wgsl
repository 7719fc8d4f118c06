fn widen(element: u32) -> u32 {
    return element << 16u;
}

fn narrow(bits: u32) -> u32 {
    return bfloat16_round(bits);
}
