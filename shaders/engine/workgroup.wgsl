// The start-up probe of everything that passes need beside arithmetic: barriers, workgroup memory, atomic operations of many threads on
// one word, long loops. `src` has a number for each thread. All workgroups are whole. src/start/probe.rs knows the
// expected results.
//
// dst has six parts in a row: a running sum for each thread; for each workgroup, how many of its numbers have each digit; the largest
// number with each digit, and how many have it, over all workgroups; the end of a long loop for each workgroup; seven words that all
// threads contend for; the end of a longer loop for each workgroup. The digit of a number is its lowest four bits.
#import frame
#import scan

const DIGITS: u32 = 16u;

@group(0) @binding(3) var<storage, read_write> dst: array<atomic<u32>>;

var<workgroup> digits: array<u32, WORKGROUP>;

// Maxima, minima and exchanges that all threads make in the same words, at `first`. A thread whose maximum changes the word adds the difference to the
// next word. If the returned values are right, the differences add up to that of the last and the first value. So for minima; the
// first value is then the largest. An exchange adds a number to a word, if no other thread came between, or else an addition does. The last two
// words get the sum of all numbers: the value that an addition returns says whether exactly this addition carries to the second of them.
fn contend(first: u32, thread: u32, number: u32) {
    let rising = (thread << 22u) + (number >> 10u);
    let lower = atomicMax(&dst[first], rising);
    atomicAdd(&dst[first + 1u], select(0u, rising - lower, lower < rising));
    let falling = ~rising;
    let higher = atomicMin(&dst[first + 2u], falling);
    atomicAdd(&dst[first + 3u], select(0u, higher - falling, falling < higher));
    let old = atomicAdd(&dst[first + 5u], number);
    let carry = select(0u, 1u, old + number < old);
    atomicAdd(&dst[first + 6u], carry);
    var before = atomicLoad(&dst[first + 4u]);
    for (var tries = 0u; tries < 16u; tries++) {
        let swap = atomicCompareExchangeWeak(&dst[first + 4u], before, before + number);
        if (swap.exchanged) {
            return;
        }
        before = swap.old_value;
    }
    atomicAdd(&dst[first + 4u], number);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let thread = thread_number(group, lane);
    let number = src[thread];
    let digit = number % DIGITS;
    // Without its lowest eight bits, so that the sum of 256 numbers does not overflow.
    atomicStore(&dst[thread], sum_before(lane, number >> 8u));

    // The number of the group's threads with each digit.
    digits[lane] = digit;
    workgroupBarrier();
    let behind = params.head.threads; // the start of dst's next part
    if (lane < DIGITS) {
        var count = 0u;
        for (var i = 0u; i < WORKGROUP; i++) {
            count += select(0u, 1u, digits[i] == lane);
        }
        atomicStore(&dst[behind + group.x * DIGITS + lane], count);
    }

    let all_groups = behind + behind / WORKGROUP * DIGITS;
    // The largest number with each digit, and how many have it, in all groups.
    atomicMax(&dst[all_groups + digit], number);
    atomicAdd(&dst[all_groups + DIGITS + digit], 1u);

    let states = all_groups + 2u * DIGITS;
    contend(states + behind / WORKGROUP, thread, number);

    // A linear congruential generator (from Numerical Recipes): no compiler can remove a round.
    if (lane == 0u) {
        var state = number;
        for (var round = 0u; round < params.rounds; round++) {
            state = state * 1664525u + 1013904223u;
        }
        atomicStore(&dst[states + group.x], state);
        // Last: an adapter may leave all later loops of the thread.
        for (var round = 0u; round < params.more_rounds; round++) {
            state = state * 1664525u + 1013904223u;
        }
        atomicStore(&dst[states + behind / WORKGROUP + 7u + group.x], state);
    }
}
