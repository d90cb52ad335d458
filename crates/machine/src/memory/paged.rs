//! Copy-on-write memory with terms laid over the bytes, for exploration.
//!
//! Two levels: a memory is a list of chunks (256 KiB), a chunk a list of pages (1 KiB). Forking copies the list of
//! chunks; the first write after a fork copies one list of pages and one page. A page that holds symbolic bytes has
//! `Cells`: for each byte the term it belongs to and which byte of it this is, so that loading back what was stored
//! gives the same term.

use std::rc::Rc;

use slowpath_term::{Node, TermId, Terms};
use smallvec::SmallVec;

use super::{Memory, WASM_PAGE};
use crate::value::{Form, Value};

const PAGE: usize = 1024;
const PAGE_BITS: u32 = 10;
const CHUNK_PAGES: usize = 256;
const CHUNK_BITS: u32 = 18;

#[derive(Clone)]
struct Page {
    bytes: [u8; PAGE],
    cells: Option<Box<Cells>>,
}

/// The symbolic bytes of a page. A lane is 0 for a plain byte, else `index << 4 | size` within its term.
#[derive(Clone)]
struct Cells {
    lanes: [u8; PAGE],
    terms: [Option<TermId>; PAGE],
}

/// One byte, however it is held.
#[derive(Clone, Copy)]
struct Cell {
    byte: u8,
    lane: u8,
    term: Option<TermId>,
}

#[derive(Clone)]
struct Chunk {
    pages: [Rc<Page>; CHUNK_PAGES],
}

/// A paged memory; cloning it is a fork.
#[derive(Clone)]
pub struct PagedMemory {
    chunks: Vec<Rc<Chunk>>,
    size: u64,
    /// Bytes that pages may still take.
    room: u64,
}

/// What a page takes that is made for a write, with a part of the list it is in; and what its cells take besides.
const PAGE_TAKES: u64 = PAGE as u64 + 64;
const CELLS_TAKE: u64 = size_of::<Cells>() as u64;
/// What a store of a few bytes takes at most: it may lie in two pages.
const LEAST_ROOM: u64 = 2 * (PAGE_TAKES + CELLS_TAKE);

/// The lanes of an untouched term of `bytes` bytes, as one little-endian number.
#[inline(always)]
const fn lanes_of(bytes: u8) -> u64 {
    match bytes {
        1 => 0x01,
        2 => 0x1202,
        4 => 0x3424_1404,
        _ => 0x7868_5848_3828_1808,
    }
}

#[inline(always)]
fn le(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)),
    }
}

impl PagedMemory {
    #[inline(always)]
    fn page(&self, addr: u64) -> &Page {
        &self.chunks[(addr >> CHUNK_BITS) as usize].pages[(addr >> PAGE_BITS) as usize % CHUNK_PAGES]
    }

    #[inline(always)]
    fn page_mut(&mut self, addr: u64) -> &mut Page {
        let chunk = Rc::make_mut(&mut self.chunks[(addr >> CHUNK_BITS) as usize]);
        let page = &mut chunk.pages[(addr >> PAGE_BITS) as usize % CHUNK_PAGES];
        if Rc::strong_count(page) != 1 {
            let cells = if page.cells.is_some() { CELLS_TAKE } else { 0 };
            self.room = self.room.saturating_sub(PAGE_TAKES + cells);
        }
        Rc::make_mut(page)
    }

    /// Books the cells of a page, if they were made just now.
    #[inline(always)]
    fn take_cells(&mut self, made: bool) {
        if made {
            self.room = self.room.saturating_sub(CELLS_TAKE);
        }
    }

    /// Whether a few bytes lie in one page that nobody else has, and that has cells: then writing there takes nothing.
    #[inline]
    fn owns(&self, addr: u64, bytes: u8) -> bool {
        let at = addr as usize % PAGE;
        if addr >= self.size || at + usize::from(bytes) > PAGE {
            return false;
        }
        let chunk = &self.chunks[(addr >> CHUNK_BITS) as usize];
        let page = &chunk.pages[(addr >> PAGE_BITS) as usize % CHUNK_PAGES];
        Rc::strong_count(chunk) == 1 && Rc::strong_count(page) == 1 && page.cells.is_some()
    }

