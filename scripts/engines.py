#!/usr/bin/env python3
"""Whoever explores, and whatever happens on the way: one document. Ten programs by threads, processes and Ray, in tasks of any length, with workers
killed, nodes removed, added and frozen, results doubled, late and out of order; and what Ray costs beside one process.

    cargo build --release --workspace
    scripts/engines.py [same] [tasks] [accidents] [removed] [frozen] [cpu] [remote] [islands]        without words: all of them

Makes an environment with the package and Ray (from the package index) in target/engines, and runs itself there. Ray listens on this machine only.
Processes that are frozen or killed are those that it started.
"""

import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target/engines"
PYTHON = ENVIRONMENT / "bin/python"
PROGRAMS_FOLDER = ROOT / "tests/programs"

#: File, options, sizes, and a size small enough for tasks of one step.
PROGRAMS = [
    ("isort.c", {"call": "isort(a: i32[n], n)"}, [3, 7], 4),
    ("quicksort.c", {"call": "quicksort(a: i32[n], n)"}, [3, 7], 4),
    ("merge_recursive.c", {"call": "merge_recursive(a: i32[n], n)"}, [3, 7], 4),
    ("heap.c", {"call": "heap_insert(keys: i32[n], n)"}, [3, 7], 5),
    ("bst.c", {"harness": "bst_search"}, [2, 6], 4),
    ("recursion.c", {"call": "explore(flags: u8[n], n)"}, [2, 8], 5),
    ("table_lookup.c", {"call": "chained_lookups(s: u8[n], n)"}, [1, 3], 2),
    ("bits.c", {"call": "tokens(s: u8[n], n)"}, [2, 5], 2),
    ("fp.c", {"call": "ascents(a: f32[n], n)"}, [3, 8], 4),
    ("two_loops.c", {"call": "two_loops(a: i32[n], n)"}, [2, 6], 4),
]
#: By time, and far more than is needed: by effort, one worker explores alone.
EXPLORE = {"strategy": "exhaustive", "budget": 1200}
#: The one whose exploration takes long enough for accidents, and how many steps its tasks have then.
LONG = ("isort.c", {"call": "isort(a: i32[n], n)"}, [10])
SHORT_TASKS = 1_000_000


