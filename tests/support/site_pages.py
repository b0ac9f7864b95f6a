"""The documentation as it is served, and a browser that reads it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from browser import browser

HOME = Path(__file__).parent.parent.parent
DOCS = HOME / "docs"
WANTED = "KENG_WEB"
"""Set by `make test-web`: tests run that build the site or an extension, which takes minutes."""


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("no node here")
    return found


def only_with_web() -> None:
    if not os.environ.get(WANTED):
        pytest.skip("`make test-web` runs it: it builds what it tests, from the npm registry")


def built(folder: Path) -> Path:
    """The site of this checkout, with keng for the browser."""
    given = os.environ.get("KENG_SITE")
    if given:
        return Path(given)
    command = [sys.executable, str(HOME / "tools/build_site.py"), "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


class Served:
    """A folder on a port of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        handler = partial(_Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser that finds no other host than this machine."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright here")
    rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    with playwright.sync_playwright() as driver:
        open_ = driver.chromium.launch(executable_path=browser(), args=["--no-sandbox", rules])
        yield open_
        open_.close()
