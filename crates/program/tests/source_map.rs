//! Line tables as clang writes them, and as nobody should.
//!
//! `data/isort-dwarf4.wasm` and `-dwarf5` are `data/isort.c` compiled by clang 19 with `--target=wasm32 -O1 -g -gdwarf-N -fno-builtin
//! -ffile-prefix-map=…=/src -nostdlib -Wl,--no-entry -Wl,--export=isort`.

use slowpath_program::source_map::SourceMap;

const DWARF4: &[u8] = include_bytes!("data/isort-dwarf4.wasm");
const DWARF5: &[u8] = include_bytes!("data/isort-dwarf5.wasm");

#[test]
fn offsets_are_located_in_both_versions() {
    for wasm in [DWARF4, DWARF5] {
        let map = SourceMap::from_wasm(wasm);
        assert!(map.notes().is_empty());
        assert_eq!(map.files().iter().map(|file| file.as_ref()).collect::<Vec<_>>(), ["isort.c"]);
        let line = |offset| map.locate(offset).map(|place| (place.line, place.column));
        assert_eq!(line(2), None, "before the function");
        assert_eq!(line(3), Some((1, 0)));
        assert_eq!(line(0x25), Some((3, 17)));
        assert_eq!(line(0x2c), Some((3, 0)), "made up by the compiler, within line 3");
        assert_eq!(line(0x44), Some((5, 25)));
        assert_eq!(line(0x45), Some((5, 25)));
        assert_eq!(line(0xae), Some((11, 1)));
        assert_eq!(line(0xaf), None, "behind the function");
        assert_eq!(map.locate(0x54).unwrap().to_string(), "isort.c:6");
    }
}

#[test]
fn a_line_has_one_offset_for_each_run_of_its_code() {
    let map = SourceMap::from_wasm(DWARF5);
    assert_eq!(map.rows_of("isort.c", 5), [0x44, 0x5e]);
    assert_eq!(map.rows_of("isort.c", 2), [0x0c, 0x92]);
    assert_eq!(map.rows_of("isort.c", 6), [0x54]);
    assert!(map.rows_of("isort.c", 4).is_empty());
    assert!(map.rows_of("sort.c", 6).is_empty());
    assert_eq!(map.lines_of("isort.c"), [1, 2, 3, 5, 6, 9, 11]);
}

/// Damaged debug information must neither panic nor hang; what it yields does not matter.
#[test]
fn damaged_line_tables_are_survived() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for wasm in [DWARF4, DWARF5] {
        let start = wasm.windows(11).position(|window| window == b".debug_line").unwrap();
        for _ in 0..5000 {
            let mut damaged = wasm.to_vec();
            for _ in 0..1 + random(8) {
                let at = start + random(damaged.len() - start);
                damaged[at] = match random(3) {
                    0 => 0xff,
                    1 => 0,
                    _ => random(256) as u8,
                };
            }
            damaged.truncate(damaged.len() - random(3) * random(40));
            let map = SourceMap::from_wasm(&damaged);
            for offset in [0, 3, 0x44, 0xffff_ffff] {
                let _ = map.locate(offset);
            }
            let _ = (map.rows_of("isort.c", 5), map.lines_of("isort.c"), map.files());
        }
    }
}
