//! As much of proptest as the exported tests use: a few draws, none of them random.

pub mod prelude {
    pub use crate::{any, prop_assert, proptest, Strategy};
}

pub trait Strategy: Sized {
    type Value;
    fn draw(&self, seed: u64) -> Self::Value;
    fn prop_map<O, F: Fn(Self::Value) -> O>(self, f: F) -> Map<Self, F> {
        Map(self, f)
    }
    fn prop_flat_map<S: Strategy, F: Fn(Self::Value) -> S>(self, f: F) -> Flat<Self, F> {
        Flat(self, f)
    }
}

pub struct Map<S, F>(S, F);
impl<S: Strategy, O, F: Fn(S::Value) -> O> Strategy for Map<S, F> {
    type Value = O;
    fn draw(&self, seed: u64) -> O {
        (self.1)(self.0.draw(seed))
    }
}

pub struct Flat<S, F>(S, F);
impl<S: Strategy, T: Strategy, F: Fn(S::Value) -> T> Strategy for Flat<S, F> {
    type Value = T::Value;
    fn draw(&self, seed: u64) -> T::Value {
        (self.1)(self.0.draw(seed)).draw(seed)
    }
}

pub struct Any<T>(std::marker::PhantomData<T>);
pub fn any<T>() -> Any<T> {
    Any(std::marker::PhantomData)
}
impl Strategy for Any<bool> {
    type Value = bool;
    fn draw(&self, seed: u64) -> bool {
        seed & 1 == 1
    }
}

macro_rules! numbers {
    ($($ty:ty),*) => { $(
        impl Strategy for Any<$ty> {
            type Value = $ty;
            fn draw(&self, seed: u64) -> $ty { seed as $ty }
        }
        impl Strategy for std::ops::RangeInclusive<$ty> {
            type Value = $ty;
            fn draw(&self, seed: u64) -> $ty { if seed & 1 == 1 { *self.end() } else { *self.start() } }
        }
    )* };
}
numbers!(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

macro_rules! tuples {
    ($($name:ident $at:tt),*) => {
        impl<$($name: Strategy),*> Strategy for ($($name,)*) {
            type Value = ($($name::Value,)*);
            fn draw(&self, seed: u64) -> Self::Value { ($(self.$at.draw(seed),)*) }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);

pub mod collection {
    use crate::Strategy;

    pub struct Elements<S>(S, usize);
    pub fn vec<S: Strategy>(of: S, count: usize) -> Elements<S> {
        Elements(of, count)
    }
    impl<S: Strategy> Strategy for Elements<S> {
        type Value = Vec<S::Value>;
        fn draw(&self, seed: u64) -> Vec<S::Value> {
            (0..self.1 as u64).map(|i| self.0.draw(seed + i)).collect()
        }
    }
}

#[macro_export]
macro_rules! prop_assert {
    ($($all:tt)*) => { assert!($($all)*) };
}

#[macro_export]
macro_rules! proptest {
    ($(#[test] fn $name:ident($input:pat in $strategy:expr) $body:block)*) => {
        $(#[test] fn $name() {
            for seed in 0..4 {
                let $input = $crate::Strategy::draw(&$strategy, seed);
                $body
            }
        })*
    };
}
