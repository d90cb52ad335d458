"""A host is left as it was: signals, exit and the command."""

import signal
import subprocess
import sys
import textwrap

from conftest import CALL, ISORT

#: Six thousand million paths at size 13.
LONG = f"slowpath.events({str(ISORT)!r}, call={CALL!r}, sizes=[1, 2, 13], strategy='exhaustive', effort=10**15)"


def start(program: str) -> subprocess.Popen:
    # A shell that starts something in the background has it ignore Ctrl-C.
    usual = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"import slowpath, signal\n{usual}\n" + textwrap.dedent(program)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until_at_work(process: subprocess.Popen) -> None:
    for line in process.stdout:
        if line.strip() == "at work":
            return
    raise AssertionError(process.communicate()[1])


WATCH = "lambda e: e.kind == 'trying' and e.size == 13 and print('at work', flush=True)"


def test_ctrl_c_raises_with_what_was_found():
    process = start(
        f"""
        try:
            {LONG}.findings({WATCH})
        except KeyboardInterrupt as interrupted:
            print("kept", interrupted.findings[2].confidence)
        """
    )
    until_at_work(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert out.strip() == "kept exact" and process.returncode == 0, err


def test_the_handler_of_the_host_stays():
    process = start(
        f"""
        def handler(*_):
            raise RuntimeError("mine")
        signal.signal(signal.SIGTERM, handler)
        try:
            {LONG}.findings({WATCH})
        except RuntimeError as error:
            print(error)
        assert signal.getsignal(signal.SIGTERM) is handler
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        """
    )
    until_at_work(process)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=300)
    assert out.strip() == "mine" and process.returncode == 0, err


def test_the_interpreter_ends_while_a_search_runs():
    process = start(f"analysis = {LONG}\nnext(analysis)\n")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err


def test_the_command_is_the_command():
    def command(*words: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", "slowpath", *words], capture_output=True, text=True, timeout=300)

    assert command("--version").stdout.startswith("slowpath ")
    good = command("analyze", str(ISORT), "--call", CALL, "--sizes", "1..3", "--quiet", "--effort", "1e8")
    assert good.returncode == 0 and "worst cost" in good.stdout
    bad = command("analyze", "nothing.c", "--call", "f(n)")
    assert bad.returncode == 2 and bad.stderr.startswith("error: ")
