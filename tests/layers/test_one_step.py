"""One step worked by hand.

One feature, two units (one sequential, one coreferent), two clusters. With x = 1:

    keys: k1 = ln 3, k2 = 0, so alpha = 3 / (3 + 1) = 0.75 where there is an antecedent
    U_r = [[1, 0], [0, 2]]    W_r = [ln 3 - 0.6, -0.3]     b_r = [0, 0]
    U_z = [[0, 1], [2, 0]]    W_z = [-0.3, -ln 3 - 0.7]    b_z = [0, 0.1]
    U_h = [[2, 0], [0, 4]]    W_h = [0.1, 0.1]             b_h = [0, 0.1]

Row 1, cluster 1, h = [0.8, 0.4], the memory of cluster 1 holds 0.6:

    m = [0.75 * 0.8, 0.25 * 0.6]                              = [0.6, 0.15]
    r = sigmoid([ln 3 - 0.6 + 0.6, -0.3 + 0.3])               = [0.75, 0.5]
    z = sigmoid([-0.3 + 2 * 0.15, -ln 3 - 0.7 + 0.1 + 0.6])   = [0.5, 0.25]
    c = tanh([0.1 + 0.75 * 1.2, 0.2 + 0.5 * 0.6])             = tanh([1.0, 0.5])
      = [0.76159416, 0.46211716]
    h = [0.5 * 0.6 + 0.5 * c_1, 0.75 * 0.15 + 0.25 * c_2]     = [0.68079708, 0.22802929]

Row 2, cluster 2, never met: alpha = 1, what stands in its memory is not read;
h = [0.6, 0.9]:

    m = [0.6, 0]
    r = [0.75, sigmoid(-0.3)]
    z = [sigmoid(-0.3), 0.25]                                 = [0.42555748, 0.25]
    c = tanh([0.1 + 0.75 * 1.2, 0.2])                         = [0.76159416, 0.19737532]
    h = [0.57444252 * 0.6 + 0.42555748 * c_1, 0.25 * c_2]     = [0.66876760, 0.04934383]
"""

import numpy as np
from keras import ops
from oracle import Options, Weights, oracle

from keras_cgru import CorefGRUCell

LN_3 = float(np.log(3))
KERNEL = [[LN_3 - 0.6, -0.3, -0.3, -LN_3 - 0.7, 0.1, 0.1]]
RECURRENT_KERNEL = [[1.0, 0, 0, 1, 2, 0], [0, 2, 2, 0, 0, 4]]
BIAS = [0, 0, 0, 0.1, 0, 0.1]
KEYS = [[LN_3, 0.0]]
WEIGHTS = [np.array(w, "float32") for w in (KERNEL, RECURRENT_KERNEL, BIAS, KEYS)]

X = np.ones((2, 1, 1), "float32")
CLUSTERS = np.array([[1], [2]])
H = np.array([[0.8, 0.4], [0.6, 0.9]], "float32")
# For each of the two clusters: the coreferent unit, then 1 if the cluster was met.
MEMORY = np.array([[0.6, 1, 0, 0], [0.3, 1, 5.0, 0]], "float32")

NEXT_H = [[0.68079708, 0.22802929], [0.66876760, 0.04934383]]
NEXT_MEMORY = [[0.22802929, 1, 0, 0], [0.3, 1, 0.04934383, 1]]


def test_the_oracle_takes_the_step():
    weights, options = Weights.of(WEIGHTS), Options(num_clusters=2)
    read = oracle(X, CLUSTERS, weights, options, initial_state=(H, MEMORY))
    np.testing.assert_allclose(read.outputs[:, 0], NEXT_H, atol=1e-7)
    np.testing.assert_allclose(read.h, NEXT_H, atol=1e-7)
    np.testing.assert_allclose(read.memory, NEXT_MEMORY, atol=1e-7)


def test_the_cell_takes_the_step():
    cell = CorefGRUCell(2, num_clusters=2)
    packed = np.concatenate([X[:, 0], CLUSTERS.astype("float32")], axis=1)
    cell.build(packed.shape)
    cell.set_weights(WEIGHTS)
    output, (h, memory) = cell(packed, [H, MEMORY])
    np.testing.assert_allclose(ops.convert_to_numpy(output), NEXT_H, atol=1e-6)
    np.testing.assert_allclose(ops.convert_to_numpy(h), NEXT_H, atol=1e-6)
    np.testing.assert_allclose(ops.convert_to_numpy(memory), NEXT_MEMORY, atol=1e-6)


def test_every_implementation_takes_the_step(make_recurrence):
    recurrence = make_recurrence(2, num_clusters=2, return_state=True)
    recurrence.build(X.shape)
    recurrence.layer.set_weights(WEIGHTS)
    output, h, memory = recurrence.read(X, CLUSTERS, initial_state=[H, MEMORY])
    np.testing.assert_allclose(ops.convert_to_numpy(output), NEXT_H, atol=1e-6)
    np.testing.assert_allclose(ops.convert_to_numpy(h), NEXT_H, atol=1e-6)
    np.testing.assert_allclose(ops.convert_to_numpy(memory), NEXT_MEMORY, atol=1e-6)
