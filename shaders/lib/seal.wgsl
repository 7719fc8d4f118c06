// The end of a batch: a dispatch that only leaves its mark, as every dispatch does.

struct Params {
    head: Head,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    _ = group_number(group);
}
