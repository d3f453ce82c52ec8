"""Readers and writers of the files of other coreference systems and corpora."""

from pathlib import Path

from keras_cgru.coref.formats.allennlp import (
    allennlp_records,
    read_allennlp,
    write_allennlp,
)
from keras_cgru.coref.formats.conll2012 import (
    conll2012_records,
    read_conll2012,
    write_conll2012,
)
from keras_cgru.coref.formats.corenlp import (
    corenlp_records,
    parse_corenlp,
    read_corenlp,
    write_corenlp,
)
from keras_cgru.coref.formats.fastcoref import (
    fastcoref_records,
    read_fastcoref,
    write_fastcoref,
)
from keras_cgru.coref.formats.format import Format
from keras_cgru.coref.formats.parquet import parquet_records, write_parquet
from keras_cgru.coref.formats.records import BadRecord, Record
from keras_cgru.coref.formats.released import (
    passages_path,
    read_released_lambada,
    read_released_wikihop,
    released_lambada_records,
    released_wikihop_records,
    write_released_lambada,
    write_released_wikihop,
)

FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format(
            "allennlp",
            "predictions of AllenNLP, a JSON object or one a line",
            allennlp_records,
            write_allennlp,
        ),
        Format(
            "conll2012",
            "CoNLL-2012 rows, also LitBank's",
            conll2012_records,
            write_conll2012,
        ),
        Format(
            "corenlp",
            "JSON of Stanford CoreNLP, an object or one a line",
            corenlp_records,
            write_corenlp,
        ),
        Format(
            "fastcoref",
            "predictions of fastcoref, JSON lines",
            fastcoref_records,
            write_fastcoref,
        ),
        Format(
            "parquet",
            "Parquet with the columns id, tokens and clusters",
            parquet_records,
            write_parquet,
        ),
        Format(
            "released-lambada",
            "NAME.coref_onehot of the released Coref-GRU, with NAME.data",
            released_lambada_records,
            write_released_lambada,
            files=lambda path: [Path(path), passages_path(path)],
        ),
        Format(
            "released-wikihop",
            "JSON lines of the released Coref-GRU for WikiHop",
            released_wikihop_records,
            write_released_wikihop,
        ),
    )
}

__all__ = [
    "FORMATS",
    "BadRecord",
    "Format",
    "Record",
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
