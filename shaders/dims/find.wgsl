// The first term of each part of a column that is its largest or smallest, as a number: zeros of both signs are equal, and NaN is beyond all
// others. A term is its key and its number in the column. If there is one part, dst has the numbers, of one or two words. Else it
// has terms, which the next dispatch compares.
#import dims
#import element
#import combine
#import keys

struct State {
    key: Element,
    number: u32,
}

// Words of a term in memory.
#ifdef WIDTH_8
const WORDS: u32 = 3u;
#else
const WORDS: u32 = 2u;
#endif

fn term(at: u32, number: u32) -> State {
    if (params.is_first == 1u) {
        return State(key_of(without_sign_of_zero(load_src(at))), number);
    }
    let word = at * WORDS;
#ifdef WIDTH_8
    return State(vec2<u32>(src[word], src[word + 1u]), src[word + 2u]);
#else
    return State(src[word], src[word + 1u]);
#endif
}

fn without_sign_of_zero(x: Element) -> Element {
#ifdef SHORT_FLOAT
    return select(x, 0u, (x & (ELEMENT_MASK >> 1u)) == 0u);
#elifdef FLOAT64
    return select(x, vec2<u32>(), (x.x | (x.y << 1u)) == 0u);
#else
    return x;
#endif
}

fn better(a: State, b: State) -> State {
#ifdef WIDTH_8
    let is_less = wide_less(a.key, b.key);
    let is_equal = all(a.key == b.key);
#else
    let is_less = a.key < b.key;
    let is_equal = a.key == b.key;
#endif
    if (is_less || (is_equal && b.number < a.number)) {
        return b;
    }
    return a;
}

fn store(at: u32, state: State) {
    if (params.parts == 1u) {
        write_word(params.words * at, state.number);
        if (params.words == 2u) {
            write_word(2u * at + 1u, 0u);
        }
        return;
    }
    let word = at * WORDS;
#ifdef WIDTH_8
    write_word(word, state.key.x);
    write_word(word + 1u, state.key.y);
#else
    write_word(word, state.key);
#endif
    write_word(word + WORDS - 1u, state.number);
}

fn write_word(at: u32, word: u32) {
#ifdef NARROW
    atomicStore(&dst[at], word);
#else
    dst[at] = word;
#endif
}
