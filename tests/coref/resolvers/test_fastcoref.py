"""The fastcoref package itself, with tiny random weights: wiring, not quality."""

import importlib.util

import pytest

from keras_cgru.coref.resolvers import FastCorefResolver

if importlib.util.find_spec("fastcoref") is None:
    pytest.skip(
        'fastcoref is not installed: pip install "keras-cgru[fastcoref]"',
        allow_module_level=True,
    )

WORDS = "ann saw her dog . she had left it at home , said ben to ann".split()


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    """A model of two layers, saved as those on the hub are."""
    import torch
    from fastcoref.coref_models.modeling_fcoref import FCorefModel
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator([" ".join(WORDS)], vocab_size=300, special_tokens=special)
    bpe.save_model(str(folder))
    RobertaTokenizerFast.from_pretrained(folder).save_pretrained(folder)
    head = {
        "max_segment_len": 64,
        "max_span_length": 5,
        "top_lambda": 0.5,
        "ffnn_size": 16,
        "dropout_prob": 0.0,
    }
    config = RobertaConfig(
        vocab_size=bpe.get_vocab_size(),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=80,
        initializer_range=2.0,
        coref_head=head,
    )
    torch.manual_seed(0)
    model = FCorefModel(config)
    # Otherwise no score passes zero, and nothing is a mention.
    torch.nn.init.constant_(model.mention_start_classifier.bias, 30.0)
    model.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def resolver(model_folder):
    return FastCorefResolver(name=model_folder, device="cpu")


def test_spans_are_word_positions(resolver):
    annotation = resolver.resolve(WORDS, (0, 5))
    assert annotation.tokens == tuple(WORDS)
    assert annotation.sentence_starts == (0, 5)
    assert annotation.clusters, "random weights that link nothing test nothing"
    # The package's own strings of the same prediction, mention by mention.
    (result,) = resolver.model.predict(texts=[WORDS], is_split_into_words=True)
    ours = sorted(
        sorted(" ".join(WORDS[start:end]) for start, end in cluster)
        for cluster in annotation.clusters
    )
    theirs = [
        {" ".join(words) for words in cluster} for cluster in result.get_clusters()
    ]
    for cluster in ours:
        assert set(cluster) in theirs


def test_texts_of_any_length(resolver):
    for length in (0, 1, 2, 200):
        tokens = tuple((WORDS * 20)[:length])
        assert resolver.resolve(tokens).tokens == tokens


def test_nothing_is_printed(resolver, capfd):
    resolver.resolve(WORDS)
    assert capfd.readouterr() == ("", "")
