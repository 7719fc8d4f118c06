;; The loop of crc32.js, which explains it. A word has 4 bytes, a vector 4 words.
;;
;; Memory: the window is at 0 and begins with the 3006 words (12024 bytes) that were removed last; the input is at 28672.
(module
  (memory (export "memory") 1)

  ;; Removes `count` bytes of input: a multiple of 16, at most 16384. A word is XORed with the words 140, 791 and 3006 places before it and
  ;; stored in the window. There the oldest of these is at $at, and the others 4 * (3006 - 791) and 4 * (3006 - 140) bytes after it; the new word goes
  ;; 4 * 3006 bytes after it.
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
