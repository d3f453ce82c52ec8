"""The majority of annotators, and accuracy by it."""

import json

import pytest

from keras_cgru.data.wikihop.results import (
    GroupAccuracy,
    accuracy_by_annotation,
    majority_of,
    to_metrics,
)

SINGLE, MULTIPLE = ("follows", "single"), ("follows", "multiple")
LIKELY, NOT = ("likely", "multiple"), ("not_follow", "")

CASES = {
    "all agree": ([MULTIPLE] * 3, (True, "multiple")),
    "two of three": ([MULTIPLE, MULTIPLE, SINGLE], (True, "multiple")),
    "labels apart": ([SINGLE, MULTIPLE, LIKELY], (True, "multiple")),
    "no majority of texts": ([SINGLE, MULTIPLE, NOT], (True, "")),
    "three ways": ([SINGLE, LIKELY, NOT], (False, "")),
    "likely is not follows": ([LIKELY, LIKELY, MULTIPLE], (False, "multiple")),
    "tie of two": ([SINGLE, NOT], (False, "")),
    "one annotator": ([SINGLE], (True, "single")),
    "half of four": ([SINGLE, SINGLE, NOT, NOT], (False, "")),
    "none": ([], (False, "")),
    "no labels": ([[], []], (False, "")),
}


@pytest.mark.parametrize("said, expected", CASES.values(), ids=CASES)
def test_majority(said, expected):
    assert majority_of(said) == expected


def test_accuracy_has_both_denominators():
    annotations = {
        "a": [MULTIPLE] * 3,
        "b": [MULTIPLE] * 3,
        "c": [SINGLE] * 3,
        "d": [NOT] * 3,
        "e": [],
    }
    # "b" could not be used.
    right = {"a": True, "c": False, "d": True, "e": True}
    groups = accuracy_by_annotation(right, annotations)
    assert groups == {
        "all": GroupAccuracy(3, 4, 5),
        "follows": GroupAccuracy(1, 2, 3),
        "follows+single": GroupAccuracy(0, 1, 1),
        "follows+multiple": GroupAccuracy(1, 1, 2),
    }
    assert groups["follows"].accuracy_used == 1 / 2
    assert groups["follows"].accuracy_overall == 1 / 3
    metrics = json.loads(json.dumps(to_metrics(groups)))
    assert metrics["follows+multiple"]["accuracy_overall"] == 0.5


def test_a_group_without_records_has_no_accuracy():
    group = accuracy_by_annotation({"a": True}, {"a": []})["follows"]
    assert (group.num_total, group.accuracy_used, group.accuracy_overall) == (
        *(0, None, None),
    )


def test_unknown_ids_are_refused():
    with pytest.raises(ValueError, match="`right` must hold ids.*'b'"):
        accuracy_by_annotation({"b": True}, {"a": []})
