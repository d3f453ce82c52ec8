"""The same examples in the other forms that readers take."""

import numpy as np
import pytest

from keras_cgru.data import (
    BucketLayout,
    CharacterVocabulary,
    ReaderDataset,
    ReaderInputs,
    Vocabulary,
)

LENGTHS = [3 + n % 17 for n in range(24)]


@pytest.fixture
def serve(sized_examples):
    """`serve(inputs) -> batches` of the same examples in the same order."""
    examples = sized_examples(LENGTHS)
    vocabulary = Vocabulary.build(examples[:4], num_oov=16)

    def call(inputs=None):
        layout = BucketLayout.from_examples(examples, num_buckets=3)
        if inputs is None:
            return list(ReaderDataset(examples, vocabulary, layout, 5))
        layout = inputs.layout(layout, examples)
        return list(ReaderDataset(examples, vocabulary, layout, 5, inputs=inputs))

    return call


def test_the_list_of_mentions_is_the_map(serve):
    plain, listed = serve(), serve(ReaderInputs(occurrences=True))
    assert len(plain) == len(listed) == 5
    for (inputs, answers), (others, same) in zip(plain, listed, strict=True):
        np.testing.assert_array_equal(answers, same)
        positions = inputs.pop("candidate_positions")
        occurrences = others.pop("candidate_occurrences")
        found = np.zeros_like(positions)
        for row, pairs in enumerate(occurrences):
            for candidate, position in pairs[pairs[:, 0] >= 0]:
                found[row, candidate, position] = True
        np.testing.assert_array_equal(found, positions)
        assert (occurrences[occurrences[..., 0] < 0] == -1).all()
        assert set(inputs) == set(others)
        for name in inputs:
            np.testing.assert_array_equal(inputs[name], others[name])


def test_lists_of_mentions_have_few_lengths(serve):
    batches = serve(ReaderInputs(occurrences=True))
    shapes = {inputs["candidate_occurrences"].shape[1] for inputs, _ in batches}
    assert shapes == {128}


def test_characters_stand_where_their_words_do(serve):
    characters = CharacterVocabulary("w0123456789q", word_length=3)
    for inputs, _ in serve(ReaderInputs(characters=characters)):
        for text in ("document", "query"):
            mask, ids = inputs[f"{text}_mask"], inputs[f"{text}_characters"]
            assert ids.shape == (*mask.shape, 3) and ids.dtype == "int32"
            np.testing.assert_array_equal(ids[..., 0] > 0, mask)
        assert set(np.unique(inputs["document_characters"][..., 0])) <= {0, 2}


def test_characters_are_those_of_the_written_tokens(make_example):
    example = make_example(
        "mary left", "who", metadata={"written_document": ("Mary", "left")}
    )
    characters = CharacterVocabulary("Mm", word_length=1)
    inputs = ReaderInputs(characters=characters)
    encoded = inputs.encode(example, Vocabulary.build([example]))
    served, _ = inputs.collate([encoded], inputs.shape_of(example))
    np.testing.assert_array_equal(served["document_characters"][0, :, 0], [2, 1])
    np.testing.assert_array_equal(served["query_characters"][0, :, 0], [1])


def test_unknown_words_of_an_example_stay_apart(make_example):
    words = [f"new{n}" for n in range(16)]
    example = make_example(" ".join(["a", *words, *words]), f"{words[3]} b a")
    vocabulary = Vocabulary(["a"], num_oov=17)
    together = ReaderInputs().encode(example, vocabulary)
    apart = ReaderInputs(apart=True).encode(example, vocabulary)
    # The hash puts some of them into one bucket.
    assert len(set(together.document[1:17].tolist())) < 16
    ids = apart.document[1:17].tolist()
    assert len({*ids, int(apart.query[1])}) == 17 and max(ids) <= 17
    np.testing.assert_array_equal(apart.document[1:17], apart.document[17:])
    assert apart.query[0] == ids[3] and apart.query[2] == apart.document[0] == 18


def test_buckets_begin_elsewhere_in_other_examples(make_example):
    inputs, vocabulary = ReaderInputs(apart=True), Vocabulary(["a"], num_oov=64)
    firsts = {
        int(inputs.encode(make_example("b a", id=f"e{n}"), vocabulary).document[0])
        for n in range(50)
    }
    assert len(firsts) > 25


def test_more_unknown_words_than_buckets_share_them(make_example):
    example = make_example("b c d a")
    encoded = ReaderInputs(apart=True).encode(example, Vocabulary(["a"], num_oov=2))
    assert len(set(encoded.document[:3].tolist())) == 2


def test_written_tokens_are_as_many_as_the_tokens(make_example):
    example = make_example("mary left", metadata={"written_document": ("Mary",)})
    with pytest.raises(ValueError, match=r"'written_document' \(2\)\. Received: 1"):
        CharacterVocabulary.build([example])
