"""The same run on two backends."""

import pytest


def first_batch_loss(run, read_events):
    (events,) = read_events(run.folder / "train")
    return dict(events)[1]["batch_loss"]


def test_first_loss_is_the_same_on_both_backends(runs, other_backend, read_events):
    """Without dropout, the first batch and the initial weights being equal."""
    if other_backend is None:
        pytest.skip("only one of the backends jax and tensorflow is installed")
    here = runs["no_dropout"].result()
    there = runs["other_backend"].result()
    assert there.json("config.json")["backend"] == other_backend
    assert here.json("config.json")["backend"] != other_backend
    loss = first_batch_loss(here, read_events)
    assert first_batch_loss(there, read_events) == pytest.approx(loss, rel=1e-5)


def test_every_update_is_logged_when_asked_for(runs, read_events, updates_per_epoch):
    (events,) = read_events(runs["no_dropout"].result().folder / "train")
    losses = [values["batch_loss"] for _, values in events]
    assert [step for step, _ in events] == list(range(1, updates_per_epoch + 1))
    assert len(set(losses)) == updates_per_epoch
