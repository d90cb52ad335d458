"""Whoever explores, in tasks of whatever length, and whatever happens on the way: the same document."""

import os
import subprocess
import sys

import pytest
from carriers import Careless, deadly, outline
from conftest import CALL, ISORT, ROOT

import slowpath

#: Time for far more than what is asked: by effort, one worker would explore alone.
EXPLORE = {"strategy": "exhaustive", "budget": 600}
PROGRAMS = {
    "isort": ((ISORT,), {"call": CALL, "sizes": [3, 7]}),
    "bst": ((ROOT / "tests/programs/bst.c",), {"harness": "bst_search", "sizes": [2, 5]}),
}


@pytest.fixture(scope="session", params=PROGRAMS)
def program(request):
    files, options = PROGRAMS[request.param]
    alone = slowpath.analyze(*files, **options, **EXPLORE, jobs=1)
    assert alone.worst.confidence == "exact"

    def same(**more):
        found = slowpath.analyze(*files, **options, **EXPLORE, **more)
        assert found.limits == []
        assert outline(found) == outline(alone)

    return same


@pytest.mark.parametrize("jobs", [2, 4])
def test_threads_come_to_the_same(program, jobs):
    program(jobs=jobs)


def test_processes_come_to_the_same(program):
    program(engine="processes", jobs=2)


def test_processes_are_there_for_the_command_of_the_package_too():
    words = ["analyze", str(ISORT), "--call", CALL, "--sizes", "6", "--strategy", "exhaustive", "--engine", "processes"]
    done = subprocess.run([sys.executable, "-m", "slowpath", *words, "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0 and "exact" in done.stdout, done.stderr


@pytest.mark.parametrize("task_effort", [1, 7, 100_000, 2**60])
def test_losses_duplicates_and_order_change_nothing_however_long_a_task_is(task_effort):
    size = 4 if task_effort < 100 else 7
    alone = slowpath.analyze(ISORT, call=CALL, sizes=size, **EXPLORE, jobs=1)
    engine = Careless(task_effort=task_effort)
    found = slowpath.analyze(ISORT, call=CALL, sizes=size, **EXPLORE, engine=engine)
    assert outline(found) == outline(alone)
    assert task_effort == 2**60 or (engine.tasks > 10 and engine.lost > 0 and engine.doubled > 0), vars(engine)


def test_an_engine_that_loses_everything_is_said_in_limits():
    class Lost(Careless):
        def submit(self, ticket, task):
            self._reports.died(ticket, "lost")

    found = slowpath.analyze(ISORT, call=CALL, sizes=4, **EXPLORE, engine=Lost())
    assert any("given up" in limit for limit in found.limits) and found[4].confidence != "exact", found.document


def test_work_of_something_else_is_refused():
    words = ["--call=" + CALL, "--", str(ISORT)]
    work = slowpath._native.Work(words)
    parcel = work.parcel()
    assert slowpath._native.Work(words, parcel).parcel() == parcel
    with pytest.raises(slowpath.Error):
        slowpath._native.Work(["--seed=7", *words], parcel)
    with pytest.raises(slowpath.Error):
        slowpath._native.Work(words, parcel[: len(parcel) // 2])
    with pytest.raises(slowpath.Error):
        work.slice(b"nonsense")


def test_an_engine_that_does_not_exist_is_an_error():
    with pytest.raises(slowpath.Error, match="there is no 'magic'"):
        slowpath.analyze(ISORT, call=CALL, sizes=3, engine="magic")


@pytest.fixture(scope="session")
def ray():
    """Ray with two workers, on this machine only."""
    try:
        import ray
    except ImportError as error:
        pytest.skip(f"LEFT OUT: {error}; SLOWPATH_TEST_RAY=1 cargo test installs it, scripts/engines.py too")
    import slowpath.ray

    # Whatever cluster runs here already is not for tests.
    os.environ["RAY_ADDRESS"] = "local"
    slowpath.ray.connect(workers=2)
    yield ray
    ray.shutdown()
    del os.environ["RAY_ADDRESS"]


def test_ray_comes_to_the_same(ray, program):
    for jobs in (1, 2):
        program(engine="ray", jobs=jobs)


def test_ray_comes_to_the_same_though_tasks_kill_their_workers(ray):
    alone = slowpath.analyze(ISORT, call=CALL, sizes=7, **EXPLORE, jobs=1)
    engine = deadly(task_effort=100_000)
    found = slowpath.analyze(ISORT, call=CALL, sizes=7, **EXPLORE, engine=engine)
    assert engine.killed > 0 and outline(found) == outline(alone)


def test_ray_workers_need_no_sources(ray, tmp_path):
    """The file is gone once it is compiled here."""
    file = tmp_path / "isort.c"
    file.write_text(ISORT.read_text())

    def remove(event):
        if event.kind == "begun":
            file.unlink()

    found = slowpath.analyze(file, call=CALL, sizes=6, **EXPLORE, engine="ray", on_event=remove)
    assert found.worst.confidence == "exact" and found.limits == []


def test_ray_that_is_started_here_is_reached_from_this_machine_only(ray):
    assert ray.get_runtime_context().gcs_address.startswith("127.0.0.1:")
    listening = {}
    for table in ("tcp", "tcp6"):
        for line in open(f"/proc/net/{table}").read().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A":
                listening[words[9]] = words[1].split(":")[0]
    loopback = {"0100007F", "0000000000000000FFFF00000100007F"}
    sockets = 0
    for process in ours():
        try:
            links = [os.readlink(f"/proc/{process}/fd/{number}") for number in os.listdir(f"/proc/{process}/fd")]
        except OSError:
            continue
        for link in links:
            address = listening.get(link[len("socket:[") : -1])
            sockets += address is not None
            assert address in {None, *loopback}, (process, address)
    assert sockets > 2


def ours():
    """This process and all that came of it."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)] = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def test_another_cluster_must_ask_for_a_token():
    pytest.importorskip("ray", reason="LEFT OUT: Ray is not installed (SLOWPATH_TEST_RAY=1)")
    program = (
        "import slowpath.ray\n"
        "try:\n"
        "    slowpath.ray.connect('ray://192.0.2.1:10001')\n"
        "except slowpath.Error as error:\n"
        "    print(error)\n"
    )
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert "asks for a token" in done.stdout, done.stderr


def test_an_address_that_an_ended_cluster_left_behind_is_no_cluster(monkeypatch):
    pytest.importorskip("ray", reason="LEFT OUT: Ray is not installed (SLOWPATH_TEST_RAY=1)")
    import slowpath.ray

    started = []
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(slowpath.ray.ray, "is_initialized", lambda: False)
    monkeypatch.setattr(slowpath.ray, "_running", lambda: "192.0.2.1:1")
    monkeypatch.setattr(slowpath.ray, "_start", started.append)
    slowpath.ray.connect(workers=3)
    assert started == [3]