    /// Bytes that writing a range takes: its pages as far as others have them too, and so much for each that has no cells.
    #[cold]
    fn pages_take(&self, addr: u64, len: u64, without_cells: u64) -> u64 {
        if len == 0 || !Memory::<Value>::in_bounds(self, addr, len) {
            return 0;
        }
        let of_page = |addr: u64| {
            let chunk = &self.chunks[(addr >> CHUNK_BITS) as usize];
            let page = &chunk.pages[(addr >> PAGE_BITS) as usize % CHUNK_PAGES];
            let is_shared = Rc::strong_count(chunk) != 1 || Rc::strong_count(page) != 1;
            match (is_shared, page.cells.is_some()) {
                (true, true) => PAGE_TAKES + CELLS_TAKE,
                (true, false) => PAGE_TAKES + without_cells,
                (false, true) => 0,
                (false, false) => without_cells,
            }
        };
        (addr >> PAGE_BITS..=(addr + len - 1) >> PAGE_BITS).map(|page| of_page(page << PAGE_BITS)).sum()
    }

    fn cell(&self, addr: u64) -> Cell {
        let (page, at) = (self.page(addr), addr as usize % PAGE);
        match &page.cells {
            None => Cell { byte: page.bytes[at], lane: 0, term: None },
            Some(cells) => Cell { byte: page.bytes[at], lane: cells.lanes[at], term: cells.terms[at] },
        }
    }

    /// What a byte holds, as a number: equal exactly where plain bytes are, or parts of terms. Outside it is zero.
    pub(crate) fn content(&self, addr: u64) -> u64 {
        if addr >= self.size {
            return 0;
        }
        let cell = self.cell(addr);
        match cell.term {
            Some(term) if cell.lane != 0 => 1 << 63 | u64::from(cell.lane) << 32 | u64::from(term.raw().get()),
            _ => cell.byte.into(),
        }
    }

    /// The term that a byte is part of.
    pub(crate) fn term(&self, addr: u64) -> Option<TermId> {
        if addr >= self.size {
            return None;
        }
        let cell = self.cell(addr);
        cell.term.filter(|_| cell.lane != 0)
    }

    fn set_cell(&mut self, addr: u64, cell: Cell) {
        let (page, at) = (self.page_mut(addr), addr as usize % PAGE);
        page.bytes[at] = cell.byte;
        if cell.lane != 0 {
            let taken = page.cells.is_none();
            let cells = page.cells_mut();
            cells.lanes[at] = cell.lane;
            cells.terms[at] = cell.term;
            self.take_cells(taken);
        } else if let Some(cells) = &mut page.cells {
            cells.lanes[at] = 0;
        }
    }

    /// Bytes of mixed origin, put together one by one.
    #[cold]
    fn load_bytes(&self, terms: &mut Terms, addr: u64, bytes: u8) -> Value {
        let cells: SmallVec<[Cell; 8]> = (0..u64::from(bytes)).map(|i| self.cell(addr + i)).collect();
        if cells.iter().all(|cell| cell.lane == 0) {
            return Value::plain(cells.iter().rev().fold(0, |n, cell| n << 8 | u64::from(cell.byte)));
        }
        let mut whole: Option<TermId> = None;
        for cell in cells {
            let byte = match cell.term {
                Some(t) if cell.lane != 0 => terms.extract(t, (cell.lane >> 4) * 8, 8),
                _ => terms.constant(8, u64::from(cell.byte)),
            };
            whole = Some(match whole {
                None => byte,
                Some(low) => terms.concat(byte, low),
            });
        }
        match whole {
            Some(t) => Value::from_term(terms, t),
            None => Value::plain(0),
        }
    }

    /// Copies a piece that lies in one page on both sides; they may overlap.
    fn copy_piece(&mut self, to: u64, from: u64, n: usize) {
        let (d, s) = (to as usize % PAGE, from as usize % PAGE);
        if self.page(from).cells.is_none() {
            let bytes = self.page(from).bytes;
            let page = self.page_mut(to);
            page.bytes[d..d + n].copy_from_slice(&bytes[s..s + n]);
            if let Some(cells) = &mut page.cells {
                cells.lanes[d..d + n].fill(0);
            }
            return;
        }
        let cells: Vec<Cell> = (0..n as u64).map(|i| self.cell(from + i)).collect();
        for (i, cell) in cells.into_iter().enumerate() {
            self.set_cell(to + i as u64, cell);
        }
    }

    /// Calls `f` on each piece of a range that lies in one page: address, length.
    fn pieces(addr: u64, len: u64, mut f: impl FnMut(u64, usize)) {
        let mut at = addr;
        while at < addr + len {
            let piece = (PAGE as u64 - at % PAGE as u64).min(addr + len - at);
            f(at, piece as usize);
            at += piece;
        }
    }
}

impl Page {
    fn cells_mut(&mut self) -> &mut Cells {
        self.cells.get_or_insert_with(|| Box::new(Cells { lanes: [0; PAGE], terms: [None; PAGE] }))
    }
}

impl Memory<Value> for PagedMemory {
    fn new(pages: u32) -> PagedMemory {
        let mut memory = PagedMemory { chunks: Vec::new(), size: 0, room: u64::MAX };
        Memory::<Value>::grow(&mut memory, pages);
        memory
    }

    fn pages(&self) -> u32 {
        (self.size / WASM_PAGE) as u32
    }

    fn grow(&mut self, delta: u32) {
        self.size += u64::from(delta) * WASM_PAGE;
        let chunks = self.size.div_ceil(1 << CHUNK_BITS) as usize;
        if chunks > self.chunks.len() {
            let zero = Rc::new(Page { bytes: [0; PAGE], cells: None });
            let chunk = Rc::new(Chunk { pages: std::array::from_fn(|_| Rc::clone(&zero)) });
            self.chunks.resize(chunks, chunk);
        }
    }

    #[inline(always)]
    fn load(&self, terms: &mut Terms, addr: u64, bytes: u8) -> Option<Value> {
        let n = bytes as usize;
        if addr > self.size || self.size - addr < u64::from(bytes) {
            return None;
        }
        let at = addr as usize % PAGE;
        if at + n > PAGE {
            return Some(self.load_bytes(terms, addr, bytes));
        }
        let page = self.page(addr);
        let Some(cells) = &page.cells else {
            return Some(Value::plain(le(&page.bytes[at..at + n])));
        };
        let lanes = le(&cells.lanes[at..at + n]);
        if lanes == 0 {
            return Some(Value::plain(le(&page.bytes[at..at + n])));
        }
        let first = cells.terms[at];
        if lanes == lanes_of(bytes) && cells.terms[at..at + n].iter().all(|t| *t == first) {
            return Some(first.map_or(Value::plain(0), Value::open));
        }
        Some(self.load_bytes(terms, addr, bytes))
    }

    #[inline(always)]
    fn store(&mut self, terms: &mut Terms, addr: u64, bytes: u8, value: Value) -> bool {
        let n = bytes as usize;
        if addr > self.size || self.size - addr < u64::from(bytes) {
            return false;
        }
        let at = addr as usize % PAGE;
        if let Form::Plain(bits) = value.form() {
            let plain = bits.to_le_bytes();
            if at + n <= PAGE {
                let page = self.page_mut(addr);
                page.bytes[at..at + n].copy_from_slice(&plain[..n]);
                if let Some(cells) = &mut page.cells {
                    cells.lanes[at..at + n].fill(0);
                }
            } else {
                for (i, byte) in plain[..n].iter().enumerate() {
                    self.set_cell(addr + i as u64, Cell { byte: *byte, lane: 0, term: None });
                }
            }
            return true;
        }
        let term = value.to_term(terms, 32);
        let term = if terms.width(term) == bytes * 8 { term } else { terms.extract(term, 0, bytes * 8) };
        if let Some(bits) = terms.as_const(term) {
            return self.store(terms, addr, bytes, Value::plain(bits));
        }
        // A part of a word is held as such, so that the parts, once side by side again, are the word.
        if let Node::Extract { lo, a: whole, .. } = terms.node(term)
            && let (0, size @ (2 | 4 | 8), 0) = (lo % 8, terms.width(whole) / 8, terms.width(whole) % 8)
        {
            for i in 0..bytes {
                let lane = (lo / 8 + i) << 4 | size;
                self.set_cell(addr + u64::from(i), Cell { byte: 0, lane, term: Some(whole) });
            }
            return true;
        }
        if at + n <= PAGE {
            let page = self.page_mut(addr);
            let taken = page.cells.is_none();
            let cells = page.cells_mut();
            cells.lanes[at..at + n].copy_from_slice(&lanes_of(bytes).to_le_bytes()[..n]);
            cells.terms[at..at + n].fill(Some(term));
            self.take_cells(taken);
        } else {
            for i in 0..bytes {
                self.set_cell(addr + u64::from(i), Cell { byte: 0, lane: i << 4 | bytes, term: Some(term) });
            }
        }
        true
    }

