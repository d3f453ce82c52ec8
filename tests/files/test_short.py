"""Values in messages."""

import pytest

from keras_cgru.files import short


@pytest.mark.parametrize(
    "value",
    [
        *("x" * 10_000, b"\0" * 4096, 10**4000, list(range(10_000))),
        {str(i): ["x" * 9_000] for i in range(999)},
    ],
)
def test_no_message_is_long(value):
    assert len(short(value)) < 1_200


def test_short_values_are_shown_whole():
    for value in ("it's", 12, [1, 2], {"a": None}, 0.5):
        assert short(value) == repr(value)
