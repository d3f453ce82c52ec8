"""tools/report.py: cells that were trained otherwise."""

from babi_cells import write_folder


def test_changes_are_printed_and_kept(report, runs, tmp_path):
    """The file that it writes is a source of the same table."""
    folder = tmp_path / "no-dropout"
    training = {"units": 64, "layers": None, "dropout": 0.0, "by_word": False}
    write_folder(folder, "ga_gru", 3, 2, 0.5, training=training)
    output = tmp_path / "report"
    status, printed, _ = report(runs[0], "--changes", folder, "--output", output)
    assert status == 0
    assert "| GA w/ GRU | dropout 0.0, not 0.1 | 1 | 0.500 (+0.100) |" in printed
    table = (output / "changes.md").read_text(encoding="utf-8")
    assert table in printed + "\n"
    status, again, _ = report(runs[0], "--changes", output / "changes.jsonl")
    assert status == 0 and again == printed


def test_changes_keep_the_order_in_which_they_were_given(report, runs, tmp_path):
    for dropout, seed in ((0.3, 2), (0.2, 1)):
        folder = tmp_path / f"dropout-{dropout}"
        write_folder(folder, "ga_gru", 3, seed, 0.5, training={"dropout": dropout})
    ways = tmp_path / "dropout-0.3", tmp_path / "dropout-0.2"
    output = tmp_path / "report"
    _, printed, _ = report(runs[0], "--changes", *ways, "--output", output)
    assert printed.index("dropout 0.3") < printed.index("dropout 0.2")
    assert report(runs[0], "--changes", output / "changes.jsonl")[1] == printed


def test_changes_without_a_counterpart_are_refused_before_anything_is_written(
    report, runs, tmp_path
):
    folder = tmp_path / "other"
    write_folder(folder, "ga_gru", 4, 1, 0.5, training={"units": 32})
    output = tmp_path / "report"
    status, printed, told = report(runs[0], "--changes", folder, "--output", output)
    assert status == 2 and "counterpart" in told and not printed
    assert not output.exists()
