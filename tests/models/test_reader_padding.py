"""What stands in padding changes nothing, and empty rows harm nobody."""

import numpy as np
import pytest
from reader_variants import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_contents_of_padding(readers, batch, predict, refill_padding, variant):
    """Scenario 8: word ids, clusters and candidate positions, all drawn anew."""
    want = predict(readers[variant], batch)
    for seed in range(3):
        filled = refill_padding(batch, seed)
        changed = [k for k in batch if (filled[k] != batch[k]).any()]
        assert len(changed) == 5
        got = predict(readers[variant], filled)
        np.testing.assert_allclose(got, want, atol=1e-6)
        np.testing.assert_array_equal(got[~batch["candidate_mask"]], 0)


def test_candidates_that_stand_in_padding_alone(readers, batch, predict):
    """Scenario 8: they get exactly nothing."""
    outside = {name: array.copy() for name, array in batch.items()}
    outside["candidate_positions"][1, 0] = ~batch["document_mask"][1]
    got = predict(readers["coref_gru"], outside)
    np.testing.assert_array_equal(got[1], [0, 1, 0])


def _emptied(batch):
    """Row 1 loses its query, row 2 its document or its candidates."""
    empty_query = {name: array.copy() for name, array in batch.items()}
    empty_query["query_mask"][1] = False
    no_document = {name: array.copy() for name, array in empty_query.items()}
    no_document["document_mask"][2] = False
    no_candidates = {name: array.copy() for name, array in empty_query.items()}
    no_candidates["candidate_mask"][2] = False
    return {"empty document": no_document, "no candidates": no_candidates}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kind", ["empty document", "no candidates"])
def test_empty_rows_predict(readers, batch, predict, numpy_reader, variant, kind):
    """Scenario 9: the normal row as ever, the others by the definition."""
    emptied = _emptied(batch)[kind]
    got = predict(readers[variant], emptied)
    np.testing.assert_allclose(got[0], predict(readers[variant], batch)[0], atol=1e-6)
    want = numpy_reader(readers[variant], emptied, variant)
    np.testing.assert_allclose(got, want, atol=2e-6)
    assert (got[2] < 1e-29).all()
    # A query of nothing attends to nothing: the mentions are equal.
    mentions = batch["candidate_positions"][1].sum(axis=1)
    np.testing.assert_allclose(got[1], mentions / mentions.sum(), atol=1e-6)


@pytest.mark.parametrize("variant", VARIANTS)
def test_empty_rows_have_finite_gradients(
    build_reader, readers, batch, value_and_gradients, variant
):
    """Scenario 9: logits, whose logarithm an empty row would take of 0."""
    model = build_reader(variant, logits=True)
    model.set_weights(readers[variant].get_weights())
    kinds = _emptied(batch)
    # A normal row, an empty query, an empty document, no candidates.
    rows = {
        name: np.concatenate(
            [kinds["empty document"][name], kinds["no candidates"][name][2:]]
        )
        for name in batch
    }
    cotangent = np.arange(1, 13, dtype="float32").reshape(4, 3)
    (logits,), _, gradients = value_and_gradients(
        model, lambda: [model(rows)], [], [cotangent]
    )
    np.testing.assert_array_equal(logits[2:], -1e9)
    assert (abs(logits[:2][batch["candidate_mask"][:2]]) < 1e3).all()
    assert all(np.isfinite(gradient).all() for gradient in gradients)
    assert max(abs(gradient).max() for gradient in gradients) > 0.01
