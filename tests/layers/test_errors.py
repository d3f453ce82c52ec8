"""Errors name the argument, what it must be, and what came."""

import keras
import numpy as np
import pytest

from keras_cgru import (
    AttentionSum,
    CorefGRU,
    CorefGRUCell,
    GatedAttention,
    pack_clusters,
)
from keras_cgru.layers import ClusterOneHot, InQuery

X = np.zeros((2, 5, 3), "float32")
CLUSTERS = np.zeros((2, 5), "int32")
POSITIONS = np.zeros((2, 4, 5), bool)


@pytest.mark.parametrize("make", [CorefGRUCell, CorefGRU])
@pytest.mark.parametrize("units", [63, 0, -2, 4.0, True, "4", None])
def test_units(make, units):
    with pytest.raises(ValueError) as error:
        make(units)
    assert "`units` must be a positive even integer" in str(error.value)
    assert f"Received: units={units!r}" in str(error.value)


@pytest.mark.parametrize("make", [CorefGRUCell, CorefGRU])
@pytest.mark.parametrize(
    ("argument", "value", "reason"),
    [
        ("reset_after", False, "where a reset gate acts"),
        ("reset_after", True, "after the product"),
        ("implementation", 1, "one form of the equations"),
        ("use_cudnn", True, "cuDNN knows no coreferent memory"),
        ("time_major", True, r"\(batch, time, ...\)"),
    ],
)
def test_arguments_of_gru_that_there_are_not(make, argument, value, reason):
    message = f"{make.__name__} has no `{argument}`.*({reason}).*{argument}={value}"
    with pytest.raises(TypeError, match=message):
        make(8, **{argument: value})


@pytest.mark.parametrize("make", [CorefGRUCell, CorefGRU])
def test_arguments_that_nobody_knows(make):
    with pytest.raises((TypeError, ValueError), match="num_cluster"):
        make(8, num_cluster=4)


@pytest.mark.parametrize(
    "make",
    [lambda n: CorefGRUCell(4, n), lambda n: CorefGRU(4, n), ClusterOneHot],
    ids=["CorefGRUCell", "CorefGRU", "ClusterOneHot"],
)
@pytest.mark.parametrize("num_clusters", [0, -1, 2.5, True])
def test_num_clusters(make, num_clusters):
    with pytest.raises(ValueError) as error:
        make(num_clusters)
    assert "`num_clusters` must be a positive integer" in str(error.value)
    assert f"Received: num_clusters={num_clusters!r}" in str(error.value)


@pytest.mark.parametrize(
    ("policy", "num_clusters", "dtype"),
    [
        ("mixed_bfloat16", 300, "bfloat16"),
        ("mixed_float16", 3000, "float16"),
        ("float32", 2**24, "float32"),
    ],
)
def test_ids_that_the_dtype_cannot_count(policy, num_clusters, dtype):
    """Scenario 6: refused where the ids ride as features."""
    with pytest.raises(ValueError) as error:
        CorefGRUCell(4, num_clusters, dtype=policy)
    assert "`num_clusters` must be at most" in str(error.value)
    assert f"compute dtype {dtype}" in str(error.value)
    assert f"Received: num_clusters={num_clusters}" in str(error.value)
    fits = CorefGRUCell(4, min(num_clusters, 2**24 - 1))
    assert fits.num_clusters == min(num_clusters, 2**24 - 1)


def test_layer_takes_the_ids_that_the_error_sends_to_it():
    """Scenario 6: the cell's error names CorefGRU, whose ids are integers."""
    layer = CorefGRU(4, 300, dtype="mixed_bfloat16", return_state=True)
    ids = np.array([[300, 299, 300, 257, 256]] * 2)
    memory = keras.ops.convert_to_numpy(layer([X, ids])[2]).astype("float32")
    written = memory.reshape(2, 300, 3)[0, :, -1]
    np.testing.assert_array_equal(np.flatnonzero(written), [255, 256, 298, 299])


