"""TensorBoard itself, started on a run of the recipe: what each of its tabs is given.

TENSORBOARD_TESTS=1 python -m pytest tests/tensorboard_http
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import keras
import numpy as np
import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
pytestmark = [
    pytest.mark.skipif(
        os.environ.get("TENSORBOARD_TESTS") != "1",
        reason="takes minutes: TENSORBOARD_TESTS=1",
    ),
    pytest.mark.skipif(
        keras.backend.backend() == "torch", reason="the recipes run on the others"
    ),
]

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = """--simulated --limit 200 --units 8 --layers 2 --batch-size 8 --epochs 3
--update-freq 5 --seed 3 --gradient-norm --embeddings --readings 2""".split()
UPDATES = 25  # an epoch
LAYERS = [f"layer_{n}/{way}" for n in (1, 2) for way in ("forward", "backward")]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A tiny run's folder, two folders below that of all runs."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    command = [sys.executable, str(ROOT / "recipes" / "lambada.py"), *OPTIONS]
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    subprocess.run(
        [*command, "--run-dir", str(folder)],
        check=True,
        timeout=600,
        env=os.environ
        | {
            "KERAS_BACKEND": keras.backend.backend(),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        },
    )
    return folder


class Server:
    """TensorBoard's data over HTTP."""

    def __init__(self, address):
        self.address = address

    def fetch(self, path, body=None, **query):
        url = f"{self.address}data/{path}"
        if query:
            url += f"?{urllib.parse.urlencode(query)}"
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(url, data, headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as answer:
            return answer.read()

    def json(self, path, body=None, **query):
        return json.loads(self.fetch(path, body, **query))

    def tags(self, plugin):
        return self.json(f"plugin/{plugin}/tags")

    def wait_until(self, ready, seconds=120):
        """TensorBoard reads on while it answers."""
        until = time.monotonic() + seconds
        while not ready():
            assert time.monotonic() < until, self.json("runs")
            time.sleep(0.5)


@pytest.fixture(scope="module", params=["python", "data server"])
def server(run, request):
    """It reads event files in Python, or by a program of its own if that is there."""
    if request.param == "data server":
        pytest.importorskip("tensorboard_data_server")
    fast = "false" if request.param == "python" else "true"
    command = [sys.executable, "-m", "tensorboard.main", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--logdir", str(run.parent), "--load_fast", fast],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"at (http://\S+/)", line):
                break
        started = Server(found[1])
        names = {"tiny", "tiny/train", "tiny/validation"}
        started.wait_until(lambda: set(started.json("runs")) >= names)
        started.wait_until(
            lambda: "predictions" in started.tags("text").get("tiny", {})
        )
        started.wait_until(lambda: len(curve(started, "validation", "epoch_loss")) == 3)
        yield started
    finally:
        process.terminate()
        process.wait(timeout=20)


def curve(server, folder, tag):
    """[(step, value)] of a scalar; none where it is not read yet."""
    if tag not in server.tags("scalars").get(f"tiny/{folder}", {}):
        return []
    path = "plugin/scalars/scalars"
    points = server.json(path, run=f"tiny/{folder}", tag=tag)
    return [(step, value) for _, step, value in points]


def test_every_tab_is_active(server):
    # The projector looks for its files in the background.
    names = {"scalars", "images", "text", "histograms", "distributions", "hparams"}
    names |= {"timeseries", "projector"}
    listing = "plugins_listing"
    server.wait_until(
        lambda: all(server.json(listing)[name]["enabled"] for name in names)
    )


def test_scalars(server, run):
    with open(run / "metrics.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    ends = [UPDATES * (n + 1) for n in range(3)]
    for name in ("loss", "accuracy"):
        for folder, column in (("train", name), ("validation", f"val_{name}")):
            wanted = [float(row[column]) for row in rows]
            steps, values = zip(*curve(server, folder, f"epoch_{name}"), strict=True)
            assert list(steps) == ends
            assert values == pytest.approx(wanted, rel=1e-5)
    validation = [float(row["val_loss"]) for row in rows]
    _, shares = zip(*curve(server, "validation", "epoch_exp(-loss)"), strict=True)
    assert shares == pytest.approx(np.exp(-np.array(validation)), rel=1e-5)
    points = list(range(5, 3 * UPDATES + 1, 5))
    names = """batch_loss batch_own_loss batch_own_accuracy batch_learning_rate
    batch_examples_per_second batch_gradient_norm""".split()
    for name in names:
        steps, values = zip(*curve(server, "train", name), strict=True)
        assert list(steps) == points and min(values) >= 0
    rates = [value for _, value in curve(server, "train", "batch_learning_rate")]
    assert rates == pytest.approx([0.001] * len(points))
    for layer in LAYERS:
        means = curve(server, "validation", f"alpha_mean/document/{layer}")
        assert [step for step, _ in means] == ends
        assert all(0 < value < 1 for _, value in means)
    metrics = json.loads((run / "metrics.json").read_text())
    place = {"run": "tiny", "tag": "test_accuracy"}
    (point,) = server.json("plugin/scalars/scalars", **place)
    assert point[-1] == pytest.approx(metrics["accuracy_overall"])


def test_images(server):
    tags = server.tags("images")
    assert set(tags) == {"tiny/validation"}
    names = {f"reading/{n}/image" for n in (1, 2)}
    assert set(tags["tiny/validation"]) == names
    for tag in names:
        place = {"run": "tiny/validation", "tag": tag, "sample": 0}
        found = server.json("plugin/images/images", **place)
        assert [each["step"] for each in found] == [25, 50, 75]
        content = server.fetch(f"plugin/images/individualImage?{found[-1]['query']}")
        assert content.startswith(b"\x89PNG")
        width = int.from_bytes(content[16:20], "big")
        assert width == 480


def test_text(server):
    tags = server.tags("text")
    assert set(tags["tiny"]) == {"config", "predictions"}
    texts = {f"reading/{n}/text" for n in (1, 2)}
    assert set(tags["tiny/validation"]) == texts

    def text(run, tag):
        return server.json("plugin/text/text", run=run, tag=tag)[-1]["text"]

    config = text("tiny", "config")
    assert "<table>" in config
    assert re.search(r"<td>settings.units</td>\s*<td><code>8</code></td>", config)
    predictions = text("tiny", "predictions")
    assert "The first 10 of 200 test examples (SIMULATED" in predictions
    assert predictions.count("<pre>") == 10
    reading = text("tiny/validation", "reading/1/text")
    assert "epoch: 3" in reading and "Document" in reading


@pytest.mark.parametrize("plugin", ["histograms", "distributions"])
def test_histograms_and_distributions(server, plugin):
    tags = server.tags(plugin)
    for layer in LAYERS:
        assert f"alpha/document/{layer}" in tags["tiny/validation"]
    ways = [
        f"{text}_{n}/{way}"
        for text in ("document", "query")
        for n in (1, 2)
        for way in ("forward", "backward")
    ]
    names = ("kernel", "recurrent_kernel", "bias", "keys")
    wanted = {f"weights/{way}/{name}" for way in ways for name in names}
    assert set(tags["tiny/train"]) == wanted
    place = {"run": "tiny/train", "tag": "weights/document_1/forward/keys"}
    found = server.json(f"plugin/{plugin}/{plugin}", **place)
    assert [step for _, step, _ in found] == [25, 50, 75]


def test_hparams(server, run):
    experiment = server.json("plugin/hparams/experiment", {"experimentName": ""})
    infos = {each["name"] for each in experiment["hparamInfos"]}
    assert {"recurrence", "units", "seed", "data", "learning_rate"} <= infos
    assert not infos & {"run_dir", "data_dir", "resume", "update_freq"}
    groups = server.json(
        "plugin/hparams/session_groups",
        {
            "startIndex": 0,
            "sliceSize": 9,
            "allowedStatuses": ["STATUS_SUCCESS"],
            "colParams": [],
        },
    )["sessionGroups"]
    (group,) = groups
    assert (group["name"], group["hparams"]["units"]) == ("tiny", 8)
    assert group["hparams"]["recurrence"] == "coref_gru"
    metrics = json.loads((run / "metrics.json").read_text())
    values = {v["name"]["tag"]: v["value"] for v in group["metricValues"]}
    assert values == {
        "test_accuracy": pytest.approx(metrics["accuracy_overall"]),
        "validation_accuracy": pytest.approx(metrics["validation_accuracy"]),
    }


def test_projector(server, run):
    server.wait_until(lambda: server.json("plugin/projector/runs") == ["tiny"])
    info = server.json("plugin/projector/info", run="tiny")
    (words,) = info["embeddings"]
    count, dim = words["tensorShape"]
    place = {"run": "tiny", "name": "words"}
    tensor = np.frombuffer(server.fetch("plugin/projector/tensor", **place), "float32")
    vectors = tensor.reshape(count, dim)
    lines = server.fetch("plugin/projector/metadata", **place).decode().splitlines()
    assert lines[0] == "word\tcount" and len(lines) == count + 1
    counts = [int(line.split("\t")[1]) for line in lines[1:]]
    assert counts == sorted(counts, reverse=True) and counts[0] > 0
    model = keras.models.load_model(run / "best.keras", compile=False)
    table = keras.ops.convert_to_numpy(model.get_layer("embedding").embeddings)
    kept = json.loads((run / "vocabulary.json").read_text())
    first = kept["num_oov"] + 1
    for line, vector in zip(lines[1:], vectors, strict=True):
        row = table[first + kept["words"].index(line.split("\t")[0])]
        assert vector == pytest.approx(row, rel=1e-4, abs=1e-6)


@pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="needs a browser: apt-get install chromium chromium-driver",
)
def test_a_browser_shows_each_tab(run, tmp_path):
    """The script fails where a tab says that it has no data."""
    script = str(ROOT / "docs" / "screenshots.py")
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, script, str(run), "--output", str(tmp_path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tabs = """scalars timeseries images distributions histograms text hparams
    projector""".split()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"tensorboard-{tab}.png" for tab in tabs
    )
