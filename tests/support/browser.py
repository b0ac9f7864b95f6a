"""A page in a real browser: what it shows, and what it asks for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TELLING = """
<meta http-equiv="Content-Security-Policy" content="default-src data: 'unsafe-inline'">
<script>
const told = {asked: [], errors: [], pictures: []};
addEventListener("error", event => told.errors.push(String(event.message)), true);
addEventListener("securitypolicyviolation", event => told.asked.push(event.blockedURI));
addEventListener("load", () => {
    told.pictures = [...document.images].map(each => [each.naturalWidth, each.naturalHeight]);
    document.body.innerHTML = "";
    document.body.append("told" + JSON.stringify(told) + "told");
});
</script>
"""


def browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        if os.environ.get("KENG_BROWSER") == "required":
            pytest.fail("no browser, and KENG_BROWSER says that one is required")
        pytest.skip(f"no browser here: none of {', '.join(BROWSERS)}")
    return found


def opened(page: Path, *options: str) -> str:
    """What the browser prints that opens a page."""
    done = subprocess.run(
        [
            *(browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *(f"--user-data-dir={page.parent / 'profile'}", "--window-size=900,2400"),
            *(*options, page.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def pixels(page: Path, dark: bool) -> Image.Image:
    """What the browser shows of a page."""
    shot = page.with_suffix(".png")
    scheme = f"--blink-settings=preferredColorScheme={int(not dark)}"
    opened(page, scheme, f"--screenshot={shot}")
    with Image.open(shot) as image:
        return image.convert("RGB")


def loaded(page: Path) -> dict[str, Any]:
    """What a page asked for (data in the page itself is not asked for), the errors of its console, and
    the sizes of its pictures; a copy of it is opened that tells."""
    copy = page.with_name(f"telling-{page.name}")
    copy.write_text(page.read_text("utf-8").replace("<head>", f"<head>{TELLING}", 1), "utf-8")
    told = re.search(r"told(\{.*\})told</body>", opened(copy, "--dump-dom"), re.DOTALL)
    assert told, "the page was not loaded to its end"
    return json.loads(unescape(told[1]))  # type: ignore[no-any-return]
