//! What the process holds of the machine's memory, watched from beside: terms, states, pages, Z3 and everything else.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use slowpath_search::Gauge;

/// What has the process's allocator give back what nobody uses. There is one allocator in a process, and whoever chose it knows.
static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Tells once how memory is given back to the system; without it, an allocator does so when it likes.
pub fn give_back_with(release: fn()) {
    let _ = GIVE_BACK.set(release);
}

/// How often the watcher looks. A search allocates some hundred megabytes a second at most, Z3 a thousand; what a program writes to, which goes faster,
/// asks before (`Gauge`).
const TICK: Duration = Duration::from_millis(5);
/// A search that was stopped may go on once it holds no more than this part of its limit.
const ENOUGH_FREED: f64 = 0.8;
/// How long to wait for that.
const RECOVERY: Duration = Duration::from_millis(500);
/// How much sooner a search is stopped than its limit says, since it ends only where it next looks: this part of the limit, and at most so much.
const SOONER: u64 = 4;
const SOONEST: u64 = 32 << 20;
/// The part of the memory that is free which a search takes unless told otherwise.
const USUAL_SHARE: u64 = 2;
/// What it takes where nothing can be found out.
const USUAL: u64 = 2 << 30;
/// What it takes by effort, whatever the machine has.
const BY_EFFORT: u64 = 4 << 30;
/// And at least.
const LEAST: u64 = 128 << 20;

/// Bytes that a search may hold: what the user says; by effort always as much, so that the result is the same everywhere; else a share of what is
/// free now.
pub(crate) fn limit(asked: Option<u64>, by_effort: bool) -> u64 {
    let share = || free().map_or(USUAL, |free| (free / USUAL_SHARE).max(LEAST));
    asked.unwrap_or_else(|| if by_effort { BY_EFFORT } else { share() })
}

/// Sets a flag for as long as the process holds more than it may, beyond what it held at first.
pub(crate) struct MemoryWatch {
    gauge: Option<Arc<dyn Gauge>>,
    full: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// Watches from now on, what was taken since an earlier moment (`held_now`) included. Of its limit a search has three quarters in any case: where that is little,
    /// what it takes to compile a program is more.
    pub(crate) fn start(limit: u64, at_first: Option<u64>) -> MemoryWatch {
        let (full, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let at_first = at_first.zip(held_now()).map(|(before, now)| before.max(now.saturating_sub(limit / 4)));
        let held =
            |at_first: u64| Held { most: at_first + limit, enough: at_first + enough(limit), full: Arc::clone(&full) };
        let gauge = at_first.map(|at_first| Arc::new(held(at_first)) as Arc<dyn Gauge>);
        let watcher = at_first.map(|at_first| {
            let (full, done) = (Arc::clone(&full), Arc::clone(&done));
            thread::spawn(move || watch(at_first, limit, &full, &done))
        });
        MemoryWatch { gauge, full, done, watcher }
    }

    /// Asked by whoever takes much at once; none where the system does not tell.
    pub(crate) fn gauge(&self) -> Option<Arc<dyn Gauge>> {
        self.gauge.clone()
    }

    /// Set while too much is held.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.full)
    }
}

/// What the process may hold in all.
#[derive(Debug)]
struct Held {
    most: u64,
    /// With so much, a search that was stopped may go on.
    enough: u64,
    full: Arc<AtomicBool>,
}

impl Gauge for Held {
    fn has_room(&self, bytes: u64) -> bool {
        held_now().is_none_or(|held| held.saturating_add(bytes) <= self.most)
    }

    fn recover(&self) {
        let begun = Instant::now();
        while begun.elapsed() < RECOVERY {
            if let Some(release) = GIVE_BACK.get() {
                release();
            }
            if held_now().is_none_or(|held| held <= self.enough) {
                self.full.store(false, Ordering::Relaxed);
                return;
            }
            thread::sleep(TICK);
        }
    }
}

/// When a search is stopped: somewhat before its limit.
fn stopped_at(limit: u64) -> u64 {
    limit - (limit / SOONER).min(SOONEST)
}

/// When it may go on.
fn enough(limit: u64) -> u64 {
    (stopped_at(limit) as f64 * ENOUGH_FREED) as u64
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // A watcher that failed has nothing left to say.
            let _ = watcher.join();
        }
    }
}

fn watch(at_first: u64, limit: u64, full: &AtomicBool, done: &AtomicBool) {
    let (limit, enough) = (stopped_at(limit), enough(limit));
    while !done.load(Ordering::Acquire) {
        let held = held_now().unwrap_or(0).saturating_sub(at_first);
        if held > limit {
            full.store(true, Ordering::Relaxed);
        } else if held <= enough {
            full.store(false, Ordering::Relaxed);
        }
        thread::park_timeout(TICK);
    }
}

