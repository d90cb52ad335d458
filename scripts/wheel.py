#!/usr/bin/env python3
"""Makes a wheel of a library that cargo has built already, with nothing but Python's own library.

`pip install .` has maturin do the same, but that builds everything anew. What is in the wheel is said once, in pyproject.toml.

    scripts/wheel.py [--library target/release/libslowpath_python.so] [--out target/packages] [--bundle]
"""

import argparse
import base64
import hashlib
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
TAG = "cp39-abi3"


def metadata(project: dict, version: str) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown; charset=UTF-8",
    ]
    lines += [f"License-File: {file}" for file in project["license-files"]]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]
    lines += [f"Project-URL: {name}, {url}" for name, url in project["urls"].items()]
    for extra, needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package} ; extra == "{extra}"' for package in needed]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text(encoding="utf-8")


def platform() -> str:
    return re.sub(r"[-. ]", "_", sysconfig.get_platform())


def z3_of(library: Path) -> Path:
    """Where the linker finds Z3. A library looks for it beside itself first (crates/python/build.rs)."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = re.search(r"libz3\S* => (\S+)", listed)
    if not found:
        sys.exit(f"{library} is not linked with a Z3 that is there")
    return Path(found[1])


def contents(library: Path, project: dict, version: str) -> dict:
    """What is in it, but for the list of it."""
    info = f"slowpath-{version}.dist-info"
    source = ROOT / "crates/python/python"
    files = {
        str(file.relative_to(source)): file.read_bytes()
        for file in sorted((source / "slowpath").rglob("*"))
        if file.suffix in (".py", ".pyi", ".typed") or file.name == "py.typed"
    }
    files["slowpath/_native.abi3.so"] = library.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    wheel = f"Wheel-Version: 1.0\nGenerator: slowpath\nRoot-Is-Purelib: false\nTag: {TAG}-{platform()}\n"
    files[f"{info}/WHEEL"] = wheel.encode()
    scripts = "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    for license in project["license-files"]:
        files[f"{info}/licenses/{license}"] = (ROOT / license).read_bytes()
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, default=ROOT / "target/release/libslowpath_python.so")
    parser.add_argument("--out", type=Path, default=ROOT / "target/packages")
    parser.add_argument("--bundle", action="store_true", help="with the Z3 that the library was linked with")
    args = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    files = contents(args.library, project, version)
    if args.bundle:
        z3 = z3_of(args.library)
        files[f"slowpath/{z3.name}"] = z3.read_bytes()
    record = f"slowpath-{version}.dist-info/RECORD"
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}")
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / f"slowpath-{version}-{TAG}-{platform()}.whl"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # The date of a file in a wheel is of no use, and without it the same files make the same wheel.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            # The tests install it at once, so quickly rather than small.
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, compresslevel=9 if args.bundle else 1)
    print(file)


if __name__ == "__main__":
    main()
