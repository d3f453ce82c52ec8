"""Jobs in processes: results, failures and deaths, in any order."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from keras_cgru.processes import run_jobs

ROOT = Path(__file__).resolve().parents[2]

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
    if job == "unpicklable":
        return lambda: None
    if job == "sleep":
        tell(f"process {os.getpid()}")
        time.sleep(60)
    if job == "fork and die":
        if not os.fork():
            time.sleep(20)
        os._exit(8)
    if job == "slow":
        time.sleep(0.3)
    return 2 * job if isinstance(job, int) else job


class Counts:
    def __init__(self):
        self.num_calls = 0

    def __call__(self, job, tell):
        self.num_calls += 1
        work(job, tell)
        return os.getpid(), self.num_calls
"""


@pytest.fixture
def pool(monkeypatch, tmp_path):
    """`run_jobs` and a module of jobs that new processes find, too."""
    (tmp_path / "jobs_of_a_test.py").write_text(JOBS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import jobs_of_a_test

    def run(jobs, workers, size=1):
        groups = [jobs[n : n + size] for n in range(0, len(jobs), size)]
        return list(run_jobs(jobs_of_a_test.work, groups, workers))

    run.jobs = jobs_of_a_test
    yield run
    sys.modules.pop("jobs_of_a_test", None)


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
        "import sleeping\n"
        "from keras_cgru.processes import run_jobs\n"
        "if __name__ == '__main__':\n"
        "    for message in run_jobs(sleeping.work, [[1]], 1):\n"
        "        print(message.value, flush=True)\n"
    )
    caller = subprocess.Popen(
        [sys.executable, "caller.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert caller.stdout.readline() == "begins\n"
    caller.kill()
    # It returns when nobody has the pipe any more, and the worker has it, too.
    caller.communicate(timeout=30)


def test_a_process_that_is_used_again_has_its_work_once(pool):
    messages = list(run_jobs(pool.jobs.Counts(), ([n] for n in range(6)), 2, True))
    done = [m.value for m in messages if m.kind == "done"]
    assert len(done) == 6 and len({pid for pid, _ in done}) <= 2
    for pid in {pid for pid, _ in done}:
        calls = [calls for other, calls in done if other == pid]
        assert calls == list(range(1, len(calls) + 1))


def test_groups_are_taken_as_processes_become_free(pool):
    num_taken = num_done = 0

    def groups():
        nonlocal num_taken
        for number in range(20):
            num_taken += 1
            assert num_taken - num_done <= 4
            yield [number]

    for message in run_jobs(pool.jobs.work, groups(), 2, reuse=True):
        num_done += message.kind == "done"
    assert (num_taken, num_done) == (20, 20)


@pytest.mark.parametrize("reuse", [False, True])
def test_a_death_is_named_and_costs_one_job(pool, reuse):
    jobs = [[n] for n in (1, "die", 3, "die", "die", 6, 7)]
    messages = list(run_jobs(pool.jobs.work, iter(jobs), 2, reuse))
    done = {m.job: m.value for m in messages if m.kind == "done"}
    failed = {m.job: m.value for m in messages if m.kind == "failed"}
    assert done == {0: 2, 2: 6, 5: 12, 6: 14}
    assert set(failed) == {1, 3, 4}
    for value in failed.values():
        assert re.fullmatch(r"its process \d+ ended with exit code 7", value)


def test_a_death_by_a_signal_has_its_name(pool):
    seen = []
    for message in run_jobs(pool.jobs.work, [["sleep"]], 1):
        if message.kind != "told":
            seen.append(message.value)
        elif message.value.startswith("process"):
            os.kill(int(message.value.split()[-1]), signal.SIGKILL)
    (value,) = seen
    assert value.endswith("ended with exit code -9 (SIGKILL)")


def test_a_death_is_noticed_though_a_fork_keeps_its_pipes(pool):
    (failed,) = [
        m for m in run_jobs(pool.jobs.work, [["fork and die"]], 1) if m.kind != "told"
    ]
    assert failed.kind == "failed" and "exit code 8" in failed.value


def test_a_result_that_cannot_be_sent_fails_its_job(pool):
    messages = pool(["unpicklable", 2], 1, size=2)
    assert [m.kind for m in messages if m.kind != "told"] == ["failed", "done"]
    assert "pickle" in messages[1].value


def test_what_the_groups_raise_comes_after_what_was_begun(pool):
    def groups():
        yield [1]
        yield [2]
        yield ["slow"]
        raise ValueError("line 4 is broken")

    messages = []
    with pytest.raises(ValueError, match="line 4 is broken"):
        for message in run_jobs(pool.jobs.work, groups(), 2, reuse=True):
            messages.append(message)
    assert sorted(m.job for m in messages if m.kind == "done") == [0, 1, 2]


def test_processes_end_when_the_iterator_is_closed(pool):
    messages = run_jobs(pool.jobs.work, [["sleep"], ["sleep"]], 2)
    told = (m.value for m in messages if m.value.startswith("process"))
    pids = [int(value.split()[-1]) for value in islice(told, 2)]
    begin = time.monotonic()
    messages.close()
    assert time.monotonic() - begin < 5
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


INTERRUPTED = """
import sys
import jobs_of_a_test
from keras_cgru.processes import run_jobs
if __name__ == "__main__":
    print("up", flush=True)
    groups = [["sleep"]] * 6
    try:
        for message in run_jobs(jobs_of_a_test.work, groups, 2, sys.argv[1] == "reuse"):
            print(message.value, flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
        sys.exit(130)
"""


@pytest.mark.skipif(os.name != "posix", reason="a terminal's Ctrl-C is a signal here")
@pytest.mark.parametrize("mode", ["fresh", "reuse"])
# While the processes are started, while they start, while they work.
@pytest.mark.parametrize("delay", [0.0, 0.1, 1.5])
@pytest.mark.parametrize("pause", [None, 0.0, 0.02])
def test_ctrl_c_ends_at_once_at_any_moment(tmp_path, mode, delay, pause):
    (tmp_path / "jobs_of_a_test.py").write_text(JOBS)
    (tmp_path / "caller.py").write_text(INTERRUPTED)
    caller = subprocess.Popen(
        [sys.executable, "caller.py", mode],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert caller.stdout.readline() == "up\n"
    time.sleep(delay)
    # As a terminal does: to the whole group.
    os.killpg(caller.pid, signal.SIGINT)
    if pause is not None:
        time.sleep(pause)
        with suppress(ProcessLookupError):
            os.killpg(caller.pid, signal.SIGINT)
    _, errors = caller.communicate(timeout=10)
    if pause is None:
        assert (caller.returncode, errors) == (130, "")
    # A second may come when the first has been answered: then it ends Python itself.
    assert caller.returncode in (130, 1, -signal.SIGINT)
    assert "SpawnProcess" not in errors and "spawn_main" not in errors
