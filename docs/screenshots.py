"""Makes pictures of what TensorBoard shows of a run, one a tab.

    python recipes/lambada.py --embeddings --run-dir RUN
    python docs/screenshots.py RUN --output docs/images

It starts TensorBoard on the run and drives headless Chromium by WebDriver, over plain
HTTP: apt-get install chromium chromium-driver. Nothing is fetched from elsewhere.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_cgru.command_line import Positional, refuse, run_command, say
from keras_cgru.files import atomic_write, check_output_folder, to_path

TABS = {
    "scalars": "#scalars&tagFilter=(batch%7Cepoch)_(own_)%3F(loss%7Caccuracy%7Cexp)",
    "timeseries": "#timeseries",
    "images": "#images",
    "distributions": "#distributions",
    "histograms": "#histograms",
    "text": "#text",
    "hparams": "#hparams",
    "projector": "#projector",
}
# As root a container has no sandbox. The projector draws with WebGL, in software here.
OPTIONS = """--headless --no-sandbox --disable-quic --no-first-run
--use-angle=swiftshader --enable-unsafe-swiftshader --hide-scrollbars
--disable-background-networking --disable-component-update --disable-sync
--disable-dev-shm-usage""".split()
# Looks through the roots of TensorBoard's elements, too.
FIND = """
const all = (root, css) => [...root.querySelectorAll(css),
  ...[...root.querySelectorAll('*')].filter(e => e.shadowRoot)
    .flatMap(e => all(e.shadowRoot, css))];
"""


# What TensorBoard writes in a tab without data.
NOTHING = re.compile(
    r"No \w+ data was found|No dashboards are active|no dashboard by the name"
)


@dataclass(frozen=True)
class Settings:
    """Make pictures of what TensorBoard shows of a run."""

    run: Positional[str]
    """Folder of the run."""
    output: str = "screenshots"
    """Folder for the pictures."""
    tabs: tuple[str, ...] = tuple(TABS)
    """Which tabs."""
    width: int = 1400
    """Pixels of the browser's window."""
    height: int = 1000
    """Pixels of the browser's window."""
    seconds: float = 15.0
    """Time that a tab is given to draw itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    return run_command(
        shoot, Settings, name="screenshots", description=__doc__, arguments=arguments
    )


def shoot(settings: Settings) -> int:
    for tab in settings.tabs:
        if tab not in TABS:
            refuse("tabs", f"some of {', '.join(TABS)}", tab)
    run = to_path(settings.run, "run")
    if not run.is_dir():
        refuse("run", "the folder of a run", run)
    output = check_output_folder(settings.output)
    output.mkdir(parents=True, exist_ok=True)
    empty = []
    with tensorboard(run) as address, browser(settings) as session:
        for tab in settings.tabs:
            # Another page first: a change of the fragment alone loads nothing.
            send(session, "/url", url="about:blank")
            send(session, "/url", url=f"{address}{TABS[tab]}")
            time.sleep(settings.seconds)
            prepare(session, tab)
            if NOTHING.search(text_of(session)):
                empty.append(tab)
            path = output / f"tensorboard-{tab}.png"
            with atomic_write(path) as file:
                file.write(base64.b64decode(send(session, "/screenshot", "GET")))
            say(str(path))
    if empty:
        say(
            f"Nothing to see in {', '.join(empty)}: was the run given --embeddings, "
            "and is it finished?"
        )
    return 1 if empty else 0


def text_of(session: str) -> str:
    """What is written on the page."""
    script = FIND + (
        "return all(document, '*').filter(e => !e.children.length && "
        "e.getClientRects().length).map(e => e.textContent.trim()).join('\\n');"
    )
    return str(send(session, "/execute/sync", script=script, args=[]))


def prepare(session: str, tab: str) -> None:
    """Opens what a tab keeps closed."""
    scripts = {
        # The pictures in their own size.
        "images": "all(document, 'paper-checkbox,mat-checkbox').filter(e => "
        "/actual image size/i.test(e.innerText)).forEach(e => e.click());",
    }
    if tab in scripts:
        send(session, "/execute/sync", script=FIND + scripts[tab], args=[])
        time.sleep(4)


@contextmanager
def tensorboard(folder: Path) -> Iterator[str]:
    """Starts it; gives its address."""
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(folder)]
    with started([*command, "--port", "0"], r"at (http://\S+/)") as address:
        yield address


@contextmanager
def browser(settings: Settings) -> Iterator[str]:
    """Starts the browser; gives the address of its session."""
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if not (driver and chromium):
        raise FileNotFoundError(
            "chromium and chromedriver must be there: apt-get install chromium "
            "chromium-driver"
        )
    size = f"--window-size={settings.width},{settings.height}"
    with (
        tempfile.TemporaryDirectory() as profile,
        started([driver, "--port=0"], r"successfully on port (\d+)") as port,
    ):
        arguments = [*OPTIONS, size, f"--user-data-dir={profile}"]
        options = {"binary": chromium, "args": arguments}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options}}
        base = f"http://127.0.0.1:{port}/session"
        session = f"{base}/{send(base, '', capabilities=wanted)['sessionId']}"
        try:
            yield session
        finally:
            send(session, "", "DELETE")


@contextmanager
def started(command: list[str], ready: str) -> Iterator[str]:
    """Runs a program in the background; gives what it says when it is ready."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if found := re.search(ready, line):
                yield found[1]
                return
        raise RuntimeError(f"{command[0]} did not start: {''.join(said)[-2000:]}")
    finally:
        process.terminate()
        process.wait(timeout=20)


def send(address: str, path: str, method: str = "POST", **body: Any) -> Any:
    """A command of WebDriver, and its answer."""
    data = json.dumps(body).encode() if method == "POST" else None
    request = urllib.request.Request(address + path, data, method=method)
    # No proxy: the driver is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=120) as answer:
        return json.load(answer)["value"]


if __name__ == "__main__":
    sys.exit(main())