CLUSTER_ERRORS = {
    "rank 4": (CLUSTERS[..., None, None], r"\(batch, time\).*shape=\(2, 5, 1, 1\)"),
    "rank 1": (CLUSTERS[0], r"\(batch, time\).*clusters.shape=\(5,\)"),
    "other time": (CLUSTERS[:, :4], r"\(batch, time\).*clusters.shape=\(2, 4\)"),
    "other batch": (CLUSTERS[:1], r"\(batch, time\).*clusters.shape=\(1, 5\)"),
    "bool": (CLUSTERS > 0, r"must be integer cluster ids.*Received: dtype=bool"),
    "fraction": (
        np.array([[0, 1, 2, 0, 0], [0, 2, 0, 1.5, 0.25]], "float32"),
        r"must be integer cluster ids.*Received: clusters\[1, 3\]=1\.5",
    ),
    "fraction in several clusters": (
        np.where(np.eye(5)[:2, :, None] > 0, np.float32(-0.5), CLUSTERS[..., None]),
        r"must be integer cluster ids.*Received: clusters\[0, 0, 0\]=-0\.5",
    ),
    "not a number": (
        np.full((2, 5), np.nan, "float32"),
        r"must be integer cluster ids.*Received: clusters\[0, 0\]=nan",
    ),
    "infinite": (
        np.full((2, 5), np.inf, "float32"),
        r"must be integer cluster ids.*Received: clusters\[0, 0\]=inf",
    ),
}


@pytest.mark.parametrize(
    "call",
    [
        pack_clusters,
        lambda x, clusters: CorefGRU(4)([x, clusters]),
        lambda x, clusters: CorefGRU(4, use_kernel=False)([x, clusters]),
    ],
    ids=["pack_clusters", "CorefGRU", "CorefGRU without a kernel"],
)
@pytest.mark.parametrize("name", CLUSTER_ERRORS)
def test_clusters(call, name):
    clusters, message = CLUSTER_ERRORS[name]
    with pytest.raises(ValueError, match=f"`clusters` must .*{message}|{message}"):
        call(X, clusters)


@pytest.mark.parametrize("name", ["rank 4", "other time"])
def test_clusters_of_a_functional_model(name):
    """Said where the model is written, not where it is first run."""
    clusters, message = CLUSTER_ERRORS[name]
    message = message.replace(r"\(2, ", r"\(None, ")
    symbolic = keras.Input(clusters.shape[1:], dtype=str(clusters.dtype))
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)([keras.Input((5, 3)), symbolic])


def test_clusters_may_be_whole_numbers_in_floating_point(compiled):
    """Looked at where there are values, and taken as they are where there are none."""
    layer = CorefGRU(4)
    ids = np.array([[1, 2, 0, 1, 2]] * 2)
    floats = ids.astype("float32")
    want = keras.ops.convert_to_numpy(layer([X + 1, ids]))
    traced = compiled(lambda ids: layer([X + 1, ids]))(floats)
    for got in (layer([X + 1, floats]), traced):
        np.testing.assert_array_equal(keras.ops.convert_to_numpy(got), want)
    packed = pack_clusters(X, floats)
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(packed)[..., -1], ids)
    assert layer([keras.Input((5, 3)), keras.Input((5,))]).shape == (None, 4)


def test_writes_without_reads():
    message = r"`reads` must be given where `writes` are.*Received: reads=None"
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)([X, None, CLUSTERS])


@pytest.mark.parametrize(
    ("writes", "message"),
    [
        (CLUSTERS[:, :4], r"`writes` must have shape .*writes.shape=\(2, 4\)"),
        (CLUSTERS + 0.5, r"`writes` must be integer.*Received: writes\[0, 0\]=0\.5"),
        (
            np.stack([CLUSTERS, CLUSTERS], axis=-1),
            r"`writes` must have 1 ids a token.*Received: 2 ids a token",
        ),
    ],
    ids=["other time", "fraction", "other number of ids"],
)
def test_writes(writes, message):
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)([X, CLUSTERS, writes])


def test_more_ids_a_token_than_the_layer_was_built_for():
    layer = CorefGRU(4)
    layer([X, CLUSTERS])
    ids = np.stack([CLUSTERS, CLUSTERS], axis=-1)
    message = r"`clusters` must have 1 ids a token.*Received: 2 ids a token"
    with pytest.raises(ValueError, match=message):
        layer([X, ids])


def test_writes_that_the_layer_was_not_built_for():
    layer = CorefGRU(4)
    layer([X, CLUSTERS])
    with pytest.raises(ValueError, match=r"`writes` must be.*Received: writes"):
        layer([X, CLUSTERS, CLUSTERS])


