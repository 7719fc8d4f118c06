// The `main` of a pass whose threads work alone. The pass declares `run(thread)`, which no thread of a refused operation reaches.
#import frame

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    if (!is_idle(thread)) {
        run(thread);
    }
}