/// Bytes of memory the process holds; none where the system does not tell. Pages of files, its own code, are not counted where they are told apart: the
/// system takes them back when it needs them.
pub(crate) fn held_now() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    match (field(&status, "RssAnon:"), field(&status, "RssShmem:")) {
        (Some(own), Some(shared)) => Some(own + shared),
        _ => field(&status, "VmRSS:"),
    }
}

/// Bytes of memory that can be had: of the machine, and of the control groups the process is in.
fn free() -> Option<u64> {
    let machine = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(free_in_groups(Path::new("/sys/fs/cgroup"), &groups).map_or(machine, |group| group.min(machine)))
}

/// Bytes that are left of the tightest limit of the process's group and those around it, where `groups` is `/proc/self/cgroup`.
///
/// Pages of files that nobody used lately count as left: the system takes them back first.
fn free_in_groups(root: &Path, groups: &str) -> Option<u64> {
    let of_group = |folder: &Path, names: [&str; 2], stale: &str| {
        let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
        let stale = text("memory.stat")
            .and_then(|all| all.lines().find_map(|line| line.strip_prefix(stale)?.trim().parse::<u64>().ok()));
        let held = number(names[1])?.saturating_sub(stale.unwrap_or(0));
        Some(number(names[0])?.saturating_sub(held))
    };
    let mut least: Option<u64> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        // The newer hierarchy has one line, without a controller; the older one a folder and a line for each.
        let (root, names, stale) = match controllers {
            "" => (root.to_owned(), ["memory.max", "memory.current"], "inactive_file "),
            "memory" => {
                let names = ["memory.limit_in_bytes", "memory.usage_in_bytes"];
                (root.join("memory"), names, "total_inactive_file ")
            }
            _ => continue,
        };
        // In a container the path may be that outside of it, which is not there: the container's own group is at the root.
        let inner = root.join(path.trim_start_matches('/'));
        let around = inner.ancestors().take_while(|folder| folder.starts_with(&root));
        least = around.filter_map(|folder| of_group(folder, names, stale)).chain(least).min();
    }
    least
}

/// A line such as `VmRSS:  123 kB`, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_set_while_more_is_held_than_allowed() {
        let watch = MemoryWatch::start(32 << 20, held_now());
        if watch.watcher.is_none() {
            return;
        }
        assert!(!watch.flag().load(Ordering::Relaxed));
        let gauge = watch.gauge().unwrap();
        assert!(gauge.has_room(1 << 10) && !gauge.has_room(1 << 30));
        let block = vec![1_u8; 256 << 20];
        let waited = (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            watch.flag().load(Ordering::Relaxed)
        });
        assert!(waited && block[77] == 1);
        gauge.recover();
        assert!(watch.flag().load(Ordering::Relaxed), "it is still held");
        drop(block);
        gauge.recover();
        assert!(!watch.flag().load(Ordering::Relaxed), "others may go on");
    }

    #[test]
    fn the_tightest_of_all_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let group = |path: &str, files: &[(&str, &str)]| {
            let folder = root.path().join(path);
            fs::create_dir_all(&folder).unwrap();
            files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        };
        let free = |groups: &str| free_in_groups(root.path(), groups);
        assert_eq!(free("0::/user.slice/a.scope\n"), None, "no limit is told");
        let stat = "anon 5\ninactive_file 40\nactive_file 7\n";
        group("user.slice", &[("memory.max", "1000\n"), ("memory.current", "300\n"), ("memory.stat", stat)]);
        group("user.slice/a.scope", &[("memory.max", "max\n"), ("memory.current", "100\n")]);
        assert_eq!(free("0::/user.slice/a.scope\n"), Some(740), "that of the group around it");
        group("", &[("memory.max", "500"), ("memory.current", "600")]);
        assert_eq!(free("0::/not/here\n"), Some(0), "a container's own is at the root");
        let older = [("memory.limit_in_bytes", "90"), ("memory.usage_in_bytes", "20")];
        group("memory/docker/x", &older);
        assert_eq!(free("4:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n"), Some(70));
    }

    #[test]
    fn fields_are_read_in_bytes() {
        assert_eq!(field("a: 1 kB\nVmRSS:\t  12 kB\n", "VmRSS:"), Some(12 * 1024));
        assert_eq!(field("VmRSS: x", "VmRSS:"), None);
    }
}
