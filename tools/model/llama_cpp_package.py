"""llama.cpp, prebuilt: npm's node-llama-cpp, pinned, in ${XDG_CACHE_HOME:-~/.cache}/tenon/deps."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

VERSION = "3.22.1"
# As npm's registry states them; every other package is of node-llama-cpp's own choice, and no script of any is run.
PACKAGES = {
    "node-llama-cpp": "sha512-bltIipuWmc123H7tMIgDGKSsSrhmhlQYeVUC48XTjVW7XGJJiJJyCdlTMzQ/LiWoPkGDpcL4FviDpgw7qfTiDw==",
    "@node-llama-cpp/linux-x64": "sha512-5uCCDNqWCNfaAm8aR/Uzxbo4HBpKgNF91kCHPepKhgMgV2OAmatoefbOlMihsqCiH2Od35E/eUHQCFbfRBJuOg==",
}


class PackageError(Exception):
    """What is wrong, and what to do."""

    def __init__(self, what, remedy):
        super().__init__(f"{what}; {remedy}")
        self.what, self.remedy = what, remedy


def folder_of(variable, default):
    return Path(os.environ.get(variable) or Path.home() / default) / "tenon"


def check_integrity(folder):
    lock = folder / "node_modules/.package-lock.json"
    held = json.loads(lock.read_text(encoding="utf-8"))["packages"] if lock.is_file() else {}
    for name, integrity in PACKAGES.items():
        found = held.get(f"node_modules/{name}", {}).get("integrity")
        if found != integrity:
            raise PackageError(f"{folder}: {name} has the hash {found}, not the pinned {integrity}",
                               f"remove {folder} and check npm's registry")


def package_folder():
    """Where node-llama-cpp is installed, or will be."""
    return folder_of("XDG_CACHE_HOME", ".cache") / "deps" / f"node-llama-cpp-{VERSION}"


def install():
    """Where node-llama-cpp is installed; installs it the first time (85 MB)."""
    folder = package_folder()
    if folder.is_dir():
        check_integrity(folder)
        return folder
    if not shutil.which("npm"):
        raise PackageError("npm is not installed", "install node 20 and npm")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        (scratch / "package.json").write_text('{"private": true}\n')
        command = ["npm", "install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run([*command, *(f"{name}@{VERSION}" for name in PACKAGES)], cwd=scratch, capture_output=True, text=True)
        if done.returncode != 0:
            raise PackageError(f"npm could not install node-llama-cpp {VERSION}: {done.stderr.strip()}",
                               "check the network and npm's registry")
        check_integrity(scratch)
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def library():
    """A folder with include/ and lib/ of llama.cpp, to compile and link with; made the first time."""
    package = install()
    folder = package.parent / f"llama-cpp-library-{VERSION}"
    if folder.is_dir():
        return folder
    scratch = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        # The package carries the sources that its libraries were built from, as a bundle of git.
        bundle = package / "node_modules/node-llama-cpp/llama/gitRelease.bundle"
        sources = scratch / "sources.git"
        git = lambda *words: subprocess.run(["git", *map(str, words)], check=True, capture_output=True)
        git("clone", "--quiet", "--bare", bundle, sources)
        headers = scratch / "include"
        headers.mkdir()
        listed = git("-C", sources, "ls-tree", "--name-only", "HEAD", "include/", "ggml/include/").stdout.decode()
        for name in listed.split():
            if name.endswith(".h"):
                (headers / Path(name).name).write_bytes(git("-C", sources, "show", f"HEAD:{name}").stdout)
        shutil.rmtree(sources)
        libraries = scratch / "lib"
        libraries.mkdir()
        built = package / "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"
        for path in sorted(built.glob("lib*.so")):
            # Under the name that others find it by, and under the name that programs linked with it load.
            for name in {path.name, path.name.split(".")[0] + ".so"}:
                (libraries / name).symlink_to(os.path.relpath(path, folder / "lib"))
        scratch.rename(folder)
    except subprocess.CalledProcessError as error:
        raise PackageError(f"git could not read {bundle}: {error.stderr.decode().strip()}", f"remove {package} and try again") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder
