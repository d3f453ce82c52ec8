"""Readers and writers of the files of other coreference systems and corpora."""

from keras_cgru.coref.formats.allennlp import read_allennlp, write_allennlp
from keras_cgru.coref.formats.conll2012 import read_conll2012, write_conll2012
from keras_cgru.coref.formats.corenlp import (
    parse_corenlp,
    read_corenlp,
    write_corenlp,
)
from keras_cgru.coref.formats.fastcoref import read_fastcoref, write_fastcoref
from keras_cgru.coref.formats.format import Format
from keras_cgru.coref.formats.released import (
    read_released_lambada,
    read_released_wikihop,
    write_released_lambada,
    write_released_wikihop,
)

FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format(
            "allennlp",
            "predictions of AllenNLP, a JSON object or one a line",
            read_allennlp,
            write_allennlp,
        ),
        Format(
            "conll2012",
            "CoNLL-2012 rows, also LitBank's",
            read_conll2012,
            write_conll2012,
        ),
        Format(
            "corenlp",
            "JSON of Stanford CoreNLP, an object or one a line",
            read_corenlp,
            write_corenlp,
        ),
        Format(
            "fastcoref",
            "predictions of fastcoref, JSON lines",
            read_fastcoref,
            write_fastcoref,
        ),
        Format(
            "released-lambada",
            "NAME.coref_onehot of the released Coref-GRU, with NAME.data",
            read_released_lambada,
            write_released_lambada,
        ),
        Format(
            "released-wikihop",
            "JSON lines of the released Coref-GRU for WikiHop",
            read_released_wikihop,
            write_released_wikihop,
        ),
    )
}

__all__ = [
    "FORMATS",
    "Format",
    "parse_corenlp",
    "read_allennlp",
    "read_conll2012",
    "read_corenlp",
    "read_fastcoref",
    "read_released_lambada",
    "read_released_wikihop",
    "write_allennlp",
    "write_conll2012",
    "write_corenlp",
    "write_fastcoref",
    "write_released_lambada",
    "write_released_wikihop",
]
