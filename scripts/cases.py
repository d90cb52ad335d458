#!/usr/bin/env python3
"""Runs the case studies of docs/case-studies.md: fetches a library, analyses it with one command, and times what was found natively.

    python3 scripts/cases.py --list
    python3 scripts/cases.py jsmn --effort 1e8
    python3 scripts/cases.py --all --budget 120s --out results
    python3 scripts/cases.py md4c --fuzz 120

Each study is a file cases/NAME.toml (cases/README.md says what is in it). Sources come from the Debian mirror that this machine is configured
for, and are checked against their SHA-256; they are kept in a cache, and never in the repository. A study whose package cannot be had is
skipped, and said to be. Exits with 1 if a worst input costs less than an ordinary one, or less than 0.9 of a known bad one.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "cases"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "slowpath-cases"
WIDTHS = {"i8": 1, "u8": 1, "char": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8}


class Unavailable(Exception):
    """The package cannot be had here."""


def sources_list(suite):
    """The configured mirror as a list of source packages of a suite."""
    texts = [path.read_text() for path in pathlib.Path("/etc/apt").glob("sources.list.d/*.sources")]
    texts += [path.read_text() for path in pathlib.Path("/etc/apt").glob("sources.list")]
    found = re.search(r"^URIs:\s*(\S+/debian/?)\s*$", "\n".join(texts), re.M)
    found = found or re.search(r"^deb\s+(?:\[.*?\]\s+)?(\S+/debian/?)\s", "\n".join(texts), re.M)
    if not found:
        raise Unavailable("no Debian mirror is configured")
    return found.group(1).rstrip("/")


def fetch(case):
    """The folder of the unpacked source."""
    taken = hashlib.sha256(repr((case["sha256"], case.get("take"))).encode()).hexdigest()
    folder = CACHE / case["package"] / taken[:12]
    if not folder.exists():
        archive = CACHE / case["archive"]
        if not archive.exists():
            prefix = case["package"][:4] if case["package"].startswith("lib") else case["package"][0]
            url = f"{sources_list(case)}/pool/main/{prefix}/{case['package']}/{urllib.request.quote(case['archive'])}"
            archive.parent.mkdir(parents=True, exist_ok=True)
            try:
                with urllib.request.urlopen(url, timeout=60) as answer:
                    archive.write_bytes(answer.read())
            except (urllib.error.URLError, OSError) as error:
                raise Unavailable(f"{case['archive']}: {error}") from error
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != case["sha256"]:
            archive.unlink()
            raise Unavailable(f"{case['archive']} has the SHA-256 {found}")
        wanted = case.get("take", ["*"])
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            with tarfile.open(archive) as tar:
                members = [m for m in tar.getmembers() if m.isfile() and any(fnmatch.fnmatch(m.name, w) for w in wanted)]
                tar.extractall(scratch, members=members, filter="data")
            folder.parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(scratch).rename(folder)
            pathlib.Path(scratch).mkdir()
    inside = [path for path in folder.iterdir() if path.is_dir()]
    return inside[0] if len(inside) == 1 else folder


class NotBuilt(Exception):
    """The host's compiler does not take it."""


