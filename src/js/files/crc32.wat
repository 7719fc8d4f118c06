;; The loop of crc32.js, which says what it computes. A word has 4 bytes, a vector 4 words.
;;
;; Memory: from 0 on the window, which begins with the 3006 words (12024 bytes) that were left out last; from 28672 on the words that come now.
(module
  (memory (export "memory") 1)

  ;; Leaves out `count` bytes of words, a multiple of 16 and at most 16384. Each word gets what those that are 140, 791 and 3006 words before it add to
  ;; it, and takes its place in the window: what it is added to is 4 * 3006, 4 * (3006 - 140) and 4 * (3006 - 791) bytes behind the oldest.
  (func (export "fold") (param $count i32)
    (local $at i32)
    (loop $next
      (v128.store offset=12024 (local.get $at)
        (v128.xor
          (v128.xor
            (v128.load offset=28672 (local.get $at))
            (v128.load offset=11464 (local.get $at)))
          (v128.xor
            (v128.load offset=8860 (local.get $at))
            (v128.load (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $count))))
    (memory.copy (i32.const 0) (local.get $count) (i32.const 12024))))
