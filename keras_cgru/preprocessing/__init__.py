"""Text in, the layers' inputs out."""

import keras  # noqa: F401 (see keras_cgru/__init__.py)

from keras_cgru.preprocessing.coref_text_vectorization import CorefTextVectorization
from keras_cgru.preprocessing.text_model import TextModel

__all__ = ["CorefTextVectorization", "TextModel"]