class Study:
    def __init__(self, name, slowpath):
        self.name, self.slowpath = name, slowpath
        self.case = tomllib.loads((CASES / f"{name}.toml").read_text())
        self.src = fetch(self.case) if "package" in self.case else CASES

    def path(self, text):
        return text.replace("{src}", str(self.src)).replace("{cases}", str(CASES))

    def paths(self, key):
        return [self.path(text) for text in self.case.get(key, [])]

    def program(self):
        """What `analyze` and `run` are told about the program."""
        args = [*self.paths("analyze")]
        for folder in self.paths("include"):
            args += ["-I", folder]
        for define in self.case.get("define", []):
            args += ["-D", define]
        for header, text in self.case.get("headers", {}).items():
            args += ["--define-header", f"{header}={text}"]
        return args

    def command(self, limit):
        sizes = ["--sizes", self.case["sizes"]] if "sizes" in self.case else []
        return [self.slowpath, "analyze", *self.program(), *sizes, "--average", "50", *limit]

    def cost(self, data, folder):
        """What an input of these bytes costs."""
        width = WIDTHS[self.case.get("element", "u8")]
        signed = self.case.get("element", "u8").startswith("i")
        values = [int.from_bytes(data[i : i + width], "little", signed=signed) for i in range(0, len(data), width)]
        names = self.case.get("inputs", ["data"])
        part = len(values) // len(names)
        chars = [v - 256 if self.case.get("element") == "char" and v > 127 else v for v in values]
        file = folder / "input.json"
        file.write_text(json.dumps({name: chars[k * part : (k + 1) * part] for k, name in enumerate(names)}))
        ran = subprocess.run(
            [self.slowpath, "run", *self.program(), "--size", str(part), "--input", f"@{file}", "--format", "json"],
            capture_output=True, text=True,
        )  # fmt: skip
        if ran.returncode not in (0, 1) or not ran.stdout:
            return None
        return json.loads(ran.stdout)["costs"]["instructions"]

    def bytes(self, given):
        """An input as the bytes that the native harness gets: its arrays one behind the other."""
        width = WIDTHS[self.case.get("element", "u8")]
        names = self.case.get("inputs", ["data"])
        return b"".join((v % 256**width).to_bytes(width, "little") for name in names for v in given[name])

    def ordinary(self, count):
        """An input of so many bytes that nobody chose to be bad."""
        if "ordinary" in self.case:
            text, begin = self.case["ordinary"].encode(), self.case.get("ordinary_begin", "").encode()
            return (begin + text * (count // len(text) + 1))[:count]
        return random.Random(1).randbytes(count)

    def known(self, n, folder):
        """The bad input that the literature has for size n."""
        known = self.case["known"]
        if "program" in known:
            program = self.build(folder / "known", ["-O1"], "gcc", main=known["program"])
            return subprocess.run([program, str(n)], capture_output=True, check=True).stdout
        begin, unit, end = (known.get(key, "").encode() for key in ("begin", "unit", "end"))
        count = (n - len(begin) - len(end)) // len(unit)
        return begin + unit * count + end

    def build(self, output, flags, compiler, main=None):
        """The program natively, with the harness and another file."""
        headers = output.parent / f"{output.name}-headers"
        native = self.case.get("native", {})
        for header, text in native.get("headers", self.case.get("headers", {})).items():
            file = headers / header
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        files = [self.path(text) for text in native.get("files", [])]
        command = [compiler, *flags, "-w", "-g0", *shlex.split(os.environ.get("CASES_FLAGS", "")), *native.get("flags", []), *(f"-D{d}" for d in self.case.get("define", []))]
        own = self.paths("include")
        command += ["-I", str(headers), *(f"-I{folder}" for folder in own), "-o", str(output), *files]
        command += [str(CASES / main)] if main else []
        done = subprocess.run([*command, "-lm"], capture_output=True, text=True)
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line or "undefined" in line), done.stderr[:200])
            raise NotBuilt(f"{compiler}: {first}")
        return str(output)

    def times(self, inputs, folder):
        """Seconds that each input takes natively."""
        compiler = self.case["native"].get("compiler", "gcc")
        program = self.build(folder / "native", ["-O2"], compiler, main="time.c")
        files = []
        for i, data in enumerate(inputs):
            files.append(folder / f"input{i}")
            files[-1].write_bytes(data)
        ran = subprocess.run([program, *map(str, files)], capture_output=True, text=True, check=True)
        return [float(line) for line in ran.stdout.split()]


def short(number):
    return f"{number:,}" if isinstance(number, int) else f"{number:.3g}"


def study(name, args):
    this = Study(name, args.slowpath)
    limit = ["--budget", args.budget] if args.budget else ["--effort", args.effort]
    command = this.command(limit)
    print(f"\n## {name}: {this.case['title']}")
    shown = shlex.join(command).replace(str(this.src), this.src.name).replace(str(ROOT) + "/", "")
    print(shown.replace(args.slowpath, "slowpath"), flush=True)
    if args.found:
        text = (pathlib.Path(args.found) / f"{name}.json").read_text()
    else:
        text = subprocess.run([*command, "--quiet", "--format", "json"], stdout=subprocess.PIPE, text=True).stdout
    if not text:
        sys.exit(f"{name}: slowpath found nothing")
    found = json.loads(text)
    if args.out:
        pathlib.Path(args.out).mkdir(parents=True, exist_ok=True)
        (pathlib.Path(args.out) / f"{name}.json").write_text(text)
    fit = found.get("fit") or {}
    print(f"growth: {fit.get('verdict', 'no law')} {fit.get('class') or ''} {fit.get('formula') or ''}")
    results = [result for result in found["results"] if result.get("cost")]
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for result in results:
            mean = (result.get("average") or {}).get("mean")
            below = mean is not None and mean > result["cost"]
            wrong += below
            of_random = f", {result['cost'] / mean:.1f} times the mean of random inputs" if mean else ""
            more = "> " if result.get("at_least") else ""
            note = " WORST BELOW AVERAGE" if below else ""
            print(f"n = {result['size']}: {more}{short(result['cost'])} {result['confidence']} by {result['found_by']}{of_random}{note}")
        timed = [result for result in results if not result.get("at_least")][-4:]
        if timed and "native" in this.case and not args.no_native:
            worst = [this.bytes(result["input"]) for result in timed]
            plain = [this.ordinary(len(data)) for data in worst]
            seconds = this.times(worst + plain, folder)
            for result, data, bad, good in zip(timed, worst, seconds, seconds[len(worst) :]):
                print(f"natively, {len(data)} bytes (n = {result['size']}): {bad:.3g} s, ordinary input {good:.3g} s: {bad / max(good, 1e-9):.1f} times")
        if "known" in this.case:
            result = timed[-1] if timed else results[-1]
            cost = this.cost(this.known(result["size"], folder), folder)
            part = result["cost"] / cost if cost else float("nan")
            print(f"known bad input at n = {result['size']}: {short(cost)}; found is {part:.2f} of it")
            wrong += args.budget is not None and part < 0.9
        last = results[-1]["input"]
        print("worst:", {key: bytes(v % 256 for v in value[:60]) if this.case.get("element", "u8") in ("u8", "char") else value[:24] for key, value in last.items()})
        if args.fuzz:
            fuzz(this, args.fuzz, results, folder)
    return wrong


