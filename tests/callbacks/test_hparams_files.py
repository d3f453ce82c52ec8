"""What TensorBoard's own HParams plugin reads of the files."""

import json
import logging

import pytest

pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")

from tensorboard.backend.event_processing import (
    data_provider,
    plugin_event_multiplexer,
)
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import hparams_plugin
from werkzeug.test import Client

from keras_cgru.callbacks.event_files import write_events
from keras_cgru.callbacks.hparams_files import write_experiment, write_session
from keras_cgru.callbacks.summary_values import scalar_values

SESSIONS = {
    "a": {"model": "gru", "seed": 1, "dropout": 0.5, "shared": True},
    "b": {"model": "coref_gru", "seed": 2, "dropout": 0.5, "units": 64},
}


def write(folder, accuracy=0.25):
    write_experiment(folder, list(SESSIONS.values()), ["test_accuracy"])
    for name, hparams in SESSIONS.items():
        metrics = {"test_accuracy": accuracy if name == "a" else 0.75}
        write_session(folder / "below" / name, hparams, metrics, step=30)


def ask(folder, what, **request):
    """An answer of the plugin to the page in the browser."""
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(folder))
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(folder))
    context = base_plugin.TBContext(data_provider=provider, logdir=str(folder))
    apps = hparams_plugin.HParamsPlugin(context).get_plugin_apps()
    answer = Client(apps[f"/{what}"]).post(f"/{what}", json=request)
    assert answer.status_code == 200, answer.text
    return json.loads(answer.text)


def session_groups(folder):
    statuses = ["STATUS_SUCCESS"]
    request = {"startIndex": 0, "sliceSize": 9, "allowedStatuses": statuses}
    return ask(folder, "session_groups", **request)["sessionGroups"]


def test_the_plugin_lists_the_sessions(tmp_path):
    write(tmp_path)
    groups = session_groups(tmp_path)
    assert {group["name"]: group["hparams"] for group in groups} == {
        f"below/{name}": hparams for name, hparams in SESSIONS.items()
    }
    # Not 1, which would be equal.
    (shared,) = [g["hparams"]["shared"] for g in groups if g["name"] == "below/a"]
    assert shared is True
    values = {
        group["name"]: [
            (value["name"]["tag"], value["value"], value["trainingStep"])
            for value in group["metricValues"]
        ]
        for group in groups
    }
    assert values == {
        "below/a": [("test_accuracy", 0.25, 30)],
        "below/b": [("test_accuracy", 0.75, 30)],
    }


def test_the_plugin_knows_the_values_to_filter_by(tmp_path):
    write(tmp_path)
    experiment = ask(tmp_path, "experiment")
    infos = {info["name"]: info for info in experiment["hparamInfos"]}
    found = {
        name: (info["type"], info["domainDiscrete"], info["differs"])
        for name, info in infos.items()
    }
    assert found == {
        "model": ("DATA_TYPE_STRING", ["coref_gru", "gru"], True),
        "seed": ("DATA_TYPE_FLOAT64", [1, 2], True),
        "dropout": ("DATA_TYPE_FLOAT64", [0.5], False),
        "shared": ("DATA_TYPE_BOOL", [True], False),
        "units": ("DATA_TYPE_FLOAT64", [64], False),
    }
    tags = [info["name"]["tag"] for info in experiment["metricInfos"]]
    assert tags == ["test_accuracy"]


def test_writing_again_replaces_what_was_there(tmp_path, caplog):
    write(tmp_path)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    write(tmp_path, accuracy=0.5)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == files
    with caplog.at_level(logging.WARNING):
        (first, _) = sorted(session_groups(tmp_path), key=lambda g: g["name"])
    assert [value["value"] for value in first["metricValues"]] == [0.5]


def test_sessions_that_describe_themselves(tmp_path):
    """Two runs beside each other, without anything in the folder above them."""
    for name, hparams in SESSIONS.items():
        metrics = {"test_accuracy": 0.5}
        write_session(tmp_path / name, hparams, metrics, step=30, describe=True)
        write_events(
            tmp_path / name / "train" / "events.out.tfevents.1",
            [(1, value) for value in scalar_values({"batch_loss": 2.0})],
        )
    experiment = ask(tmp_path, "experiment")
    assert [info["name"]["tag"] for info in experiment["metricInfos"]] == [
        "test_accuracy"
    ]
    infos = {info["name"]: info for info in experiment["hparamInfos"]}
    assert infos["model"]["type"] == "DATA_TYPE_STRING"
    # Or the view would leave out what the other session has.
    assert not any("domainDiscrete" in info for info in infos.values())
    groups = {group["name"]: group["hparams"] for group in session_groups(tmp_path)}
    assert groups == SESSIONS
