#!/usr/bin/env python3
"""Runs the tests of the VS Code extension.

usage: vscode_test.py units
       vscode_test.py browser TENON SUITE… [--vsix FILE] [--only PATTERN] [--pictures] [--minutes N]

units: checks all types and runs the tests of modules that need no VS Code. Node.js and the npm packages come from the cache;
where they are not there and cannot be fetched, exit status 77 says that nothing was tested.
browser: drives the packed extension in a real VS Code, with servers whose answers are written down and with TENON itself.
Exit status 77 where tools/setup_vscode has not been run.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "tests" / "editors" / "vscode"
EXTENSION = ROOT / "editors" / "vscode"
SKIPPED = 77


def skip(reason):
    print(f"SKIPPED, NOTHING WAS TESTED: {reason}")
    sys.exit(SKIPPED)


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def bundle(node, sources, out):
    command = [node, EXTENSION / "build.mjs", "--tests", out, *sources]
    subprocess.run(command, check=True, cwd=EXTENSION)
    return [str(out / source.with_suffix(".cjs").name) for source in sources]


def node_with_packages():
    folder = output_of(ROOT / "tools" / "setup_node")
    if folder is None or output_of(ROOT / "tools" / "setup_npm", EXTENSION) is None:
        skip("Node.js or the packages of editors/vscode could not be fetched; tools/build_vsix says why")
    if output_of(ROOT / "tools" / "setup_npm", HERE) is None:
        skip("the packages of tests/editors/vscode could not be fetched")
    return str(Path(folder) / "node")


def units(options):
    node = node_with_packages()
    subprocess.run([node, EXTENSION / "node_modules" / "typescript" / "bin" / "tsc", "-p", EXTENSION], check=True)
    tests = bundle(node, sorted(HERE.glob("*_test.ts")), ROOT / "build" / "vscode" / "units")
    return subprocess.run([node, "--test", *tests], check=False, cwd=ROOT).returncode


def browser(options):
    where = output_of(ROOT / "tools" / "setup_vscode", "--where")
    if where is None:
        skip("there is no VS Code with a browser; run tools/setup_vscode (a minute and a half, once)")
    node = node_with_packages()
    if options.vsix is None:
        subprocess.run([ROOT / "tools" / "build_vsix"], check=True)
    out = ROOT / "build" / "vscode" / "browser"
    tests = bundle(node, [HERE / name for name in options.suites], out)
    environment = dict(
        os.environ,
        NODE_PATH=str(HERE / "node_modules"),
        TENON_CODE_SERVER=where,
        TENON_VSIX=str(options.vsix or ROOT / "build" / "vscode" / "tenon.vsix"),
        TENON_TESTS=str(HERE),
        TENON_PROGRAM=str(Path(options.tenon).resolve()),
        TENON_PICTURES=str(ROOT / "docs" / "pictures") if options.pictures else "",
        TENON_MINUTES=str(options.minutes))
    only = [] if options.only is None else [f"--test-name-pattern={options.only}"]
    command = [node, "--test", "--test-concurrency=1", *only, *tests]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    kinds.add_parser("units").set_defaults(run=units)
    of_browser = kinds.add_parser("browser")
    of_browser.add_argument("tenon")
    of_browser.add_argument("suites", nargs="+", metavar="SUITE", help="such as scripted_browser.ts")
    of_browser.add_argument("--vsix", type=Path, help="the extension, packed; else it is packed from this checkout")
    of_browser.add_argument("--only", metavar="PATTERN", help="tests whose names match")
    of_browser.add_argument("--pictures", action="store_true", help="write the pictures of docs/pictures anew")
    of_browser.add_argument("--minutes", type=float, default=0.5, help="of random typing")
    of_browser.set_defaults(run=browser)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
