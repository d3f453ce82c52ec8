"""MUC, B3 and CEAF-e against figures worked by hand."""

import pytest

from keras_cgru.coref import Annotation

pytest.importorskip("scorch", reason="scores need scorch")

from keras_cgru.evaluation.coref_scores import Score, coref_scores  # noqa: E402

TOKENS = tuple("abcdefgh")


def annotation(*clusters):
    return Annotation(
        TOKENS, tuple(tuple((i, i + 1) for i in each) for each in clusters)
    )


def test_an_example_by_hand():
    scores = coref_scores(
        [annotation((0, 1, 2), (3, 4))], [annotation((0, 1), (2, 3, 4))]
    )
    # One of three links is missing on either side.
    assert (scores.muc.recall, scores.muc.precision) == pytest.approx((2 / 3, 2 / 3))
    # Recall by mention: 2/3, 2/3, 1/3, 1, 1; precision 1, 1, 1/3, 2/3, 2/3.
    assert (scores.b_cubed.recall, scores.b_cubed.precision) == pytest.approx(
        (11 / 15, 11 / 15)
    )
    # Each pair shares two of 3 + 2 mentions: 2 * 2 / 5.
    assert (scores.ceaf_e.recall, scores.ceaf_e.precision) == pytest.approx((0.8, 0.8))
    assert scores.conll_f1 == pytest.approx((2 / 3 + 11 / 15 + 0.8) / 3)
    assert scores.mentions == Score(1.0, 1.0, 1.0)


def test_the_same_is_perfect_and_nothing_is_zero():
    gold = [annotation((0, 1), (2, 3, 4)), annotation((0, 5))]
    assert coref_scores(gold, gold).conll_f1 == pytest.approx(1.0)
    nothing = [annotation(), annotation()]
    assert coref_scores(gold, nothing).conll_f1 == 0.0
    assert coref_scores(nothing, nothing).conll_f1 == 0.0
    assert coref_scores(gold, [annotation((6, 7)), annotation()]).conll_f1 == 0.0


def test_positions_of_two_documents_are_two_things():
    gold = [annotation((0, 1)), annotation((0, 1), (2, 3))]
    half = coref_scores(gold, [annotation((0, 1)), annotation((2, 3))])
    assert half.mentions.recall == pytest.approx(4 / 6)
    assert half.mentions.precision == 1.0


def test_single_mentions_do_not_count():
    gold, found = annotation((0, 1), (2,)), annotation((0, 1), (5,))
    assert coref_scores([gold], [found]).conll_f1 == pytest.approx(1.0)


def test_clusters_of_what_the_gold_never_marks():
    gold, found = annotation((0, 1), (2,)), annotation((0, 1), (2, 3), (5, 6))
    strict = coref_scores([gold], [found])
    within = coref_scores([gold], [found], within_gold=True)
    assert strict.mentions.precision == pytest.approx(2 / 6)
    assert within.mentions.precision == pytest.approx(2 / 4)
    assert within.muc.precision == pytest.approx(1 / 2)
    assert within.mentions.recall == strict.mentions.recall == 1.0


def test_other_documents_are_refused():
    with pytest.raises(ValueError, match="must hold 2 documents.*Received: 1"):
        coref_scores([annotation()] * 2, [annotation()])
    with pytest.raises(ValueError, match="same tokens.*1 tokens in document 0.*has 8"):
        coref_scores([annotation()], [Annotation(("a",))])


def test_without_scorch_it_is_said_at_use(monkeypatch):
    from keras_cgru.evaluation import coref_scores as module

    monkeypatch.setattr(module, "scorch", None)
    with pytest.raises(ImportError, match="pip install scorch"):
        module.coref_scores([], [])
