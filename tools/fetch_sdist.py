#!/usr/bin/env python3
"""Downloads a file of a Python package from the index that pip uses, and runs nothing of it.

    fetch_sdist.py PACKAGE FILE SHA256 OUT

(`pip download` of a source distribution runs its setup.py.) The index is PIP_INDEX_URL, or index-url of pip's
configuration, or PyPI; its certificates are PIP_CERT or `cert`, or the system's. A file with another hash is not kept.
"""

import configparser
import hashlib
import json
import os
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request
from html import unescape
from pathlib import Path

JSON = "application/vnd.pypi.simple.v1+json"
TIMEOUT_S = 60


def pip_setting(name):
    """A setting of pip: from the environment, else from the last of its configuration files that has it."""
    value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if value:
        return value
    home = Path.home()
    config_home = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    files = [Path("/etc/pip.conf"), Path("/etc/xdg/pip/pip.conf"), home / ".pip/pip.conf", config_home / "pip/pip.conf"]
    if os.environ.get("PIP_CONFIG_FILE"):
        files.append(Path(os.environ["PIP_CONFIG_FILE"]))
    for path in files:
        config = configparser.RawConfigParser()
        config.read(path)
        for section in ("global", "download"):
            value = config.get(section, name, fallback=value)
    return value


def get(url, context, accept="*/*"):
    """(where the answer came from, its bytes)"""
    request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "tenon-setup"})
    with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=context) as answer:
        return answer.url, answer.read()


def address_of(name, page_url, page):
    """The URL of the file on an index page, which is JSON (PEP 691) or HTML (PEP 503); None where it is not there."""
    if page.lstrip()[:1] == b"{":
        links = [(file["filename"], file["url"]) for file in json.loads(page)["files"]]
    else:
        found = re.findall(r"<a\b[^>]*\bhref\s*=\s*[\"']([^\"']+)[\"']", page.decode("utf-8", "replace"), re.I)
        addresses = [unescape(href).partition("#")[0] for href in found]
        links = [(urllib.parse.unquote(address.rpartition("/")[2]), address) for address in addresses]
    return next((urllib.parse.urljoin(page_url, url) for file, url in links if file == name), None)


def main(package, name, sha256, out):
    index = (pip_setting("index-url") or "https://pypi.org/simple").rstrip("/")
    context = ssl.create_default_context(cafile=pip_setting("cert"))
    try:
        page_url, page = get(f"{index}/{package}/", context, f"{JSON}, text/html;q=0.5")
        url = address_of(name, page_url, page)
        if url is None:
            sys.exit(f"fetch_sdist.py: {index}/{package}/ lists no {name}")
        data = get(url, context)[1]
    except (OSError, urllib.error.URLError) as error:
        sys.exit(f"fetch_sdist.py: {index}: {error}; is the network up, and pip's index-url right?")
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        sys.exit(f"fetch_sdist.py: {name} has the hash {found}, not the pinned {sha256}; nothing was kept")
    Path(out).write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
