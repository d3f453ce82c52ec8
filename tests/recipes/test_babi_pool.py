"""Jobs in processes: results, failures and deaths, in any order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).resolve().parents[2] / "recipes"

JOBS = """
import os
import time


def work(job, tell):
    tell(f"begins {job}")
    if job == "raise":
        raise ValueError("no such thing")
    if job == "die":
        os._exit(7)
    if job == "cores":
        return sorted(os.sched_getaffinity(0))
    if job == "process":
        return os.getpid()
    return 2 * job
"""


@pytest.fixture
def pool(monkeypatch, tmp_path):
    """`run_jobs` and a module of jobs that new processes find, too."""
    (tmp_path / "jobs_of_a_test.py").write_text(JOBS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(RECIPES))
    import babi_pool
    import jobs_of_a_test

    def run(jobs, workers, size=1):
        groups = [jobs[n : n + size] for n in range(0, len(jobs), size)]
        return list(babi_pool.run_jobs(jobs_of_a_test.work, groups, workers))

    yield run
    for name in ("babi_pool", "jobs_of_a_test"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("workers", [1, 2, 9])
def test_every_job_ends_once(pool, workers):
    messages = pool([1, 2, 3, 4], workers)
    done = {m.job: m.value for m in messages if m.kind == "done"}
    assert done == {0: 2, 1: 4, 2: 6, 3: 8}
    told = sorted(m.value for m in messages if m.kind == "told")
    assert told == [f"begins {n}" for n in (1, 2, 3, 4)]
    assert len(messages) == 8


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_failure_or_a_death_leaves_the_others_alone(pool, size):
    messages = pool([1, "raise", "die", 4], 2, size)
    done = {m.job: m.value for m in messages if m.kind == "done"}
    failed = {m.job: m.value for m in messages if m.kind == "failed"}
    assert done == {0: 2, 3: 8}
    assert set(failed) == {1, 2}
    assert "ValueError: no such thing" in failed[1]
    assert "exit code 7" in failed[2]


def test_no_jobs(pool):
    assert pool([], 2) == []


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs a system that assigns cores, and two of them",
)
def test_workers_share_the_cores_out(pool):
    messages = pool(["cores"] * 4, 2)
    sets = {tuple(m.value) for m in messages if m.kind == "done"}
    assert len(sets) == 2
    assert sorted(core for cores in sets for core in cores) == sorted(
        os.sched_getaffinity(0)
    )


def test_a_group_has_a_process_of_its_own(pool):
    messages = pool(["process"] * 6, 2, size=3)
    of = {m.job: m.value for m in messages if m.kind == "done"}
    assert of[0] == of[1] == of[2] != of[3] == of[4] == of[5]


def test_workers_end_with_a_caller_that_is_killed(tmp_path):
    (tmp_path / "sleeping.py").write_text(
        "import time\n\ndef work(job, tell):\n    tell('begins')\n    time.sleep(60)\n"
    )
    (tmp_path / "caller.py").write_text(
        "import babi_pool, sleeping\n"
        "if __name__ == '__main__':\n"
        "    for message in babi_pool.run_jobs(sleeping.work, [[1]], 1):\n"
        "        print(message.value, flush=True)\n"
    )
    caller = subprocess.Popen(
        [sys.executable, "caller.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(RECIPES)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert caller.stdout.readline() == "begins\n"
    caller.kill()
    # It returns when nobody has the pipe any more, and the worker has it, too.
    caller.communicate(timeout=30)
