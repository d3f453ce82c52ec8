import pytest

from keras_cgru.inspection import Answer, Passage, Reading
from keras_cgru.inspection.carried import carried
from keras_cgru.inspection.window import window_around_answer

TOKENS = "new york and york or new york".split()


def test_a_mention_carries_the_sum_of_its_tokens():
    reading = Reading(
        "r",
        Passage(TOKENS, attention=[0.3, 0.2, 0, 0.15, 0.005, 0.05, 0.05]),
        answers=[
            Answer(["new", "york"], 0.6, [0, 1, 5, 6]),
            Answer(["york"], 0.4, [1, 3, 6]),
        ],
    )
    marks = [(m.start, m.end, m.predicted) for m in carried(reading)]
    assert marks == [(0, 2, True), (3, 4, False), (5, 7, True)]
    shares = [mark.probability for mark in carried(reading)]
    assert shares == pytest.approx([0.5, 0.15, 0.1])
    assert len(carried(reading, at_least=0.001)) == 4


def test_an_answer_without_probability_is_marked_nowhere_as_predicted():
    answers = [Answer(["new"], 0, [0, 5])]
    reading = Reading("r", Passage(TOKENS, attention=[0.1] * 7), answers=answers)
    assert not any(mark.predicted for mark in carried(reading))


def test_without_attention_nothing_is_marked():
    assert carried(Reading("r", Passage(TOKENS))) == []


@pytest.mark.parametrize(
    ("attention", "answers", "expected"),
    [
        ([0] * 50 + [0.9] + [0] * 49, (), (45, 55)),
        ([0.9] + [0] * 99, (), (0, 10)),
        ([0] * 99 + [0.9], (), (90, 100)),
        ((), [Answer(["x"], 0.5, [3, 20]), Answer(["gold"], 0.1, [70])], (15, 25)),
        ((), [Answer(["x"], 0.5), Answer(["gold"], 0.1, [70])], (65, 75)),
        ((), (), (0, 10)),
    ],
)
def test_a_long_document_is_cut_around_its_answer(attention, answers, expected):
    document = Passage(["w"] * 100, attention=attention)
    reading = Reading("r", document, answers=answers, gold=("gold",))
    assert window_around_answer(reading, 10) == expected
    assert window_around_answer(reading, 100) == (0, 100)
    assert window_around_answer(reading, None) == (0, 100)


def test_a_window_of_nothing_is_refused(story):
    with pytest.raises(ValueError, match="`max_tokens` must be at least 1"):
        window_around_answer(story, 0)
