//! What the functions of the host do: slowpath's own (`slowpath.h`), WASI, and stubs.

mod files;
mod inputs;
mod ours;
mod stub;
mod wasi;

use slowpath_program::call::ElemType;
use slowpath_term::Terms;

use crate::host::HostFunc;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::Event;
use crate::state::State;

impl<M: Mode> State<M> {
    /// Executes a host function; arguments and results are at `at`.
    pub(crate) fn call_host(&mut self, terms: &mut Terms, host: HostFunc, at: u32) -> Result<(), Event> {
        match host {
            HostFunc::MakeSymbolic => self.make_array(terms, at, ElemType::U8),
            HostFunc::Array(ty) => self.make_array(terms, at, ty),
            HostFunc::Scalar(ty) => self.make_scalar(terms, at, ty),
            HostFunc::Assume => self.assume(terms, at),
            HostFunc::Cost => {
                let k = self.reg(at);
                let k = self.pin(terms, k, "a symbolic cost")? as u32;
                self.meter.raw.custom = self.meter.raw.custom.saturating_add(u64::from(k));
                Ok(())
            }
            HostFunc::Begin => {
                if self.meter.begin() {
                    self.probes.fill(0);
                    self.profile.clear();
                }
                Ok(())
            }
            HostFunc::End => {
                self.meter.end();
                Ok(())
            }
            HostFunc::Panic => self.panicked(terms, at),
            HostFunc::Thrown => self.thrown(terms, at),
            HostFunc::InFlight => self.in_flight(terms, at),
            HostFunc::Wasi(wasi) => self.wasi(terms, wasi, at),
            HostFunc::Stub(place) => self.stub(terms, place as usize, at),
            HostFunc::Nothing => Ok(()),
        }
    }
}
