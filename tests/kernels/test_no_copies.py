"""XLA overwrites the kernels' buffers in place: a copy at each step would be fatal.

What the loops compute is tested elsewhere; here, that no step copies an array that
holds all steps, in the program that XLA makes of a gradient with all its optimizations.
"""

from __future__ import annotations

import re

import keras
import pytest

TIME, UNITS = 40, 8

# Printed is the optimized program.
PROGRAMS = {
    "jax": """
import os
os.environ.pop("JAX_DISABLE_MOST_OPTIMIZATIONS", None)
import jax, jax.numpy as jnp
from keras_cgru.kernels.coref_gru_jax import coref_gru

def loss(x, keys, kernel, recurrent_kernel, bias, h, first_rows, links):
    states = coref_gru(
        x=x, keys=keys, kernel=kernel, recurrent_kernel=recurrent_kernel,
        bias=bias, h=h, first_rows=first_rows, **links,
    )
    return (states**2).sum()

zeros = jnp.zeros
B, T, U, K = {batch}, {time}, {units}, {k}
steps = zeros((T, B, K), "int32")
links = dict(
    counts=zeros((T, B, 1)), rows=steps, next_steps=steps,
    keep=zeros((T, B, 1), bool) if {rich} else None,
    recurrent_mask=zeros((B, U)) if {rich} else None,
)
arguments = (
    zeros((T, B, 3)), zeros((3, 2)), zeros((3, 3 * U)), zeros((U, 3 * U)),
    zeros(3 * U), zeros((B, U)), zeros((5, B, U // 2)) if {rich} else None,
)
gradient = jax.grad(loss, argnums=range(7))
print(jax.jit(gradient).lower(*arguments, links).compile().as_text())
""",
    "tensorflow": """
import tensorflow as tf
from keras_cgru.kernels.coref_gru_tensorflow import coref_gru

zeros = tf.zeros
B, T, U, K = {batch}, {time}, {units}, {k}
steps = zeros((T, B, K), "int32")
links = dict(
    counts=zeros((T, B, 1)), rows=steps, next_steps=steps,
    keep=zeros((T, B, 1), "bool") if {rich} else None,
    recurrent_mask=zeros((B, U)) if {rich} else None,
)
arguments = [
    zeros((T, B, 3)), zeros((3, 2)), zeros((3, 3 * U)), zeros((U, 3 * U)),
    zeros(3 * U), zeros((B, U)), *([zeros((5, B, U // 2))] if {rich} else []),
]

@tf.function(jit_compile=True, autograph=False)
def gradient(*arguments):
    x, keys, kernel, recurrent_kernel, bias, h, *first_rows = arguments
    with tf.GradientTape() as tape:
        tape.watch(arguments)
        states = coref_gru(
            x=x, keys=keys, kernel=kernel, recurrent_kernel=recurrent_kernel,
            bias=bias, h=h, first_rows=first_rows[0] if first_rows else None, **links,
        )
        loss = tf.reduce_sum(states**2)
    return tape.gradient(loss, arguments)

print(gradient.experimental_get_compiler_ir(*arguments)(stage="optimized_hlo"))
""",
}
BACKEND = keras.backend.backend()


@pytest.mark.skipif(BACKEND not in PROGRAMS, reason=f"{BACKEND} does not use XLA")
@pytest.mark.parametrize("rich", [False, True])
@pytest.mark.parametrize(("batch", "k"), [(1, 1), (3, 1), (3, 2), (40, 1)])
def test_no_step_copies_what_holds_all_steps(batch, k, rich, run_python):
    program = PROGRAMS[BACKEND].format(
        batch=batch, time=TIME, units=UNITS, k=k, rich=rich
    )
    text = run_python(program)
    bodies = _loop_bodies(text)
    assert len(bodies) >= 2, "there are two loops"
    large = [size for body in bodies for size in _copies(body)]
    assert [size for size in large if size >= TIME * batch * UNITS // 2] == []


def test_copies_are_found():
    """The search above finds them where they are."""
    body = "  %copy.1 = f32[40,8]{1,0} copy(%p)\n  %copy.2 = s32[] copy(%i)"
    assert _copies(body) == [320, 1]
    text = (
        f"%b (p: f32[]) -> f32[] {{\n{body}\n}}\n\nENTRY %m {{\n while(%t), body=%b\n}}"
    )
    assert _loop_bodies(text) == [f"%b (p: f32[]) -> f32[] {{\n{body}\n}}"]


def _loop_bodies(text):
    names = set(re.findall(r"body=(%[\w.\-]+)", text))
    computations = re.split(r"\n\n+", text)
    return [c for c in computations if c.lstrip().split(" ", 1)[0] in names]


def _copies(body):
    """Numbers of elements copied."""
    shapes = re.findall(r"= \w+\[([\d,]*)\]\S* copy\(", body)
    sizes = []
    for shape in shapes:
        size = 1
        for length in filter(None, shape.split(",")):
            size *= int(length)
        sizes.append(size)
    return sizes
