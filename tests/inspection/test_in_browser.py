"""The page in headless Chromium, driven by WebDriver over plain HTTP."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from keras_cgru.inspection import Reading, write_page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="needs a browser: apt-get install chromium chromium-driver",
)

# As root a container has no sandbox; the others keep it from calling home.
OPTIONS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--disable-dev-shm-usage --window-size=1000,900""".split()
KEYS = {"Tab": "\ue004", "Right": "\ue014", "Left": "\ue012", "Escape": "\ue00c"}


class Browser:
    """What of WebDriver these tests need."""

    def __init__(self, port: int, profile: Path) -> None:
        self.url = f"http://127.0.0.1:{port}/session"
        options = {
            "binary": CHROMIUM,
            "args": [*OPTIONS, f"--user-data-dir={profile}"],
        }
        wanted = {
            "alwaysMatch": {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL"},
            }
        }
        made = self.send("", capabilities=wanted)
        self.url += f"/{made['sessionId']}"

    def send(self, path, method="POST", **body):
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.url + path, data, method=method)
        # No proxy: the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.send("/execute/sync", script=script, args=[])

    def open(self, path):
        self.send("/url", url=path.as_uri())

    def point_at(self, selector):
        x, y = self.run(
            f"const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'});"
            "const r = e.getBoundingClientRect();"
            "return [Math.round(r.x + r.width / 2), Math.round(r.y + 8)];"
        )
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        mouse = {"type": "pointer", "id": "mouse", "actions": [move]}
        self.send("/actions", actions=[mouse])

    def press(self, key):
        strokes = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        keys = {"type": "key", "id": "keys", "actions": strokes}
        self.send("/actions", actions=[keys])

    def lit(self):
        return self.run(
            "return [...document.querySelectorAll('mark.lit')].map(e => e.innerText)"
        )


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    process = subprocess.Popen(
        [DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            started = re.search(rb"started successfully on port (\d+)", line)
            if started:
                break
        session = Browser(int(started[1]), tmp_path_factory.mktemp("profile"))
        yield session
        session.send("", "DELETE")
    finally:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture
def page(browser, tmp_path, story, hostile):
    right = Reading("right", story.document, answers=story.answers, gold=("mary",))
    path = tmp_path / "page.html"
    write_page(path, [story, right, hostile], title="Three")
    browser.open(path)
    return browser


def words(lit):
    """The mentions without their numbers and whatever stands above and below them."""
    return [" ".join(re.match(r"\D+", each)[0].split()) for each in lit]


def test_pointing_at_a_mention_lights_its_chain_in_its_example(page):
    assert page.lit() == []
    page.point_at("article mark[data-c='2']")
    assert words(page.lit()) == ["the lamp", "it", "it", "the lamp"]
    about = page.run("return document.querySelector('.about').innerText")
    assert about.startswith("Chain 2: the lamp – it – it – the lamp | ")
    assert "lamp: α 1→ 0.60, 1← 0.30" in about
    faint = "return getComputedStyle(document.querySelector('mark:not(.lit)')).opacity"
    assert page.run(faint) == "0.3"
    page.point_at("h1")
    assert page.lit() == []


def test_the_keyboard_does_the_same(page):
    for _ in range(2):  # The choice of what to show comes first.
        page.press("Tab")
    assert words(page.lit()) == ["mary", "she"]
    focused = "return document.activeElement.innerText"
    assert page.run(focused).startswith("mary")
    page.press("Right")
    assert page.run(focused).startswith("she")
    assert words(page.lit()) == ["mary", "she"]
    page.press("Right")  # There is no further mention.
    assert page.run(focused).startswith("she")
    page.press("Left")
    assert page.run(focused).startswith("mary")
    page.press("Escape")
    assert page.lit() == []


def test_the_wrong_ones_alone_can_be_shown(page):
    shown = (
        "return [...document.querySelectorAll('article')]"
        ".filter(e => e.getClientRects().length).map(e => e.id)"
    )
    assert page.run(shown) == ["1", "2", "3"]
    page.run("document.querySelector('#wrong-only').click()")
    assert page.run(shown) == ["1", "3"]


def test_hostile_tokens_do_nothing_and_nothing_is_loaded(page):
    assert page.run("return document.title") == "Three"
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.run("return document.scripts.length") == 1
    # The policy stops a script that is not the page's own.
    page.run(
        "const e = document.createElement('script');"
        "e.textContent = 'document.title = 1'; document.body.append(e)"
    )
    assert page.run("return document.title") == "Three"
    wide = "return document.documentElement.scrollWidth <= window.innerWidth"
    assert page.run(wide)
    log = page.send("/se/log", type="browser")
    assert [each for each in log if "Security Policy" not in each["message"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colors_follow_the_browser(page, scheme):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.send(
        "/goog/cdp/execute",
        cmd="Emulation.setEmulatedMedia",
        params={"features": [feature]},
    )
    paper, ink = page.run(
        "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]"
    )
    light = {"light": paper, "dark": ink}[scheme]
    assert min(map(int, re.findall(r"\d+", light)[:3])) > 200
    png = base64.b64decode(page.send("/screenshot", "GET"))
    assert png.startswith(b"\x89PNG")
    # A chain's colour and the ink on it stay the same.
    mark = page.run("return getComputedStyle(document.querySelector('mark.k0')).color")
    assert mark == "rgb(0, 0, 0)"


def test_hundreds_of_examples_open_and_answer(browser, tmp_path, story):
    path = tmp_path / "many.html"
    write_page(path, [story] * 500)
    browser.open(path)
    assert browser.run("return document.querySelectorAll('article').length") == 500
    browser.point_at("article:last-of-type mark[data-c='2']")
    assert words(browser.lit()) == ["the lamp", "it", "it", "the lamp"]
