#!/usr/bin/env python3
"""Bitwuzla beside Z3, old and new, on the questions that slowpath asks: each question of some explorations is written down, and asked of each solver from the beginning.

    cargo build --release --workspace
    scripts/yardstick.py [--limit 10] [--most 300] [--slowpath target/release/slowpath]

Makes an environment with bitwuzla and z3-solver (from the package index) in target/yardstick. Times are of the processor, in one process for each solver and program; parsing is
included. slowpath itself asks Z3 with the path asserted already, so its own times are less.
"""

import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "target/yardstick"
PYTHON = ENVIRONMENT / "bin/python"
SOLVERS = ["z3 4.8", "z3 5.4", "bitwuzla"]
PROGRAMS = [
    ("tests/programs/isort.c", "isort(a: i32[n], n)", 6),
    ("benchmarks/wise/red_black_tree_search.c", "", 4),
    ("tests/programs/bits.c", "tokens(s: u8[n], n)", 4),
    ("tests/programs/fp.c", "ascents(a: f32[n], n)", 6),
    ("tests/programs/hashes/words.c", "chained_fibonacci(keys: u32[n], n)", 2),
    ("tests/programs/hashes/words.c", "chained_murmur(keys: u32[n], n)", 2),
    ("tests/programs/hashes/strings.c", "chained_djb2(keys: u8[8*n], n)", 2),
]
#: Put before Z3: writes down what it is asked.
LISTENER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

const char *Z3_solver_to_string(void *, void *);

int Z3_solver_check(void *context, void *solver) {
    static int (*check)(void *, void *);
    static int number;
    if (!check) check = (int (*)(void *, void *))dlsym(RTLD_NEXT, "Z3_solver_check");
    char name[4096];
    snprintf(name, sizeof name, "%s/%06d.smt2", getenv("QUESTIONS"), number++);
    FILE *file = fopen(name, "w");
    if (file) {
        fprintf(file, "(set-logic ALL)\n%s(check-sat)\n", Z3_solver_to_string(context, solver));
        fclose(file);
    }
    return check(context, solver);
}
"""


def questions(slowpath, listener, file, call, size, folder):
    """Has slowpath ask Z3 alone, and keeps what it asks."""
    entry = ["--call", call] if call else ["--harness", pathlib.Path(file).stem]
    command = [slowpath, "analyze", str(ROOT / file), *entry, "--sizes", str(size), "--solver", "z3", "--strategy", "exhaustive"]
    environment = {**os.environ, "LD_PRELOAD": str(listener), "QUESTIONS": str(folder)}
    done = subprocess.run([*command, "--budget", "120s", "--jobs", "1", "--quiet"], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{file}: {done.stderr}")


def ask(solver, folder, most, limit):
    """Asks one solver every so-manieth question: answers and the processor's time."""
    files = sorted(pathlib.Path(folder).glob("*.smt2"))
    files = files[:: max(1, -(-len(files) // most))]
    one = ask_bitwuzla if solver == "bitwuzla" else z3(solver)
    answers = {"sat": 0, "unsat": 0, "unknown": 0}
    begun = time.process_time()
    for file in files:
        answers[one(file, limit)] += 1
    return {**answers, "seconds": time.process_time() - begun}


def ask_bitwuzla(file, limit):
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, limit * 1000)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(str(file), parse_only=True)
    said = parser.bitwuzla().check_sat()
    return {bitwuzla.Result.SAT: "sat", bitwuzla.Result.UNSAT: "unsat"}.get(said, "unknown")


def z3(solver):
    library = "libz3.so.4"
    if solver == "z3 5.4":
        library = str(next(ENVIRONMENT.glob("lib/python3*/site-packages/z3/lib/libz3.so")))
    native = ctypes.CDLL(library)
    native.Z3_mk_config.restype = native.Z3_mk_context.restype = ctypes.c_void_p
    native.Z3_mk_context.argtypes = native.Z3_del_context.argtypes = [ctypes.c_void_p]
    native.Z3_eval_smtlib2_string.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    native.Z3_eval_smtlib2_string.restype = ctypes.c_char_p
    config = native.Z3_mk_config()

    def one(file, limit):
        context = native.Z3_mk_context(config)
        text = f"(set-option :timeout {limit * 1000})\n" + file.read_text().replace("(set-logic ALL)", "(set-logic QF_AUFBV)" if "FloatingPoint" not in file.read_text() else "")
        said = native.Z3_eval_smtlib2_string(context, text.encode()).decode().strip()
        native.Z3_del_context(context)
        return said if said in ("sat", "unsat") else "unknown"

    return one


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=10, help="seconds for one question")
    parser.add_argument("--most", type=int, default=300, help="questions of one program")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    parser.add_argument("--ask", nargs=2, metavar=("SOLVER", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        print(json.dumps(ask(*options.ask, options.most, options.limit)))
        return
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([PYTHON, "-m", "pip", "--quiet", "install", "bitwuzla", "z3-solver"], check=True)
    print("| program | n | questions | " + " | ".join(SOLVERS) + " |\n|---|--:|--:|" + "--:|" * len(SOLVERS))
    with tempfile.TemporaryDirectory() as folder:
        source, listener = pathlib.Path(folder, "listener.c"), pathlib.Path(folder, "listener.so")
        source.write_text(LISTENER)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", listener, source, "-ldl"], check=True)
        for number, (file, call, size) in enumerate(PROGRAMS):
            asked = pathlib.Path(folder, str(number))
            asked.mkdir()
            questions(options.slowpath, listener, file, call, size, asked)
            cells, sure = [], set()
            for solver in SOLVERS:
                command = [PYTHON, __file__, "--most", str(options.most), "--limit", str(options.limit), "--ask", solver, asked]
                said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
                gave_up = f", gave up {said['unknown']}" if said["unknown"] else ""
                cells.append(f"{said['seconds']:.2f} s{gave_up}")
                if not said["unknown"]:
                    sure.add((said["sat"], said["unsat"]))
                count = said["sat"] + said["unsat"] + said["unknown"]
            name = f" (`{call.split('(')[0]}`)" if call else ""
            print(f"| `{file}`{name} | {size} | {count} | " + " | ".join(cells) + " |" + ("" if len(sure) <= 1 else " DIFFERENT ANSWERS"), flush=True)


if __name__ == "__main__":
    main()
