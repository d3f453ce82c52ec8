"""The random generators that a backend keeps outside the model's variables."""

from collections.abc import Mapping

import keras
import numpy as np


def read_generators() -> dict[str, np.ndarray]:
    """Copy the states of the active backend's own generators, by device.

    Only PyTorch has any that Keras draws from: a `Dropout` without a seed uses it and
    not the layer's `keras.random.SeedGenerator`.
    """
    if keras.backend.backend() != "torch":
        return {}
    import torch

    states = {"cpu": torch.get_rng_state().numpy().copy()}
    for index, state in enumerate(torch.cuda.get_rng_state_all()):
        states[f"cuda:{index}"] = state.numpy().copy()
    return states


def set_generators(states: Mapping[str, np.ndarray]) -> None:
    """Set what `read_generators` read, on the devices that are there now."""
    if not states:
        return
    import torch

    for device, state in states.items():
        tensor = torch.from_numpy(np.array(state))
        if device == "cpu":
            torch.set_rng_state(tensor)
        elif int(device.removeprefix("cuda:")) < torch.cuda.device_count():
            torch.cuda.set_rng_state(tensor, device)
