"""A Debian of its own in a folder, made by debootstrap, in which a package is installed by apt and used.

Each command runs in namespaces of its own for mounts and processes, so that nothing stays mounted and no daemon stays behind.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import urllib.request

MIRROR = "http://deb.debian.org/debian"
USER = "reader"
USER_ID = 1000


def lacks():
    """The reason why there can be no such root here, or None."""
    if os.geteuid() != 0:
        return "only root may make a bare root"
    for program in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(program):
            return f"there is no {program}; tools/setup --editors installs debootstrap"
    try:
        urllib.request.urlopen(MIRROR + "/dists/bookworm/Release", timeout=20).close()
    except OSError as error:
        return f"{MIRROR} cannot be reached: {error}"
    return None


class BareRoot:
    def __init__(self, folder, suite="bookworm"):
        """Takes a minute and the network; AssertionError with what debootstrap said."""
        self.path = pathlib.Path(folder)
        done = subprocess.run(["debootstrap", "--variant=minbase", suite, self.path, MIRROR], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"debootstrap {suite}: {done.stdout[-2000:]}{done.stderr}")
        # No service is started by installing a package.
        self.write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n").chmod(0o755)
        self.run("useradd", "--create-home", "--uid", str(USER_ID), "--shell", "/bin/bash", USER)
        self.home = self.path / "home" / USER

    def write(self, name, text):
        """A file, which belongs to the user where it lies in the user's home."""
        file = self.path / name
        folders = [folder for folder in reversed(file.parents) if not folder.exists()]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if name.startswith("home/"):
            for made in [*folders, file]:
                os.chown(made, USER_ID, USER_ID)
        return file

    def command(self, *words, user=None, environment=None, shared=()):
        """The words of a command that runs WORDS inside, as root or as a user; SHARED folders of the outside are seen inside, too."""
        home = f"/home/{user}" if user else "/root"
        variables = {"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "xterm",
                     "DEBIAN_FRONTEND": "noninteractive", **(environment or {})}
        root = shlex.quote(str(self.path))
        mounts = [f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]
        for folder in shared:
            inside = shlex.quote(f"{self.path}{folder}")
            mounts.append(f"mkdir -p {inside} && mount --bind {shlex.quote(str(folder))} {inside}")
        change = ["chroot", *([f"--userspec={USER_ID}:{USER_ID}"] if user else []), str(self.path)]
        enter = [*change, "env", "-i", *(f"{name}={value}" for name, value in variables.items()), "sh", "-c", 'cd "$HOME" && exec "$@"', "sh"]
        script = " && ".join([*mounts, "exec " + shlex.join(enter) + ' "$@"'])
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh", *map(str, words)]

    def run(self, *words, check=True, **how):
        done = subprocess.run(self.command(*words, **how), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{shlex.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def install(self, *packages):
        apt = ["apt-get", "-y", "-q", "-o", "Acquire::Retries=3"]
        self.run(*apt, "update")
        self.run(*apt, "--no-install-recommends", "install", *packages)
