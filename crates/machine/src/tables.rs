//! Table instructions.

use std::rc::Rc;

use slowpath_program::Trap;
use slowpath_term::Terms;

use crate::access::trapped;
use crate::mode::Mode;
use crate::question::Event;
use crate::state::State;
use crate::step::Flow;

const WHY: &str = "a symbolic operand of a table instruction";

impl<M: Mode> State<M> {
    fn table_at(&self, table: u32) -> usize {
        self.frames.last().map_or(0, |f| self.store.instance(f.instance).tables[table as usize] as usize)
    }

    pub(crate) fn table_get(&mut self, terms: &mut Terms, d: u32, a: u32, table: u32) -> Result<Flow, Event> {
        let index = self.reg(a);
        let index = self.pin(terms, index, WHY)? as u32 as usize;
        match self.tables[self.table_at(table)].get(index) {
            Some(entry) => {
                let entry = M::value(*entry);
                self.set_reg(d, entry);
                Ok(Flow::Next)
            }
            None => trapped(Trap::TableOutOfBounds),
        }
    }

    pub(crate) fn table_set(&mut self, terms: &mut Terms, table: u32, index: u32, value: u32) -> Result<Flow, Event> {
        let (index, value) = (self.reg(index), M::bits(self.reg(value)).unwrap_or(0));
        let index = self.pin(terms, index, WHY)? as u32 as usize;
        let at = self.table_at(table);
        match Rc::make_mut(&mut self.tables[at]).get_mut(index) {
            Some(entry) => {
                *entry = value;
                Ok(Flow::Next)
            }
            None => trapped(Trap::TableOutOfBounds),
        }
    }

    pub(crate) fn table_size(&mut self, _: &mut Terms, d: u32, table: u32) -> Result<Flow, Event> {
        let size = self.tables[self.table_at(table)].len() as u64;
        self.set_reg(d, M::value(size));
        Ok(Flow::Next)
    }

    pub(crate) fn table_grow(&mut self, terms: &mut Terms, at: u32, table: u32) -> Result<Flow, Event> {
        let init = M::bits(self.reg(at)).unwrap_or(0);
        let delta = self.reg(at + 1);
        let delta = u64::from(self.pin(terms, delta, WHY)? as u32);
        let index = self.table_at(table);
        let old = self.tables[index].len() as u64;
        let max = self.store.table_types[index].1.map_or(u64::from(u32::MAX), u64::from).min(self.limits.table);
        self.meter.raw.instructions += delta;
        let result = if old + delta > max || self.table_elements() + delta > self.limits.all_tables() {
            u64::from(u32::MAX)
        } else {
            Rc::make_mut(&mut self.tables[index]).resize((old + delta) as usize, init);
            old
        };
        self.set_reg(at, M::value(result));
        Ok(Flow::Next)
    }

    pub(crate) fn table_fill(&mut self, terms: &mut Terms, at: u32, table: u32) -> Result<Flow, Event> {
        let [to, value, len] = self.table_operands(terms, at)?;
        self.meter.raw.instructions += len;
        let index = self.table_at(table);
        if to + len > self.tables[index].len() as u64 {
            return trapped(Trap::TableOutOfBounds);
        }
        Rc::make_mut(&mut self.tables[index])[to as usize..(to + len) as usize].fill(value);
        Ok(Flow::Next)
    }

    pub(crate) fn table_copy(&mut self, terms: &mut Terms, at: u32, to: u32, from: u32) -> Result<Flow, Event> {
        let [d, s, len] = self.table_operands(terms, at)?;
        self.meter.raw.instructions += len;
        let (to, from) = (self.table_at(to), self.table_at(from));
        if s + len > self.tables[from].len() as u64 || d + len > self.tables[to].len() as u64 {
            return trapped(Trap::TableOutOfBounds);
        }
        let piece = self.tables[from][s as usize..(s + len) as usize].to_vec();
        Rc::make_mut(&mut self.tables[to])[d as usize..(d + len) as usize].copy_from_slice(&piece);
        Ok(Flow::Next)
    }

    pub(crate) fn table_init(&mut self, terms: &mut Terms, at: u32, table: u32, segment: u32) -> Result<Flow, Event> {
        let [to, from, len] = self.table_operands(terms, at)?;
        self.meter.raw.instructions += len;
        let store = Rc::clone(&self.store);
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let instance = store.instance(frame.instance);
        let dropped = self.dropped_elements[(instance.first_element + segment) as usize];
        let items: &[u64] = if dropped { &[] } else { &instance.elements[segment as usize] };
        self.init_table(instance.tables[table as usize], items, to, from, len).or_else(trapped)?;
        Ok(Flow::Next)
    }

    pub(crate) fn elem_drop(&mut self, _: &mut Terms, segment: u32) -> Result<Flow, Event> {
        if let Some(frame) = self.frames.last() {
            let first = self.store.instance(frame.instance).first_element;
            Rc::make_mut(&mut self.dropped_elements)[(first + segment) as usize] = true;
        }
        Ok(Flow::Next)
    }

    /// Copies part of an element segment into a table.
    pub(crate) fn init_table(&mut self, table: u32, items: &[u64], to: u64, from: u64, len: u64) -> Result<(), Trap> {
        let entries = &mut self.tables[table as usize];
        if from + len > items.len() as u64 || to + len > entries.len() as u64 {
            return Err(Trap::TableOutOfBounds);
        }
        let piece = &items[from as usize..(from + len) as usize];
        Rc::make_mut(entries)[to as usize..(to + len) as usize].copy_from_slice(piece);
        Ok(())
    }

    /// Three operands; the middle one may be a reference, which is never symbolic.
    fn table_operands(&mut self, terms: &mut Terms, at: u32) -> Result<[u64; 3], Event> {
        let middle = self.reg(at + 1);
        let middle = self.pin(terms, middle, WHY)?;
        let [first, _, last] = self.plain3(terms, at, WHY)?;
        Ok([first, middle, last])
    }
}