@pytest.mark.parametrize("inputs", [[X], [X, CLUSTERS, CLUSTERS, CLUSTERS]])
def test_number_of_inputs(inputs):
    message = rf"\[x, clusters\].*a list of {len(inputs)} inputs"
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)(inputs)


def test_features_of_another_rank():
    message = r"\(batch, time, input_dim\).*Received: shape=\(5, 3\)"
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)([X[0], CLUSTERS[0]])
    with pytest.raises(ValueError, match=message):
        pack_clusters(X[0], CLUSTERS)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([X[0], CLUSTERS], r"input_dim\).*Received: shape=\(5, 3\)"),
        ([X[0, 0], CLUSTERS], r"input_dim\).*Received: shape=\(3,\)"),
        (X[0], r"input_dim\).*Received: shape=\(5, 3\)"),
        ([X, CLUSTERS[0]], r"`clusters` must have shape.*clusters.shape=\(5,\)"),
        ([None, CLUSTERS], r"`x` must be given.*Received: x=None"),
    ],
    ids=["rank 2", "rank 1", "rank 2 alone", "ids of rank 1", "None"],
)
def test_a_built_layer_checks_its_inputs_too(inputs, message):
    layer = CorefGRU(4)
    layer([X, CLUSTERS])
    with pytest.raises(ValueError, match=message):
        layer(inputs)


@pytest.mark.parametrize("inputs", [[None, CLUSTERS], [None, CLUSTERS, CLUSTERS]])
def test_ids_without_features(inputs):
    message = r"features `x` must have shape \(batch, time, input_dim\).*shape=None"
    with pytest.raises(ValueError, match=message):
        CorefGRU(4)(inputs)


def test_packed_input_without_features():
    with pytest.raises(ValueError, match=r"`inputs` must have.*Received: input_shape"):
        keras.layers.RNN(CorefGRUCell(4))(X[..., :1])


@pytest.mark.parametrize("use_kernel", ["always", None, 2, 1, 0, np.False_])
def test_use_kernel(use_kernel):
    with pytest.raises(ValueError, match=r"`use_kernel` must be.*Received: use_kernel"):
        CorefGRU(4, use_kernel=use_kernel)


def test_a_kernel_that_the_settings_forbid():
    with pytest.raises(ValueError, match=r"`use_kernel=True` needs.*unroll=True"):
        CorefGRU(4, use_kernel=True, unroll=True)
    ids = np.zeros(X.shape[:2], "int32")
    with pytest.raises(
        ValueError, match=r"`use_kernel` must be .*\[x, reads, writes\]"
    ):
        CorefGRU(4, use_kernel=True)([X, ids, ids])


@pytest.mark.parametrize(
    ("layer", "inputs"),
    [
        (GatedAttention, X),
        (GatedAttention, [X]),
        (GatedAttention, [X, X, X]),
        (GatedAttention, [X, X[0]]),
        (GatedAttention, [X, X[..., :2]]),
        (InQuery, X),
        (InQuery, [CLUSTERS]),
        (InQuery, [X, CLUSTERS]),
        (InQuery, [CLUSTERS, CLUSTERS[0]]),
        (AttentionSum, X),
        (AttentionSum, [X, X[:, 0]]),
        (AttentionSum, [X, X, POSITIONS]),
        (AttentionSum, [X, X[:, 0], POSITIONS[0]]),
        (AttentionSum, [X, X[:, 0, :2], POSITIONS]),
        (AttentionSum, [X, X[:, 0], POSITIONS[..., :4]]),
        (AttentionSum, [X, X[:1, 0], POSITIONS]),
    ],
    ids=lambda value: (
        getattr(value, "__name__", None)
        or "-".join(str(np.shape(part)) for part in value)
    ),
)
def test_shapes_of_attention(layer, inputs):
    with pytest.raises(ValueError, match=r"must be called with `\[document, query"):
        layer()(inputs)


def test_shapes_of_clusters_as_features():
    message = (
        r"`\[x, clusters\]` of shapes \(batch, time, input_dim\) and \(batch, time"
    )
    with pytest.raises(ValueError, match=message):
        ClusterOneHot(3)([X, CLUSTERS[:, :4]])
