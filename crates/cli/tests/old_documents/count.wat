;; The program of count.json: a loop whose length the input decides. As text, so that any machine builds the same module.
(module (memory 1)
  (func $count (export "count") (param $n i32) (param $x i32) (result i32) (local $i i32)
    (loop $again
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.and (i32.lt_s (local.get $i) (local.get $x)) (i32.lt_s (local.get $i) (local.get $n)))))
    (local.get $i)))
