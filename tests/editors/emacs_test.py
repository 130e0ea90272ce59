#!/usr/bin/env python3
"""The Emacs package in the real Emacs: the tests of emacs_test.el, and what MELPA asks of a package.

usage: emacs_test.py [TENON]
       emacs_test.py --newer
       emacs_test.py --rules
       emacs_test.py --random SECONDS SEED TENON

The tests load tenon.el by its path, as older settings do, and once more byte-compiled. With --newer: the same in the Emacs of the
Debian after bookworm (30.1), in a bare root, without TENON. With --rules: byte-compiling without a warning, checkdoc, package-lint,
and an installation by package.el. With --random: random typing (emacs_random.el) with the byte-compiled package. TENON is the program
for the test with a model.
Where there is no Emacs it says so and exits with 77, which ctest counts as skipped.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "package"))
from bare_root import BareRoot, lacks  # noqa: E402

FOLDER = HERE.parents[1] / "editors" / "emacs"
PACKAGE = FOLDER / "tenon.el"
SKIPPED = 77
# MELPA wants it; the project has no address yet.
NO_ADDRESS = "Package should have a Homepage or URL header."
QUIET = "Loading "


def emacs(arguments, folder, **environment):
    """(exit status, what it printed) in a home of its own."""
    command = ["emacs", "-q", "--batch", *arguments]
    environment = dict(os.environ, HOME=str(folder), XDG_CACHE_HOME=str(folder), **environment)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
    return result.returncode, [line for line in result.stdout.splitlines() if line and not line.startswith(QUIET)]


def compiled(folder):
    """The byte-compiled tenon.elc, beside it the other files and their sources; SystemExit with the compiler's words."""
    copy = folder / "package"
    shutil.copytree(FOLDER, copy)
    sources = [str(path) for path in sorted(copy.glob("*.el"))]
    strict = ["--eval", "(setq byte-compile-error-on-warn t)"]
    status, said = emacs(["-L", str(copy), *strict, "-f", "batch-byte-compile", *sources], folder)
    if status != 0:
        sys.exit("\n".join(said))
    return copy / "tenon.elc"


def faults_of_installation(folder):
    """What goes wrong where package.el installs the folder and a later Emacs uses the package."""
    home = folder / "home"
    home.mkdir()
    # The archives of packages are not asked: nothing of them is needed.
    install = f'(progn (require (quote package)) (package-initialize) (package-install-file "{FOLDER}"))'
    use = "(progn (require (quote package)) (package-initialize) (with-temp-buffer (python-mode) (tenon-mode)) (tenon-restart))"
    faults = []
    for form in (install, use):
        status, said = emacs(["--eval", '(setq tenon-program "there is none")', "--eval", form], home)
        faults += [line for line in said if "arning" in line or "rror" in line] + ([] if status == 0 else said)
    return faults


def rules(folder):
    """What is wrong with the package."""
    package = compiled(folder).with_suffix(".el")
    sources = sorted(package.parent.glob("*.el"))
    faults = faults_of_installation(folder)
    for source in sources:
        faults += emacs(["--eval", f'(checkdoc-file "{source}")'], folder)[1]
    main = ["--eval", f'(setq package-lint-main-file "{package}")']
    status, said = emacs(["-l", "package-lint", *main, "-f", "package-lint-batch-and-exit", *map(str, sources)], folder)
    if any("Cannot open load file" in line for line in said):
        print("SKIPPED in part: package-lint is not installed; tools/setup --editors installs it")
    else:
        faults += [line for line in said if NO_ADDRESS not in line and not line.startswith("Entering directory")]
    return faults


def newer():
    """The tests in the Emacs of Debian trixie; takes two minutes, the network and the rights of root."""
    if reason := lacks():
        print(f"SKIPPED: {reason}")
        return SKIPPED
    repository = HERE.parents[1]
    with tempfile.TemporaryDirectory() as name:
        root = BareRoot(pathlib.Path(name) / "root", "trixie")
        root.install("emacs-nox", "python3")
        print(root.run("emacs", "--version").stdout.splitlines()[0])
        done = root.run("python3", "-B", HERE / "emacs_test.py", check=False, shared=[repository])
        print(done.stdout, done.stderr)
        return done.returncode


def main():
    if sys.argv[1:] == ["--newer"]:
        return newer()
    if not shutil.which("emacs"):
        print("SKIPPED: there is no emacs; tools/setup --editors installs it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if sys.argv[1:2] == ["--rules"]:
            faults = rules(folder)
            print("\n".join(faults))
            return 1 if faults else 0
        environment = {"TENON_SCRIPTED": str(HERE / "scripted_server.py")}
        script = ["-l", str(HERE / "emacs_test.el"), "-f", "ert-run-tests-batch-and-exit"]
        packages = [PACKAGE, compiled(folder)]
        if sys.argv[1:2] == ["--random"]:
            environment.update(TENON_SECONDS=sys.argv[2], TENON_SEED=sys.argv[3])
            script = ["-l", str(HERE / "emacs_random.el")]
            packages = packages[1:]
        if len(sys.argv) > 1:
            environment["TENON_PROGRAM"] = str(pathlib.Path(sys.argv[-1]).resolve())
            environment["XDG_DATA_HOME"] = os.environ.get("XDG_DATA_HOME") or str(pathlib.Path.home() / ".local" / "share")
        worst = 0
        for package in packages:
            status, said = emacs(script, folder, TENON_EL=str(package), **environment)
            print(f"{package.name}:", *said, sep="\n")
            worst = worst or status
        return worst


if __name__ == "__main__":
    sys.exit(main())
