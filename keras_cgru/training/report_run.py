"""What a finished run prints."""

from __future__ import annotations

from keras_cgru.files import read_json
from keras_cgru.training.run_folder import RunFolder


def report_run(
    folder: RunFolder, examples: str = "examples", ask: str = "--story TEXT"
) -> None:
    """Prints the results of a run of `fit_epochs` and `evaluate_reader`.

    Args:
        folder: The run's; its `metrics.json` has the accuracies of trivial answers as
            `trivial`, beside what these two give.
        examples: What they are called.
        ask: The options with which `tools/answer.py` asks its reader.
    """
    metrics = read_json(folder.metrics)
    used, total = metrics["num_used"], metrics["num_examples"]
    # Runs of earlier versions have no caution, but say that they are simulated.
    said = metrics.get("caution") or (
        "SIMULATED stories" if metrics["data"] == "simulated" else ""
    )
    beside = f" ({said})" if said else ""
    print(f"\nTest accuracy{beside}: {used:,} usable / all {total:,} {examples}")
    rows = {metrics["model"]: (metrics["accuracy_used"], metrics["accuracy_overall"])}
    for name, each in metrics.get("trivial", {}).items():
        rows[f"{name} candidate"] = each["used"], each["overall"]
    for name, (of_used, of_all) in rows.items():
        print(f"  {name:25} {of_used:.4f} / {of_all:.4f}")
    print(
        f"Trained {metrics['epochs']} epochs in {metrics['train_seconds']:.0f} s, "
        f"{metrics['examples_per_second']:.0f} examples/s; best epoch "
        f"{metrics['best_epoch']}.\nCurves: tensorboard --logdir {folder.path}\n"
        f"Ask it: python tools/answer.py --run {folder.path} {ask}"
    )
