fn main() {
    let s: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{}", slowpath_conformance::woven::module(s));
}
