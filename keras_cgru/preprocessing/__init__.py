"""Text in, the layers' inputs out."""

from keras_cgru.preprocessing.coref_text_vectorization import CorefTextVectorization
from keras_cgru.preprocessing.text_model import TextModel

__all__ = ["CorefTextVectorization", "TextModel"]
