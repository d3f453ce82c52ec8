"""What must be said of LAMBADA's runs."""

from __future__ import annotations

from keras_cgru.data.official import SIMULATED, caution_of
from keras_cgru.evaluation.seed_run import SeedRun


def described(run: SeedRun) -> str:
    """On what a run was trained and tested, and what makes its figures none of ours."""
    data = run.run.data or "data that its folder does not name"
    if data == SIMULATED:
        what = "trained and tested on simulated stories"
    elif any("train" in name for name in run.run.sha256):
        what = "trained on the training novels"
    else:
        what = "trained on the DEVELOPMENT passages, for want of the training novels"
    said = caution_of(data, "lambada", run.limit)
    return f"LAMBADA, {what}" + (f" ({said})" if said else "")
