import pytest

from keras_cgru.inspection import Answer, Passage, Reading

DOCUMENT = Passage(["mary", "left", "she"], [1, 0, 1])


def reading(*answers, gold=("mary",)):
    return Reading("7", DOCUMENT, answers=answers, gold=gold)


def test_the_most_probable_answer_is_the_predicted_one(story):
    assert [answer.text for answer in story.ranked] == ["mary", "anna", "lamp"]
    assert story.predicted == Answer(("mary",), 0.5, (0,))
    assert story.correct is False


def test_an_answer_without_probability_is_no_prediction():
    # The first of equals would otherwise be right by its place alone.
    nothing = reading(Answer(["mary"], 0), Answer(["john"], 0))
    assert nothing.predicted is None
    assert nothing.correct is False


def test_without_answers_or_gold_nothing_is_right_or_wrong():
    assert reading().correct is None
    assert reading(Answer(["mary"], 1), gold=None).correct is None
    assert reading(Answer(["mary"], 1)).correct is True


def test_the_mentions_of_both_sides_count(story):
    assert story.num_mentions == {1: 2, 2: 4, 3: 2}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": 7}, "Reading 7: `id` must be a string"),
        ({"document": ["a"]}, "Reading '7': `document` must be a Passage"),
        ({"query": None}, "`query` must be a Passage"),
        ({"title": None}, "`title` must be a string"),
        ({"labels": {"seed": 1}}, "`labels` must map strings to strings"),
        ({"gold": "mary"}, "`gold` must be a sequence of tokens"),
        ({"gold": ()}, "`gold` must be None, or hold a word"),
        ({"answers": ["mary"]}, "`answers` must hold an Answer each"),
        ({"answers": [Answer(["a"], 0)] * 2}, "`answers` must be distinct"),
        ({"answers": [Answer(["a"], 0, [3])]}, "`answers` must have positions below 3"),
    ],
)
def test_a_broken_field_is_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Reading(**{"id": "7", "document": DOCUMENT, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tokens": ()}, "`tokens` must hold at least one word"),
        ({"tokens": "mary"}, "`tokens` must be a sequence of tokens"),
        ({"probability": None}, "`probability` must be a number from 0 to 1"),
        ({"probability": 1.2}, "`probability` must be a number from 0 to 1"),
        ({"positions": (-1,)}, "`positions` must be 0 or more"),
        ({"positions": ("x",)}, "`positions` must hold integers"),
    ],
)
def test_a_broken_answer_is_named(fields, message):
    with pytest.raises(ValueError, match=message):
        Answer(**{"tokens": ("mary",), "probability": 0.5, **fields})


def test_the_positions_of_an_answer_are_sorted_and_distinct():
    assert Answer(["a"], 1, [5, 2, 5]).positions == (2, 5)
