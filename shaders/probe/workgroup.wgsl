// Tries at start what the passes need of an adapter beside arithmetic: barriers, memory of a workgroup, atomic operations of many threads
// on one word, long loops. `src` holds a number for each thread; there are whole workgroups only. src/backend/gpu/trials/probe.rs knows what has
// to come out.
//
// dst has, one behind the other: a running sum for each thread; for each workgroup, how many of its numbers have each digit; the largest
// number with each digit, and how many have it, in all workgroups; and the end of a long loop for each workgroup. The digit of a number is
// its lowest four bits.
#import frame
#import scan

struct Params {
    head: Head,
    rounds: u32, // of the long loop: as many as a thread of any pass runs
}

const DIGITS: u32 = 16u;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

var<workgroup> digits: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    let number = src[thread];
    let digit = number % DIGITS;
    // Without its lowest eight bits, so that the sum of 256 numbers does not overflow.
    atomicStore(&dst[thread], sum_before(lane, number >> 8u));

    // How many threads of the group have each digit.
    digits[lane] = digit;
    workgroupBarrier();
    let behind = params.head.threads; // where the next part of dst begins
    if (lane < DIGITS) {
        var count = 0u;
        for (var i = 0u; i < 256u; i++) {
            count += select(0u, 1u, digits[i] == lane);
        }
        atomicStore(&dst[behind + group.x * DIGITS + lane], count);
    }

    // The largest number with each digit, and how many have it, in all groups.
    let all_groups = behind + behind / 256u * DIGITS;
    atomicMax(&dst[all_groups + digit], number);
    atomicAdd(&dst[all_groups + DIGITS + digit], 1u);

    // A linear congruential generator (that of Numerical Recipes): no compiler can leave out a round.
    if (lane == 0u) {
        var state = number;
        for (var round = 0u; round < params.rounds; round++) {
            state = state * 1664525u + 1013904223u;
        }
        atomicStore(&dst[all_groups + 2u * DIGITS + group.x], state);
    }
}
