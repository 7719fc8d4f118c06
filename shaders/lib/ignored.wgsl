// Skips index entries with an ignored value, for passes with a parameter `ignored`.
#import index
#import Ignored

fn is_ignored(entry: u32) -> bool {
    if (params.ignored.is_given == 0u) {
        return false;
    }
    for (var c = 0u; c < params.index.component_count; c++) {
        let at = entry * params.index.component_count + c;
        if (index_low(at) == params.ignored.low && index_high(at) == params.ignored.high) {
            return true;
        }
    }
    return false;
}
