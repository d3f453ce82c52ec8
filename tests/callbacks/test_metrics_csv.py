"""metrics.csv has each finished epoch once, whatever happened in between."""

import re

import pytest

from keras_cgru.callbacks import MetricsCSV, read_metrics


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "metrics.csv"


def test_rows_are_what_fit_reports(build_model, fit, validation, path):
    history = fit(
        build_model(),
        epochs=2,
        callbacks=[MetricsCSV(path)],
        validation_data=validation,
    )
    rows = read_metrics(path)
    assert list(rows[0])[:2] == ["epoch", "seconds"]
    assert [row["epoch"] for row in rows] == [1, 2]
    assert all(row.pop("seconds") > 0 for row in rows)
    assert {name for row in rows for name in row} == {"epoch", *history}
    for name, values in history.items():
        assert [row[name] for row in rows] == values


def test_interrupted_epoch_adds_no_row_and_a_repeated_one_no_second(
    build_model, fit, interrupt_at, path
):
    model = build_model()
    with pytest.raises(KeyboardInterrupt):
        fit(model, epochs=3, callbacks=[interrupt_at(2, 1), MetricsCSV(path)])
    before = read_metrics(path)
    assert [row["epoch"] for row in before] == [1, 2]
    history = fit(model, epochs=3, initial_epoch=1, callbacks=[MetricsCSV(path)])
    after = read_metrics(path)
    assert [row["epoch"] for row in after] == [1, 2, 3]
    assert after[0] == before[0]
    assert [row["loss"] for row in after[1:]] == history["loss"]


def test_a_run_from_the_start_takes_the_place_of_an_earlier_one(build_model, fit, path):
    fit(build_model(), epochs=3, callbacks=[MetricsCSV(path)])
    history = fit(build_model(), epochs=1, callbacks=[MetricsCSV(path)])
    (row,) = read_metrics(path)
    assert (row["epoch"], row["loss"]) == (1, history["loss"][0])


def test_a_metric_that_begins_later_leaves_the_first_rows_empty(
    build_model, fit, validation, path
):
    model, callback = build_model(), MetricsCSV(path)
    fit(model, epochs=1, callbacks=[callback])
    fit(
        model,
        epochs=2,
        initial_epoch=1,
        callbacks=[callback],
        validation_data=validation,
    )
    first, second = read_metrics(path)
    assert first["val_loss"] is None
    assert second["val_loss"] > 0
    assert first["loss"] > 0


def test_not_a_number_is_kept(path):
    path.parent.mkdir()
    path.write_text("epoch,seconds,loss\n1,0.5,nan\n")
    (row,) = read_metrics(path)
    assert row["loss"] != row["loss"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "metrics.csv:1: the first column must be `epoch`. Received: None"),
        ("loss,epoch\n", "metrics.csv:1: the first column must be `epoch`"),
        ("epoch,loss\n1,0.5\n2,low\n", "metrics.csv:3: cells must be numbers"),
        ("epoch,loss\n1.5,0.5\n", "metrics.csv:2: cells must be numbers"),
        ("epoch,loss\n1\n", "metrics.csv:2: must have a cell a column"),
        ("epoch,loss\n1,2,3\n", "metrics.csv:2: must have a cell a column"),
        ("epoch,loss\n2,1\n2,1\n", "metrics.csv:3: `epoch` must be higher than in"),
        ("epoch,loss\n1,\x001\n", "metrics.csv:2: must be text. Received: a NUL byte"),
        ("epoch,loss\n1," + "9" * 200_000 + "\n", "metrics.csv:2: must be a table"),
    ],
)
def test_other_files_are_refused_by_line(path, text, message):
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(message)):
        read_metrics(path)


@pytest.mark.parametrize("tail", ["3,0.", "3", "\0" * 4096, "3,0.5\0\0"])
def test_what_a_crash_left_behind_the_last_line_is_left_out(path, tail):
    path.parent.mkdir()
    path.write_text("epoch,loss\n1,0.5\n2,0.25\n" + tail)
    with pytest.warns(UserWarning, match=f"csv: left out {len(tail)} bytes behind"):
        rows = read_metrics(path)
    assert rows == [{"epoch": 1, "loss": 0.5}, {"epoch": 2, "loss": 0.25}]


def test_bytes_that_are_no_text_are_named(path):
    path.parent.mkdir()
    path.write_bytes(b"epoch,loss\n1,\xff\n")
    with pytest.raises(ValueError, match="metrics.csv:2: must be UTF-8"):
        read_metrics(path)


def test_another_file_in_its_place_stops_the_run_before_it_trains(
    build_model, fit, path
):
    path.parent.mkdir()
    path.write_text("name,value\n")
    model = build_model()
    with pytest.raises(ValueError, match="first column must be `epoch`"):
        fit(model, epochs=1, callbacks=[MetricsCSV(path)])
    assert int(model.optimizer.iterations) == 0
    assert path.read_text() == "name,value\n"
