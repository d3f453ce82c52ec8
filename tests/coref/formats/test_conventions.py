"""One text in every format: the same spans and antecedents (scenario 18).

Each file is written out by hand, with the counting of its own system.
"""

import json

import pytest

from keras_cgru.coref import Annotation, antecedents, token_clusters
from keras_cgru.coref.formats import FORMATS

# Sentences: [The old farmer] sold [a cow] . / [He] missed [it] .
TOKENS = "The old farmer sold a cow . He missed it .".split()
CLUSTERS = (((0, 3), (7, 8)), ((4, 6), (9, 10)))
# "He" links to "farmer", "it" to "cow"; within a mention each token to the one before.
ANTECEDENTS = (0, 1, 2, 0, 0, 5, 0, 3, 0, 6, 0)


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def corenlp():
    sentences = [TOKENS[:7], TOKENS[7:]]
    mentions = {
        "1": [(1, 1, 4), (2, 1, 2)],
        "2": [(1, 5, 7), (2, 3, 4)],
    }
    return lines(
        {
            "sentences": [
                {
                    "index": index,
                    "tokens": [
                        {"index": number, "word": word, "originalText": word}
                        for number, word in enumerate(sentence, start=1)
                    ],
                }
                for index, sentence in enumerate(sentences)
            ],
            "corefs": {
                name: [
                    {"id": 1, "sentNum": number, "startIndex": start, "endIndex": end}
                    for number, start, end in each
                ]
                for name, each in mentions.items()
            },
        }
    )


CONLL = """\
#begin document (farm); part 000
farm   0    0       The   DT   -   -   -   -   -   *     (7
farm   0    1       old   JJ   -   -   -   -   -   *     -
farm   0    2    farmer   NN   -   -   -   -   -   *     7)
farm   0    3      sold  VBD   -   -   -   -   -   *     -
farm   0    4         a   DT   -   -   -   -   -   *     (3
farm   0    5       cow   NN   -   -   -   -   -   *     3)
farm   0    6         .    .   -   -   -   -   -   *     -

farm   0    0        He  PRP   -   -   -   -   -   *    (7)
farm   0    1    missed  VBD   -   -   -   -   -   *     -
farm   0    2        it  PRP   -   -   -   -   -   *    (3)
farm   0    3         .    .   -   -   -   -   -   *     -

#end document
"""

FILES = {
    "allennlp": lines(
        {
            "document": TOKENS,
            "clusters": [[[0, 2], [7, 7]], [[4, 5], [9, 9]]],
            "top_spans": [[0, 2]],
        }
    ),
    "conll2012": CONLL,
    "corenlp": corenlp(),
    "fastcoref": lines(
        {
            "text": TOKENS,
            "clusters": [[[0, 3], [7, 8]], [[4, 6], [9, 10]]],
            "clusters_strings": [],
        }
    ),
    "released-wikihop": lines(
        {
            "id": "farm",
            "document": " ".join(TOKENS),
            "mentions": [[9, 10], [0, 3], [7, 8], [4, 6]],
            "coref_onehot": [
                [[-1, 0, 1], [1, 0, 2], [2, 0, -1]],
                [[3, 0, 0]],
            ],
        }
    ),
}
SENTENCES = {"conll2012": (0, 7), "corenlp": (0, 7)}


@pytest.mark.parametrize("name", FILES)
def test_the_same_spans_and_antecedents(name, tmp_path):
    path = tmp_path / "file"
    path.write_text(FILES[name], encoding="utf-8")
    (document,) = FORMATS[name].read(path)
    assert document.annotation == Annotation(
        TOKENS, CLUSTERS, SENTENCES.get(name, (0,))
    )
    assert antecedents(token_clusters(document.annotation).ids) == ANTECEDENTS


def test_the_released_lambada_files_link_a_mention_s_end_to_the_next_one_s_start(
    tmp_path,
):
    (tmp_path / "test.data").write_text(" ".join(TOKENS) + "\n", encoding="utf-8")
    path = tmp_path / "test.coref_onehot"
    path.write_text("[[[2, 0, 7]], [[5, 0, 9]]]\n", encoding="utf-8")
    (document,) = FORMATS["released-lambada"].read(path)
    assert document.annotation == Annotation(
        TOKENS, (((2, 3), (7, 8)), ((5, 6), (9, 10)))
    )
    found = antecedents(token_clusters(document.annotation).ids)
    assert (found[7], found[9]) == (ANTECEDENTS[7], ANTECEDENTS[9])
