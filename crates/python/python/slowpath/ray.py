"""Paths explored by Ray: a cluster that runs already, another one by its address, or one of this machine that is started for it.

    import slowpath.ray
    found = slowpath.ray.analyze("isort.c", call="isort(a: i32[n], n)", sizes=range(1, 10), strategy="exhaustive")

Whoever can reach a Ray cluster can run code on it. One that is started here listens on this machine only; another one must ask for a token.
"""

from __future__ import annotations

import hashlib
import os
import socket
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union
from urllib.parse import urlsplit

from . import _native
from .analysis import Analysis
from .analysis import analyze as _analyze
from .analysis import events as _events

try:
    import ray
except ImportError as error:
    raise ImportError("engine='ray' needs Ray: pip install ray") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import Reports
    from .findings import Findings
    from .options import Options, Path

#: Programs that a worker keeps ready.
_KEPT = 4
#: Only in workers: programs by the hash of their bytes.
_PROGRAMS: dict[str, _native.Work] = {}


def analyze(file: Optional[Path] = None, *more_files: Path, **options: Unpack[Options]) -> Findings:
    """`slowpath.analyze` with `engine="ray"`."""
    options.setdefault("engine", "ray")
    return _analyze(file, *more_files, **options)


def events(file: Optional[Path] = None, *more_files: Path, **options: Unpack[Options]) -> Analysis:
    """`slowpath.events` with `engine="ray"`."""
    options.setdefault("engine", "ray")
    return _events(file, *more_files, **options)


class Ray:
    """An engine: each task is a call of a remote function. For one analysis.

    Ray does not repeat a task itself: a frozen node stalls it for minutes, so whoever gives out tasks here repeats them.
    """

    def __init__(self, address: Optional[str] = None, *, task_effort: Optional[int] = None) -> None:
        self.task_effort = task_effort
        self._address = address
        self._slots: Optional[int] = None
        self._words: list[str] = []
        self._key = ""
        self._program: Any = None
        self._reports: Optional[Reports] = None
        self._remote: Any = None
        self._out: dict[Any, int] = {}

    def open(self, words: Sequence[str], jobs: Optional[int]) -> None:
        connect(self._address, jobs)
        self._words, self._slots = list(words), jobs
        self._remote = ray.remote(max_retries=0)(_slice)

    def begin(self, parcel: bytes, reports: Reports) -> None:
        self._key = hashlib.sha256(parcel + repr(self._words).encode()).hexdigest()
        self._program = ray.put((self._words, parcel))
        self._reports = reports

    def slots(self) -> int:
        return self._slots or max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, ticket: int, task: bytes) -> None:
        # Within a list, the program stays where it is until a worker asks for it.
        done = self._call(ticket, self._key, [self._program], task)
        self._out[done] = ticket
        done.future().add_done_callback(lambda future: self._take(done, ticket, future))

    def halt(self) -> None:
        for done in list(self._out):
            # One that has begun is over soon.
            ray.cancel(done, force=False)

    def _call(self, ticket: int, key: str, program: list[Any], task: bytes) -> Any:
        """Has Ray do a task."""
        return self._remote.remote(key, program, task)

    def _take(self, done: Any, ticket: int, future: Any) -> None:
        """Hands a result on, in a thread of Ray's."""
        self._out.pop(done, None)
        reports = self._reports
        if reports is None or future.cancelled():
            return
        error = future.exception()
        if error is None:
            result = future.result()
            if isinstance(result, bytes):
                reports.done(ticket, result)
            else:
                reports.refused(ticket, result)
        elif isinstance(error, (ray.exceptions.RayTaskError, ray.exceptions.RuntimeEnvSetupError)):
            # The worker is alive, and will say the same again: slowpath is not installed there, for one.
            reports.refused(ticket, f"a worker of Ray: {str(error).strip().splitlines()[-1]}")
        else:
            reports.died(ticket, f"Ray: {type(error).__name__}")


def _slice(key: str, program: list[Any], task: bytes) -> Union[bytes, str]:
    """Does a task, in a worker: its result, or why it was refused."""
    try:
        work = _PROGRAMS.get(key)
        if work is None:
            work = _open(*ray.get(program[0]))
            while len(_PROGRAMS) >= _KEPT:
                _PROGRAMS.pop(next(iter(_PROGRAMS)))
            _PROGRAMS[key] = work
        return work.slice(task)
    except _native.Error as error:
        return str(error)


def _open(words: list[str], parcel: bytes) -> _native.Work:
    """The program as it came; where that is of no use, its files may be there too."""
    try:
        return _native.Work(words, parcel)
    except _native.Error as error:
        try:
            return _native.Work(words)
        except _native.Error:
            raise error from None


def connect(address: Optional[str] = None, workers: Optional[int] = None) -> None:
    """Connects this process to Ray, unless it is already: to an address, to a cluster that runs on this machine, or to one that is started now, with
    so many workers. That one ends with this process, or by `ray.shutdown()`."""
    if ray.is_initialized():
        return
    given = address
    address = address or _running()
    # One that has ended leaves its address behind.
    if address is None or (given is None and "RAY_ADDRESS" not in os.environ and not _answers(address)):
        _start(workers)
        return
    host = urlsplit(address).hostname if "://" in address else _split(address)
    if not _is_loopback(host or "") and not _asks_for_token():
        raise _native.Error(
            f"the Ray cluster at {host} can be reached by others, and nothing says that it asks for a token\n"
            "  help: start it with RAY_AUTH_MODE=token, and set that here too, with the token (`ray get-auth-token`)"
        )
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        if given is None and "RAY_ADDRESS" not in os.environ:
            # It was about to end.
            _start(workers)
            return
        # From Ray 2.59 on `ray start` asks for a token, and whoever connects only gives one if told to.
        remedy = "" if _asks_for_token() else "\n  help: if it asks for a token, set RAY_AUTH_MODE=token here too, with the token (`ray get-auth-token`)"
        raise _native.Error(f"cannot connect to Ray at {address}: {error}{remedy}") from None


def _start(workers: Optional[int]) -> None:
    """A cluster of this machine, that nobody else can reach."""
    from ray._private import ray_constants

    # Nothing is told to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # With clusters on, Ray takes any address of this machine for one that the network can reach, and listens everywhere.
    clusters, ray_constants.ENABLE_RAY_CLUSTER = ray_constants.ENABLE_RAY_CLUSTER, False
    try:
        ray.init(
            address="local",
            num_cpus=workers or os.cpu_count(),
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            _node_ip_address="127.0.0.1",
        )
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = clusters
    host = _split(ray.get_runtime_context().gcs_address)
    if not _is_loopback(host):
        ray.shutdown()
        raise _native.Error(
            f"this version of Ray ({ray.__version__}) listens on {host}, which others can reach; start it yourself (ray.init) if that is meant"
        )


def _running() -> Optional[str]:
    """The address of the cluster that RAY_ADDRESS or the last `ray start` of this machine names."""
    from ray._private import services

    try:
        address: str = services.canonicalize_bootstrap_address("auto")
    except ConnectionError:
        return None
    return address


def _answers(address: str) -> bool:
    """Whether anybody listens there."""
    try:
        socket.create_connection((_split(address), int(address.rpartition(":")[2])), timeout=2).close()
    except (OSError, ValueError):
        return False
    return True


def _split(address: str) -> str:
    return address.rpartition(":")[0].strip("[]")


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _asks_for_token() -> bool:
    """Whether this process, and so any cluster it can speak to, uses tokens."""
    try:
        from ray._private.authentication.authentication_utils import is_token_auth_enabled
    except ImportError:
        return False
    return bool(is_token_auth_enabled())