    fn read(&self, addr: u64, len: u64) -> Option<Vec<u8>> {
        if !Memory::<Value>::in_bounds(self, addr, len) {
            return None;
        }
        let mut out = Vec::with_capacity(len as usize);
        let mut plain = true;
        PagedMemory::pieces(addr, len, |at, n| {
            let (page, start) = (self.page(at), at as usize % PAGE);
            plain &= page.cells.as_ref().is_none_or(|c| c.lanes[start..start + n].iter().all(|l| *l == 0));
            out.extend_from_slice(&page.bytes[start..start + n]);
        });
        plain.then_some(out)
    }

    fn write(&mut self, addr: u64, bytes: &[u8]) -> bool {
        if !Memory::<Value>::in_bounds(self, addr, bytes.len() as u64) {
            return false;
        }
        PagedMemory::pieces(addr, bytes.len() as u64, |at, n| {
            let (page, start, from) = (self.page_mut(at), at as usize % PAGE, (at - addr) as usize);
            page.bytes[start..start + n].copy_from_slice(&bytes[from..from + n]);
            if let Some(cells) = &mut page.cells {
                cells.lanes[start..start + n].fill(0);
            }
        });
        true
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) -> bool {
        if !Memory::<Value>::in_bounds(self, to, len) || !Memory::<Value>::in_bounds(self, from, len) {
            return false;
        }
        // Forwards or backwards, so that no piece is overwritten before it is read.
        let page = PAGE as u64;
        if to <= from {
            let mut at = 0;
            while at < len {
                let n = (len - at).min(page - (from + at) % page).min(page - (to + at) % page);
                self.copy_piece(to + at, from + at, n as usize);
                at += n;
            }
        } else {
            let mut end = len;
            while end > 0 {
                let n = end.min((from + end - 1) % page + 1).min((to + end - 1) % page + 1);
                end -= n;
                self.copy_piece(to + end, from + end, n as usize);
            }
        }
        true
    }

    fn fill(&mut self, to: u64, byte: u8, len: u64) -> bool {
        if !Memory::<Value>::in_bounds(self, to, len) {
            return false;
        }
        PagedMemory::pieces(to, len, |at, n| {
            let (page, start) = (self.page_mut(at), at as usize % PAGE);
            page.bytes[start..start + n].fill(byte);
            if let Some(cells) = &mut page.cells {
                cells.lanes[start..start + n].fill(0);
            }
        });
        true
    }

    fn room(&self) -> u64 {
        self.room
    }

    fn set_room(&mut self, bytes: u64) {
        self.room = bytes;
    }

    fn takes(&self, addr: u64, len: u64) -> u64 {
        // A few bytes may be symbolic.
        self.pages_take(addr, len, if len <= 8 { CELLS_TAKE } else { 0 })
    }

    #[inline(always)]
    fn store_in_room(&mut self, terms: &mut Terms, addr: u64, bytes: u8, value: Value) -> bool {
        let has_room = self.room >= LEAST_ROOM
            || self.owns(addr, bytes)
            || Memory::<Value>::takes(self, addr, bytes.into()) <= self.room;
        has_room && self.store(terms, addr, bytes, value)
    }
}
