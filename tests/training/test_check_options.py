"""Options that cannot be are refused by name."""

from dataclasses import dataclass, field

import pytest

from keras_cgru.training import check_options


@dataclass
class Inner:
    units: int = 4
    patience: int | None = None
    average: float | None = None


@dataclass
class Options:
    data_dir: str | None = None
    simulated: bool = False
    learning_rate: float = 0.1
    dropped_mentions: tuple[float, ...] = (0.0, 1.0)
    seed: int = 0
    other: int = -1
    inner: Inner = field(default_factory=Inner)


def test_what_can_be_is_passed_over():
    check_options(Options())
    check_options(Options(inner=Inner(patience=1, average=0.5)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options(learning_rate=float("nan")), "--learning-rate must be a positive"),
        (Options(dropped_mentions=(0.5, 1.5)), r"--dropped-mentions must be in \[0, 1"),
        (Options(seed=2**32), "--seed must be in .*4294967296"),
        (Options(simulated=True, data_dir="x"), "--data-dir must be left out with"),
        (Options(inner=Inner(units=3)), "--units must be even. Received: 3"),
        (Options(inner=Inner(units=0)), "--units must be at least 1"),
        (Options(inner=Inner(patience=0)), "--patience must be at least 1"),
        (Options(inner=Inner(average=1.0)), r"--average must be in \(0, 1\)"),
    ],
)
def test_what_cannot_be_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        check_options(options)