def fuzz(this, seconds, results, folder):
    """libFuzzer for as long, and what the slowest of its inputs costs here."""
    n = max(result["size"] for result in results if not result.get("at_least"))
    ours = next(result["cost"] for result in results if result["size"] == n)
    compiler = this.case["native"].get("compiler", "clang-19")
    program = this.build(folder / "fuzzer", ["-O1", "-fsanitize=fuzzer"], compiler)
    corpus = folder / "corpus"
    corpus.mkdir()
    most = len(this.bytes(next(result["input"] for result in results if result["size"] == n)))
    (corpus / "first").write_bytes(this.ordinary(most))
    options = [f"-max_total_time={seconds}", f"-max_len={most}", "-len_control=0", "-seed=1", "-timeout=60"]
    ran = subprocess.run([program, str(corpus), *options, f"-artifact_prefix={folder}/slow-"], capture_output=True, text=True)
    runs = re.findall(r"Done (\d+) runs", ran.stderr)
    ended = "" if runs else f" (it stopped: {(re.findall(r'SUMMARY: .*', ran.stderr) or ran.stderr.splitlines()[-1:])[0]})"
    inputs = [path.read_bytes() for path in [*corpus.iterdir(), *folder.glob("slow-*")] if path.is_file()]
    width = WIDTHS[this.case.get("element", "u8")] * len(this.case.get("inputs", ["data"]))
    inputs = [data[: len(data) - len(data) % width] for data in inputs if len(data) >= width]
    slowest = sorted(zip(this.times(inputs, folder), inputs), reverse=True)[:10]
    costs = [cost for cost in (this.cost(data, folder) for _, data in slowest) if cost]
    print(f"libFuzzer, {seconds} s, {runs[0] if runs else '?'} runs{ended}, {len(inputs)} inputs kept: slowest costs {short(max(costs))}, ours {short(ours)} (n = {n}): {ours / max(costs):.1f} times", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true", help="say which studies there are, and run nothing")
    parser.add_argument("--budget", help="as of slowpath analyze; the figures of the documents are of 120s")
    parser.add_argument("--effort", default="1e8")
    parser.add_argument("--fuzz", type=int, help="also run libFuzzer for so many seconds")
    parser.add_argument("--no-native", action="store_true", help="time nothing")
    parser.add_argument("--out", help="a folder for the documents")
    parser.add_argument("--found", help="a folder with documents of an earlier run: nothing is analysed again")
    parser.add_argument("--slowpath", default=str(ROOT / "target/release/slowpath"))
    args = parser.parse_args()
    every = sorted(path.stem for path in CASES.glob("*.toml"))
    if args.list:
        for name in every:
            print(f"{name}: {tomllib.loads((CASES / f'{name}.toml').read_text())['title']}")
        return 0
    names = every if args.all else args.names
    unknown = [name for name in names if name not in every]
    if unknown or not names:
        parser.error(f"no study {', '.join(unknown)}; there are {', '.join(every)}" if unknown else "name a study, or --all")
    wrong = 0
    for name in names:
        try:
            wrong += study(name, args)
        except Unavailable as error:
            print(f"\n## {name}: skipped, {error}", flush=True)
        except NotBuilt as error:
            print(f"not timed natively: {error}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
