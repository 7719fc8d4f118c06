// float32 in the adapter's arithmetic; used where the start-up probe saw the CPU's bits.
fn combine(before: Element, update: Element) -> Element {
    return bitcast<u32>(bitcast<f32>(before) + bitcast<f32>(update));
}
