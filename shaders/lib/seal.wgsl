// The last dispatch of a batch. It does no work but that of `group_number`: to count its threads. The count shows the host that the batch
// ran to its end.
#import frame

struct Params {
    head: Head,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    _ = group_number(group);
}
