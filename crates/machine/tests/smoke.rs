use slowpath_machine::*;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_term::Terms;
use std::sync::Arc;

#[test]
fn runs_factorial() {
    let wasm = wat::parse_str(
        r#"(module (func (export "f") (param i32) (result i32)
      (local i32) (local.set 1 (i32.const 1))
      (loop (if (i32.gt_s (local.get 0) (i32.const 0)) (then
         (local.set 1 (i32.mul (local.get 1) (local.get 0)))
         (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 1))))
      (local.get 1)))"#,
    )
    .unwrap();
    let program = Arc::new(load(&wasm, &Probes::default()).unwrap());
    let mut terms = Terms::new();
    let entry = Entry::Call(CallSpec::parse("f(n)").unwrap());
    let f = program.find_function("f").unwrap();
    let mut s =
        start::<Concrete>(&mut terms, &program, f, &entry, 5, InputSource::Symbolic, Limits::default()).unwrap().state;
    let e = s.run(&mut terms);
    assert!(matches!(e, Event::Done(Outcome::Returned)), "{e:?}");
    assert_eq!(s.results(), &[120]);
    println!("{:?}", s.meter.costs());
}
