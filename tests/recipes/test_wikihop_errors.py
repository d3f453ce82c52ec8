"""What recipes/wikihop.py refuses, before any training."""

import pytest


@pytest.mark.parametrize(
    "options, message",
    [
        (["--train-size", 0], "--train-size must be at least 1"),
        (["--max-tokens", 0], "--max-tokens must be at least 1"),
        (["--units", 5], "--units must be even"),
        (["--dropped-mentions", 2], "--dropped-mentions must be in [0, 1]"),
        (["--annotations", "nowhere.parquet"], "nowhere.parquet"),
        (["--annotations", "a", "--resolver", "exact"], "--resolver must be left out"),
        (["--simulated", "--masked"], "--masked must be left out with --simulated"),
        (["--data-dir", "nowhere"], "nowhere"),
        (["--simulated", "--data-dir", "."], "--data-dir must be left out"),
    ],
)
def test_what_cannot_be_is_refused(wikihop, tmp_path, options, message):
    done = wikihop(tmp_path, *options)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


def test_a_broken_file_is_named(wikihop, tmp_path):
    folder = tmp_path / "qangaroo_v1.1" / "wikihop"
    folder.mkdir(parents=True)
    (folder / "train.json").write_text('[{"id": "a"}]')
    (folder / "dev.json").write_text("[]")
    done = wikihop(tmp_path, "--data-dir", tmp_path)
    assert done.returncode == 2
    assert "train.json: record 0 ('a')" in done.stderr
