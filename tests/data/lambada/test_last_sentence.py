"""Where the last sentence begins. The passages are made up for these tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_cgru.data.lambada.last_sentence import last_sentence_start

# "|" marks where the last sentence begins.
CASES = {
    "a full stop": "the dog barked . | tom fed the",
    "a question": "who was it ? | tom did not see the",
    "a run of marks": "you what ?! | tom stared at the",
    "the last of several": "one . two ! three ? | four and",
    "double quotes that close": "`` go . '' | tom took the",
    "double quotes that open": "tom sat . | `` go away , '' said",
    "a single quote that closes": "` go . ' | tom took the",
    "a single quote that opens": "tom sat . | ' go away , ' said",
    "an opened single quote that closes": "tom said , ' go . ' | he took the",
    "a possessive before": "the boys ' room was small . | ' go , ' said",
    "nested quotes": "`` he said ` go . ' '' | tom took the",
    "curly quotes": "“ go . ” | tom took the",
    "straight quotes": '" go . " | " stay , " said',
    "quote after a bracket": "it was late -lrb- too late . -rrb- | tom took the",
    "a mark behind the quote": "`` go '' . | tom took the",
    "an abbreviation": "the dog barked . | tom met mr . smith and the",
    "an abbreviation as one token": "the dog barked . | tom met mr. smith and the",
    "an initial": "the dog barked . | tom met j . smith and the",
    "but not the pronoun": "it was i . | tom fed the",
    "an ellipsis within": "the dog barked . | tom was ... upset about the",
    "an ellipsis that a quote closes": "`` well ... '' | tom looked at the",
    "an ellipsis before a quote": "tom waited ... | `` now , '' said",
    "said of a question": "tom sat . | `` who is it ? '' asked the",
    "said of an exclamation": "tom sat . | `` out ! '' he cried and hit the",
    "an answer to a question": "tom sat . `` who ? '' | mary looked at the",
    "no speech after a full stop": "`` go . '' | said he , `` take the",
    "a mark at the very end": "the dog barked . | tom laughed !",
}


@pytest.mark.parametrize("passage", CASES.values(), ids=CASES)
def test_start(passage):
    before, after = passage.split(" | ")
    tokens = before.split() + after.split()
    assert last_sentence_start(tokens) == len(before.split())


@pytest.mark.parametrize("passage", ["tom fed the dog", "tom ... fed", ". '' ''", "?"])
def test_one_sentence_starts_at_its_beginning(passage):
    assert last_sentence_start(passage.split()) == 0


@given(st.lists(st.sampled_from("a mr . ! ... `` '' ` ' \" ) said he".split())))
def test_the_start_lies_behind_a_mark(tokens):
    start = last_sentence_start(tokens)
    assert 0 <= start < max(1, len(tokens))
    if start:
        marks = [token for token in tokens[:start] if token[0] in ".!"]
        assert marks
        assert tokens[start - 1] in "! . ... '' ' \" )".split()
