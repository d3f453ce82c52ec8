"""A model of one weight over the inputs of a reader."""

import keras

INPUTS = {
    "document": ("int32", 1),
    "document_mask": ("bool", 1),
    "document_clusters": ("int32", 1),
    "query": ("int32", 1),
    "query_mask": ("bool", 1),
    "query_clusters": ("int32", 1),
    "candidate_positions": ("bool", 2),
    "candidate_mask": ("bool", 1),
}


def tiny_model():
    """Scores candidates by how often they occur, times a weight."""
    inputs = {
        name: keras.Input((None,) * rank, dtype=dtype, name=name)
        for name, (dtype, rank) in INPUTS.items()
    }
    counts = keras.ops.cast(inputs["candidate_positions"], "float32")
    counts = keras.ops.sum(counts, axis=-1, keepdims=True)
    scores = keras.layers.Dense(1, use_bias=False)(counts)
    model = keras.Model(inputs, keras.ops.squeeze(scores, -1))
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model
