"""The package loads no Keras, and Keras finds all of its classes nevertheless."""

import pytest

BEFORE = """
import sys
import keras_cgru
import keras_cgru.coref, keras_cgru.coref.formats, keras_cgru.coref.annotating
import keras_cgru.files, keras_cgru.evaluation, keras_cgru.command_line
print(sorted({"keras", "jax", "tensorflow", "torch"} & set(sys.modules)))
"""

REGISTERED = """
{first}
import keras
names = keras.saving.get_custom_objects()
print(all(f"keras_cgru>{{name}}" in names for name in {names}))
"""


def test_what_computes_nothing_loads_no_backend(run_python):
    assert run_python(BEFORE).splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "first",
    [
        "import keras_cgru",
        "import keras, keras_cgru",
        "from keras_cgru import CorefGRU",
        "import keras_cgru.layers.attention_sum",
        "from keras_cgru.models import ga_reader",
        "import keras_cgru.callbacks",
        "import keras_cgru; keras_cgru.layers.CorefGRU(2)",
    ],
)
def test_one_import_registers_every_class(run_python, first):
    names = ["AttentionSum", "CorefGRU", "CorefGRUCell", "GatedAttention"]
    script = REGISTERED.format(first=first, names=names)
    assert run_python(script).splitlines()[-1] == "True"


def test_an_unknown_name_is_an_attribute_error():
    import keras_cgru

    with pytest.raises(AttributeError, match="no attribute 'CorefLSTM'"):
        keras_cgru.CorefLSTM  # noqa: B018
    assert "CorefGRU" in dir(keras_cgru)
