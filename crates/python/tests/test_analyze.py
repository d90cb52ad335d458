"""analyze, events and errors."""

import threading
from datetime import timedelta

import pytest
from conftest import CALL, ISORT

import slowpath


def test_the_worst_input_of_insertion_sort_is_descending(found):
    assert [result.size for result in found.results] == [1, 2, 3, 4, 5, 6]
    assert found.worst.size == 6 and found[6].confidence == "exact" and found[6].verified
    values = found.worst.input["a"]
    assert values == sorted(values, reverse=True)
    assert found.fit.class_ == "n^2" and found.fit.verdict == "exact"
    assert found.worst.hot_lines[0].file.endswith("isort.c")


def test_sizes_can_be_written_in_every_way():
    for sizes in ([1, 3], "1,3", range(1, 4, 2), (n for n in (3, 1))):
        found = slowpath.analyze(ISORT, call=CALL, sizes=sizes, effort=100_000_000)
        assert [result.size for result in found.results] == [1, 3]
    assert slowpath.analyze(ISORT, call=CALL, sizes=2, effort=1e8).worst.size == 2


def test_the_same_effort_gives_the_same_document_as_the_command_line(found, tmp_path):
    import json
    import subprocess
    import sys

    words = ["analyze", str(ISORT), "--call", CALL, "--sizes", "1..6", "--effort", "1e8", "--format", "json"]
    printed = subprocess.run([sys.executable, "-m", "slowpath", *words], check=True, capture_output=True, text=True)
    assert json.loads(printed.stdout)["results"] == found.document["results"]


def test_events_come_in_order_and_end_with_findings():
    with slowpath.events(ISORT, call=CALL, sizes=[1, 2, 3], effort=100_000_000) as analysis:
        seen = list(analysis)
        found = analysis.findings()
    kinds = [event.kind for event in seen]
    assert kinds[0] == "compiling" and "begun" in kinds and "worse" in kinds
    done = {event.size: event.result for event in seen if event.kind == "done"}
    assert set(done) == {1, 2, 3} and done[3].input == found[3].input


def test_on_event_sees_them_too_and_may_raise():
    seen = []
    slowpath.analyze(ISORT, call=CALL, sizes=[2], effort=100_000_000, on_event=seen.append)
    assert "done" in [event.kind for event in seen]

    def refuse(event):
        raise ValueError(event.kind)

    with pytest.raises(ValueError, match="compiling"):
        slowpath.analyze(ISORT, call=CALL, sizes=[2], on_event=refuse)


def test_an_interrupt_while_an_event_is_looked_at_keeps_what_was_found():
    def interrupt(event):
        if event.kind == "trying" and event.size == 13:
            raise KeyboardInterrupt

    with pytest.raises(slowpath.Interrupted) as interrupted:
        slowpath.analyze(ISORT, call=CALL, sizes=[1, 2, 13], strategy="exhaustive", effort=10**15, on_event=interrupt)
    assert interrupted.value.findings[2].confidence == "exact"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"call": CALL, "sizes": [0]}, "--sizes: a size must be at least 1"),
        ({"call": CALL, "strategy": "magic"}, "invalid value 'magic' for '--strategy"),
        ({"call": "nobody(n)", "sizes": [1]}, "nobody"),
        ({"call": CALL, "harness": "x"}, "cannot be used with"),
        ({}, "isort"),
    ],
)
def test_mistakes_are_errors_with_the_messages_of_the_command_line(options, message):
    with pytest.raises(slowpath.Error, match=message.replace("(", r"\(")):
        slowpath.analyze(ISORT, **options)


def test_a_file_that_is_not_there_is_an_error():
    with pytest.raises(slowpath.Error, match="nothing.c"):
        slowpath.analyze("nothing.c", call="f(n)")


def test_an_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        slowpath.analyze(ISORT, call=CALL, size=3)
    with pytest.raises(TypeError, match="must be True or False"):
        slowpath.analyze(ISORT, call=CALL, stats="yes")


def test_a_limit_before_any_result_is_stopped():
    with pytest.raises(slowpath.Stopped) as stopped:
        # More inputs than can be laid out in the time; of what can be, some input is always run.
        slowpath.analyze(ISORT, call=CALL, sizes=[60_000_000], strategy="exhaustive", budget=timedelta(milliseconds=1))
    assert stopped.value.findings.limits and "before any result" in str(stopped.value)


def test_other_threads_run_meanwhile():
    """The search at size 13 has six thousand million paths: only another thread can end it."""
    analysis = slowpath.events(ISORT, call=CALL, sizes=[1, 2, 13], strategy="exhaustive", effort=10**15)
    at_work, found = threading.Event(), []

    def wait():
        found.append(analysis.findings(lambda e: e.kind == "trying" and e.size == 13 and at_work.set()))

    thread = threading.Thread(target=wait)
    thread.start()
    assert at_work.wait(timeout=300)
    analysis.interrupt()
    thread.join(timeout=300)
    assert not thread.is_alive() and found[0][2].confidence == "exact"
    assert any("interrupt" in limit.lower() or "ctrl" in limit.lower() for limit in found[0].limits), found[0].limits


def test_two_analyses_at_once_do_not_mix():
    one = slowpath.events(ISORT, call=CALL, sizes=[3], effort=100_000_000)
    other = slowpath.events(ISORT, call=CALL, sizes=[4], effort=100_000_000)
    assert other.findings().worst.size == 4 and one.findings().worst.size == 3
