"""Which passes over the data count as an epoch of training."""

from keras_cgru.data.epoch_counter import EpochCounter


def run(counter, batches):
    counter.begin()
    for index in batches:
        counter.serve(index)
    return counter.end()


def test_fit_of_a_built_model():
    counter = EpochCounter(3, epoch=5)
    assert not counter.end()
    assert run(counter, [0, 1, 2])
    assert run(counter, [2, 0, 1])
    assert counter.epoch == 7


def test_a_look_at_the_first_batch_does_not_count():
    counter = EpochCounter(3)
    assert not run(counter, [0])
    assert run(counter, [0, 1, 2])
    assert counter.epoch == 1


def test_a_look_that_sees_every_batch_does_not_count():
    counter = EpochCounter(1)
    assert not run(counter, [0])
    assert run(counter, [0])
    assert counter.epoch == 1


def test_an_epoch_that_was_broken_off_does_not_count():
    counter = EpochCounter(3)
    counter.end()
    counter.begin()
    counter.serve(0)
    assert not counter.end()
    assert not run(counter, [0, 1])
    assert counter.epoch == 0


def test_batches_served_between_epochs_do_not_count():
    counter = EpochCounter(2)
    counter.end()
    counter.serve(0)
    assert not run(counter, [1])
