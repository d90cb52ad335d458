"""Engines that misbehave, for the tests and for scripts/ray.py: what is found must not depend on it."""

import os
import random
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from slowpath import Error, _native

#: What may differ from run to run: times, and how much work the solver had.
MEASURED = ("seconds", "solver_queries", "smt_queries")


def outline(found):
    """A document without measurements, and without the settings that say who explored."""
    document = found.document
    for member in ("stats", "spent", "settings"):
        document.pop(member, None)
    for result in document["results"]:
        for member in MEASURED:
            result.pop(member, None)
    return document


class Careless:
    """Threads of this process that do tasks twice, lose some on the first try, and bring results in any order."""

    def __init__(self, workers=2, task_effort=None, seed=0):
        self.task_effort = task_effort
        self.tasks = self.lost = self.doubled = 0
        self._random = random.Random(seed)
        self._pool = ThreadPoolExecutor(workers)
        self._workers = workers
        self._lock = threading.Lock()
        self._held, self._tried = [], set()

    def open(self, words, jobs):
        self._words = words

    def begin(self, parcel, reports):
        self._work, self._reports = _native.Work(self._words, parcel), reports

    def slots(self):
        return self._workers

    def submit(self, ticket, task):
        self.tasks += 1
        first = ticket not in self._tried
        self._tried.add(ticket)
        if ticket % 5 == 2 and first:
            self.lost += 1
            self._reports.died(ticket, "its worker was lost, as the test wants")
            return
        if ticket % 3 == 0:
            self.doubled += 1
            self._pool.submit(self._do, ticket, task)
        self._pool.submit(self._do, ticket, task)

    def halt(self):
        pass

    def _do(self, ticket, task):
        try:
            result = self._work.slice(task)
        except Error as error:
            self._reports.refused(ticket, str(error))
            return
        with self._lock:
            self._held.append((ticket, result))
            # One in three waits for the next; as long as others are under way, somebody will bring it.
            if len(self._held) < 2 and self._random.random() < 0.3 and self._pool._work_queue.qsize() > 0:
                return
            held, self._held = self._held, []
        for ticket, result in reversed(held):
            self._reports.done(ticket, result)


def dying_slice(key, program, task, dies):
    """A task that takes its worker with it, where the driver wants it so."""
    if dies:
        os.kill(os.getpid(), signal.SIGKILL)
    from slowpath.ray import _slice

    return _slice(key, program, task)


def deadly(task_effort=None, part=0.05):
    """Ray, with a part of the tasks, and one of the first in any case, killing their worker at the first try."""
    import ray

    from slowpath.ray import Ray

    # Workers have no tests, so the function goes to them as a value.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

    class Deadly(Ray):
        killed = 0

        def open(self, words, jobs):
            super().open(words, jobs)
            self._remote, self._tried = ray.remote(max_retries=0)(dying_slice), set()
            self._random = random.Random(1)

        def _call(self, ticket, key, program, task):
            dies = ticket not in self._tried and (self._random.random() < part or len(self._tried) == 1)
            self._tried.add(ticket)
            self.killed += dies
            return self._remote.remote(key, program, task, dies)

    return Deadly(task_effort=task_effort)
