"""The two versions of the text are told apart. The passages are made up."""

import pytest

from keras_cgru.data.lambada import read_lambada

TOKENISED = [
    "`` i do n't know , '' said tom . he looked at mr. smith and then at tom",
    "ann left . nobody saw ann",
    "it was o'brien 's dog . the dog bit o'brien",
    "one two three four",
]
RAW = [
    '"I don\'t know," said Tom. He looked at Ann. "You\'re late," said Tom',
    "“Stop!” he cried. It was too late, and she couldn’t hear him. Ann left Tom",
]


def check(tmp_path, lines):
    path = tmp_path / "passages.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_lambada(path)


@pytest.mark.parametrize("line", TOKENISED)
def test_tokenised_text_is_read(tmp_path, line):
    assert check(tmp_path, [line]).num_total == 1


@pytest.mark.parametrize("line", RAW)
def test_raw_text_is_refused(tmp_path, line):
    with pytest.raises(ValueError, match="must be the tokenised .* Received: raw text"):
        check(tmp_path, [line] * 3)


def test_a_mix_is_refused_and_its_first_raw_line_named(tmp_path):
    message = (
        r"passages.txt:9: .*Received: a mix of tokenised and raw text, "
        "1 of 9 passages are raw"
    )
    with pytest.raises(ValueError, match=message):
        check(tmp_path, [*TOKENISED * 2, RAW[0]])


def test_a_mix_below_the_limit_is_refused_too(tmp_path):
    path = tmp_path / "passages.txt"
    path.write_text("\n".join([*TOKENISED, *RAW]), encoding="utf-8")
    with pytest.raises(ValueError, match="a mix"):
        read_lambada(path, limit=1)


def test_one_odd_passage_in_a_large_file_is_tolerated(tmp_path):
    assert check(tmp_path, [*TOKENISED * 25, RAW[0]]).num_total == 101
