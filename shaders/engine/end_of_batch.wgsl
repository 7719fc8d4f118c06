// The last dispatch of a batch. Its only work is the call of `group_number`, which counts its threads. The count shows the host that
// the batch ran to its end.
#import frame

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    _ = group_number(group);
}
