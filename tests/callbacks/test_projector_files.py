"""The projector's files, read as TensorBoard's own plugin reads them."""

import numpy as np
import pytest

from keras_cgru.callbacks.projector_files import (
    CONFIG,
    METADATA,
    VECTORS,
    write_projector,
)

WORDS = ["mary", "``", "\u00e9t\u00e9", "\u2423"]
ARRAY = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")


def test_vectors_and_words_agree(tmp_path):
    write_projector(tmp_path, WORDS, ARRAY, {"count": [3, 2, 1, 0]}, name="words")
    found = np.loadtxt(tmp_path / VECTORS, delimiter="\t")
    assert found == pytest.approx(ARRAY, rel=1e-5)
    lines = (tmp_path / METADATA).read_text("utf-8").splitlines()
    assert lines[0] == "word\tcount"
    assert [line.split("\t")[0] for line in lines[1:]] == WORDS
    assert [line.split("\t")[1] for line in lines[1:]] == ["3", "2", "1", "0"]


def test_tensorboard_parses_the_config(tmp_path):
    pytest.importorskip("tensorboard", reason="the extra `recipes` is not installed")
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    write_projector(tmp_path, WORDS, ARRAY, name="words")
    config = text_format.Parse((tmp_path / CONFIG).read_text(), ProjectorConfig())
    (embedding,) = config.embeddings
    assert embedding.tensor_name == "words"
    assert (tmp_path / embedding.tensor_path).exists()
    # A single column has no header.
    lines = (tmp_path / embedding.metadata_path).read_text("utf-8").splitlines()
    assert lines == WORDS


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"words": WORDS[:3]}, "`words` must hold one value a vector .4.*Received: 3"),
        ({"words": [*WORDS[:3], "a\tb"]}, "`words` must hold labels without tabs"),
        ({"words": [*WORDS[:3], " "]}, "`words` must hold labels without tabs"),
        ({"words": [*WORDS[:3], "a\u2028b"]}, "`words` must hold labels without tabs"),
        ({"vectors": ARRAY[0]}, "`vectors` must have shape .*shape=.3,"),
        ({"vectors": ARRAY * np.nan}, "`vectors` must be finite"),
        ({"columns": {"count": [1]}}, "`count` must hold one value a vector"),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, changed, message):
    given = {"words": WORDS, "vectors": ARRAY, "columns": None} | changed
    with pytest.raises(ValueError, match=message):
        write_projector(tmp_path, **given)
    assert not list(tmp_path.iterdir())
