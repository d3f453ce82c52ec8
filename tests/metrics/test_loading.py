"""What a saved softmax-head reader was compiled with is found after one import."""

import keras
import pytest

from keras_cgru.metrics import whole_answer_accuracy, whole_answer_cross_entropy
from keras_cgru.models import ga_reader

IMPORTS = {
    "before keras": "import keras_cgru, keras",
    "after keras": "import keras; import keras_cgru",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("softmax") / "model.keras"
    model = ga_reader(
        9, 4, units=2, num_layers=1, answer="softmax", num_classes=3, answer_length=2
    )
    wrap = keras.metrics.MeanMetricWrapper
    metrics = [wrap(whole_answer_accuracy, name="accuracy"), whole_answer_cross_entropy]
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=metrics)
    model.save(path)
    return path


@pytest.mark.parametrize("order", IMPORTS)
def test_loads_in_a_new_process(saved, run_python, order):
    load = f"keras.saving.load_model({str(saved)!r})"
    script = f"{IMPORTS[order]}\nprint({load}.count_params())"
    loaded = int(run_python(script).splitlines()[-1])
    assert loaded == keras.saving.load_model(saved).count_params()


def test_names_in_saved_models_stay():
    """Of models that were saved before the metrics had a folder of their own."""
    for metric in (whole_answer_accuracy, whole_answer_cross_entropy):
        name = f"keras_cgru>{metric.__name__}"
        assert keras.saving.get_registered_name(metric) == name
        assert keras.saving.get_registered_object(name) is metric
