fn widen(element: u32) -> u32 {
    return float16_widen(element);
}

fn narrow(bits: u32) -> u32 {
    return float16_round(bits);
}