def prepare():
    """An environment with the package as it was built, and Ray."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    if subprocess.run([PYTHON, "-c", "import ray, grpc"], capture_output=True).returncode != 0:
        subprocess.run([*pip, "ray[client]"], check=True)
    wheels = ENVIRONMENT / "wheels"
    subprocess.run([PYTHON, ROOT / "scripts/wheel.py", "--out", wheels], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*pip, "--force-reinstall", "--no-index", "--find-links", wheels, "slowpath"], check=True)


def compare(what, program, accident=None, **more):
    """Whether an analysis gives the document of one worker by itself, though there is an accident after a second."""
    import slowpath

    file, options, sizes = program[:3]
    expected = alone(program)
    analysis = slowpath.events(PROGRAMS_FOLDER / file, sizes=sizes, **options, **EXPLORE, **more)
    if accident is not None:
        time.sleep(1)
        accident()
        while analysis._run.next_event(0.1) is not None:
            pass
        assert not analysis._run.has_ended(), "it was over before the accident was"
    found = analysis.findings()
    same = outline(found) == expected
    if not same:
        print(f"DIFFERENT: {what}: {file}: {found.limits}")
        WRONG.append((what, file))
    return same


WRONG = []
ALONE = {}


def alone(program):
    import slowpath

    file, options, sizes = program[:3]
    key = (file, tuple(sizes))
    if key not in ALONE:
        found = slowpath.analyze(PROGRAMS_FOLDER / file, sizes=sizes, **options, **EXPLORE, jobs=1)
        assert found.worst.confidence == "exact", found
        ALONE[key] = outline(found)
    return ALONE[key]


def row(what, programs, make, accident=None):
    for program in programs:
        alone(program)
    begun = time.monotonic()
    same = sum(compare(what, program, accident, **make()) for program in programs)
    print(f"| {what} | {same} of {len(programs)} | {time.monotonic() - begun:.0f} s |", flush=True)


def same():
    import ray

    import slowpath.ray

    for jobs in (1, 2, 4):
        row(f"threads, {jobs}", PROGRAMS, lambda: {"jobs": jobs})
    row("processes, 2", PROGRAMS, lambda: {"engine": "processes", "jobs": 2})
    for workers in (1, 2, 4):
        slowpath.ray.connect(workers=workers)
        row(f"Ray, workers {workers}", PROGRAMS, lambda: {"engine": "ray"})
        ray.shutdown()


def tasks():
    import ray

    import slowpath.ray

    small = [(file, options, [size]) for file, options, _, size in PROGRAMS]
    slowpath.ray.connect(workers=2)
    for effort in (1, 7, 2**60):
        name = "no end" if effort == 2**60 else str(effort)
        row(f"Ray, 2 workers, effort of a task {name}", small, lambda: {"engine": slowpath.ray.Ray(task_effort=effort)})
        row(f"doubled, lost, out of order, effort {name}", small, lambda: {"engine": Careless(task_effort=effort)})
    ray.shutdown()


def accidents():
    import ray

    import slowpath.ray

    slowpath.ray.connect(workers=2)
    killed = []

    def dying():
        killed.append(deadly(task_effort=20_000))
        return {"engine": killed[-1]}

    row("Ray, 5 % of tasks kill their worker", PROGRAMS, dying)
    print(f"  workers killed: {sum(engine.killed for engine in killed)}")
    row("Ray, results late, doubled, out of order", PROGRAMS, lambda: {"engine": late(slowpath.ray.Ray)(task_effort=20_000)})
    ray.shutdown()


def late(base):
    """Ray, whose results come up to a second late, and some twice."""
    import random
    import threading

    class Late(base):
        chance = random.Random(1)

        def _take(self, *result):
            if self.chance.random() < 0.2:
                threading.Timer(self.chance.random(), super()._take, result).start()
            else:
                super()._take(*result)
            if self.chance.random() < 0.1:
                super()._take(*result)

    return Late


def remote():
    """A cluster that somebody else started, by its address: `ray://`. It has a network of its own, in which there is only this machine."""
    if os.environ.get("SLOWPATH_ALONE") is None:
        environment = {**os.environ, "SLOWPATH_ALONE": "1", "RAY_USAGE_STATS_ENABLED": "0"}
        # It asks for a token, as `ray start` does by itself from 2.59 on; older ones do not know of it.
        environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        alone = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        subprocess.run([*alone, PYTHON, __file__, "remote"], env=environment, check=True)
        return
    import ray

    start = [ENVIRONMENT / "bin/ray", "start", "--head", "--block", "--node-ip-address", "127.0.0.1", "--port", "6390"]
    start += ["--ray-client-server-port", "10001", "--num-cpus", "2", "--include-dashboard=false"]
    cluster = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(10001)
        row("Ray by its address (ray://), 2 workers", PROGRAMS, lambda: {"engine": "ray://127.0.0.1:10001", "jobs": 2})
    finally:
        ray.shutdown()
        cluster.terminate()
        cluster.wait()


def wait_for(port):
    """Until somebody listens there."""
    import socket

    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"nobody listens on port {port}")


def islands():
    """Searches with seeds of their own, which exchange what they find: the same document whoever does them."""
    import ray

    import slowpath
    import slowpath.ray

    def searched(**more):
        options = {"call": "merge_recursive(a: i32[n], n)", "sizes": [24], "effort": 3e7, "islands": 3}
        return outline(slowpath.analyze(PROGRAMS_FOLDER / "merge_recursive.c", **options, **more))

    expected = searched(jobs=1)
    for what, more in {"threads, 2": {"jobs": 2}, "processes, 2": {"engine": "processes", "jobs": 2}, "Ray, 2 workers": {"engine": "ray", "jobs": 2}}.items():
        found = searched(**more)
        print(f"| three islands: {what} | {int(found == expected)} of 1 | |", flush=True)
        if found != expected:
            WRONG.append(("islands", what))
    ray.shutdown()


def removed():
    with_nodes("a node removed, another added", replace)


def frozen():
    with_nodes("a node frozen", freeze)


def with_nodes(what, accident):
    """A cluster on this machine whose head does no work and whose two other nodes do: something happens to one of them."""
    import ray
    from ray._private import ray_constants
    from ray.cluster_utils import Cluster

    import slowpath.ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray_constants.ENABLE_RAY_CLUSTER = False
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    others = [cluster.add_node(num_cpus=1), cluster.add_node(num_cpus=1)]
    ray.init(address=cluster.address, log_to_driver=False, configure_logging=False)
    assert ray.get_runtime_context().gcs_address.startswith("127.0.0.1:")
    cluster.wait_for_nodes()
    # Workers are there before the accident is.
    row("Ray, two nodes, undisturbed", PROGRAMS[:1], lambda: {"engine": slowpath.ray.Ray(task_effort=1000)})
    undo = []
    engine = slowpath.ray.Ray(task_effort=SHORT_TASKS)
    row(f"Ray, {what}", [LONG], lambda: {"engine": engine}, lambda: undo.append(accident(cluster, others)))
    undo[0]()
    ray.shutdown()
    cluster.shutdown()


def replace(cluster, others):
    cluster.remove_node(others[0], allow_graceful=False)
    cluster.add_node(num_cpus=1)
    print("  (a node is gone, another is there)", flush=True)
    return lambda: None


def freeze(cluster, others):
    import signal

    frozen = sorted(offspring(os.getpid(), below=raylet_of(others[0])))
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    print(f"  (a node of {len(frozen)} processes is frozen)", flush=True)

    def thaw():
        for process in frozen:
            try:
                os.kill(process, signal.SIGCONT)
            except ProcessLookupError:
                pass

    return thaw


def raylet_of(node):
    return next(process.pid for kind, process in node.live_processes() if kind == "raylet")


def offspring(root, below=None):
    """A process and all that came of it, as far as this one started them."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)] = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue

    def of(found):
        while more := {child for child, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    mine = of({root})
    return mine if below is None else of({below}) & mine


def seconds_of(processes):
    """Processor time by now, of their ended children too."""
    ticks = 0
    for process in processes:
        try:
            numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
        except OSError:
            continue
        ticks += sum(map(int, numbers))
    return ticks / os.sysconf("SC_CLK_TCK")


def cpu(size=10):
    """Processor time of everything at the default length of tasks, beside one process."""
    import ray

    import slowpath
    import slowpath.ray

    file, options = PROGRAMS_FOLDER / LONG[0], LONG[1]

    def measured(**more):
        before, begun = seconds_of(offspring(os.getpid())), time.monotonic()
        found = slowpath.analyze(file, sizes=size, **options, **EXPLORE, **more)
        took = time.monotonic() - begun
        return seconds_of(offspring(os.getpid())) - before, took, found.worst.paths

    rows = []
    for _ in range(2):
        rows.append(("one thread", *measured(jobs=1)))
        slowpath.ray.connect(workers=2)
        slowpath.analyze(file, sizes=6, **options, **EXPLORE, engine="ray")
        rows.append(("Ray, 2 workers", *measured(engine="ray")))
        ray.shutdown()
    for who, processor, wall, paths in rows:
        print(f"| {who} | {paths} paths | {processor:.1f} s of processors | {wall:.1f} s |", flush=True)
    one = min(row[1] for row in rows if row[0] == "one thread")
    many = min(row[1] for row in rows if row[0] != "one thread")
    print(f"Ray takes {many / one:.2f} times the processor time of one thread (the lesser of two runs each)")


def main():
    words = sys.argv[1:] or ["same", "tasks", "accidents", "removed", "frozen", "cpu", "remote", "islands"]
    if Path(sys.prefix) != ENVIRONMENT:
        prepare()
        os.execv(PYTHON, [PYTHON, __file__, *words])
    parts = {"same": same, "tasks": tasks, "accidents": accidents, "removed": removed, "frozen": frozen, "cpu": cpu}
    parts |= {"remote": remote, "islands": islands}
    for word in words:
        parts[word]()
    if WRONG:
        sys.exit(f"{len(WRONG)} documents differ")
    print("every document is the same")


if __name__ == "__main__":
    if Path(sys.prefix) == ENVIRONMENT:
        sys.path.insert(0, str(ROOT / "crates/python/tests"))
        from carriers import Careless, deadly, outline
    main()
