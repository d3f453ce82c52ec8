"""What TensorBoard's HParams view reads, written without TensorFlow.

An experiment is a folder that describes its hyperparameters and metrics; a session is
a folder below it with the values of one training. Both go into an event file of a fixed
name, which is replaced as a whole: TensorBoard would keep what an older file says.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from keras_cgru.callbacks.event_files import require_tensorboard, write_events
from keras_cgru.files import to_path

try:
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.plugins.hparams import api_pb2, metadata
    from tensorboard.plugins.hparams.plugin_data_pb2 import (
        HParamsPluginData,
        SessionEndInfo,
        SessionStartInfo,
    )
except ImportError:
    pass  # `require_tensorboard` says so at use.

# Sorted before those of a training, as event files are read in this order.
FILE_NAME = "events.out.tfevents.0.hparams"

Value = bool | int | float | str
HParams = Mapping[str, Value]


def write_experiment(
    folder: str | os.PathLike[str],
    sessions: Sequence[HParams],
    metrics: Sequence[str],
) -> None:
    """Describes the hyperparameters and metrics of the sessions below a folder.

    Args:
        folder: What TensorBoard's `--logdir` will be.
        sessions: The hyperparameters of every session; one may lack some.
        metrics: The tags of the metrics that the sessions have.

    Raises:
        ImportError: `tensorboard` is not installed.
    """
    require_tensorboard()
    names = dict.fromkeys(name for session in sessions for name in session)
    infos = [_info(name, [s[name] for s in sessions if name in s]) for name in names]
    path = to_path(folder, "folder") / FILE_NAME
    write_events(path, [(0, _experiment(infos, metrics))])


def write_session(
    folder: str | os.PathLike[str],
    hparams: HParams,
    metrics: Mapping[str, float],
    step: int,
    describe: bool = False,
) -> None:
    """Writes the hyperparameters and metrics of one finished training.

    Args:
        folder: The session, below the experiment's folder.
        hparams: The value of each hyperparameter.
        metrics: The value of each metric.
        step: Where the metrics stand on TensorBoard's axis: the number of updates.
        describe: Whether the session describes an experiment as well, for where there
            is no `write_experiment`. Without either, TensorBoard takes every scalar for
            a metric. It takes the first description that it finds.

    Raises:
        ImportError: `tensorboard` is not installed.
    """
    require_tensorboard()
    start = SessionStartInfo()
    for name, value in hparams.items():
        # A bool is an int in Python.
        if isinstance(value, bool):
            start.hparams[name].bool_value = value
        elif isinstance(value, str):
            start.hparams[name].string_value = value
        else:
            start.hparams[name].number_value = value
    end = SessionEndInfo(status=api_pb2.STATUS_SUCCESS)
    first = HParamsPluginData(session_start_info=start)
    last = HParamsPluginData(session_end_info=end)
    infos = [_info(name, [value]) for name, value in hparams.items()]
    for info in infos:
        info.ClearField("domain_discrete")  # Other sessions have other values.
    described = [(0, _experiment(infos, list(metrics)))] if describe else []
    write_events(
        to_path(folder, "folder") / FILE_NAME,
        [
            *described,
            (0, _value(metadata.SESSION_START_INFO_TAG, first)),
            *((step, Summary.Value(tag=t, simple_value=v)) for t, v in metrics.items()),
            (step, _value(metadata.SESSION_END_INFO_TAG, last)),
        ],
    )


def _info(name: str, values: Sequence[Value]) -> api_pb2.HParamInfo:
    """A hyperparameter with the values that it takes, for the view's filters."""
    found = sorted(set(values), key=lambda value: (str(type(value)), value))
    # The view shows at first those that differ.
    info = api_pb2.HParamInfo(name=name, differs=len(found) > 1)
    if all(isinstance(value, bool) for value in values):
        info.type = api_pb2.DATA_TYPE_BOOL
    elif any(isinstance(value, bool | str) for value in values):
        info.type = api_pb2.DATA_TYPE_STRING
    else:
        info.type = api_pb2.DATA_TYPE_FLOAT64
    info.domain_discrete.extend(found)
    return info


def _experiment(
    infos: Sequence[api_pb2.HParamInfo], metrics: Sequence[str]
) -> Summary.Value:
    experiment = api_pb2.Experiment(
        hparam_infos=infos,
        metric_infos=[
            api_pb2.MetricInfo(name=api_pb2.MetricName(tag=tag)) for tag in metrics
        ],
        time_created_secs=time.time(),
    )
    data = HParamsPluginData(experiment=experiment)
    return _value(metadata.EXPERIMENT_TAG, data)


def _value(tag: str, data: HParamsPluginData) -> Summary.Value:
    return Summary.Value(
        tag=tag,
        metadata=metadata.create_summary_metadata(data),
        # A summary needs a value; the data rides in the metadata.
        tensor=metadata.NULL_TENSOR,
    )
