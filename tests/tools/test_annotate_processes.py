"""tools/annotate.py as processes: several, killed, interrupted, resumed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from keras_cgru.coref.annotating import read_annotations
from keras_cgru.coref.annotating.raw_document import CHUNK_CHARACTERS

pytest.importorskip("pyarrow", reason="the tool writes Parquet")

ROOT = Path(__file__).resolve().parents[2]
NUM_DOCUMENTS = 6
# Each document fills a chunk, takes a while, and says who annotates it.
SLOW = """
import os, time
from keras_cgru.coref import ExactMatchResolver

class Slow(ExactMatchResolver):
    def resolve(self, tokens, sentence_starts=None):
        with open(os.environ["SLOW_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{os.getpid()} {tokens[0]}\\n")
        time.sleep(float(os.environ.get("SLOW_SECONDS", "0")))
        if tokens[0] == os.environ.get("SLOW_DIES"):
            os._exit(9)
        return super().resolve(tokens, sentence_starts)
"""


class Tool:
    """The command line over six documents."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "log"
        (folder / "slow_resolver.py").write_text(SLOW)
        self.passages = folder / "lambada_test_plain_text.txt"
        word = "x" * 99
        text = " ".join([word, "cat"] * (CHUNK_CHARACTERS // 100))
        lines = [f"d{n} cat , {text} end\n" for n in range(NUM_DOCUMENTS)]
        self.passages.write_text("".join(lines))

    def start(self, output, *arguments, **environment):
        path = os.pathsep.join([str(ROOT), str(self.folder), *sys.path])
        command = [sys.executable, ROOT / "tools" / "annotate.py", self.passages]
        command += ["--resolver", "slow_resolver:Slow", "--output", output, *arguments]
        return subprocess.Popen(
            [str(part) for part in command],
            env=os.environ
            | {"PYTHONPATH": path, "SLOW_LOG": str(self.log)}
            | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def annotated(self):
        """The process and the document of each line of the log, which is emptied."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [(int(pid), name) for pid, name in map(str.split, lines)]


@pytest.fixture(scope="module")
def shared_tool(tmp_path_factory):
    return Tool(tmp_path_factory.mktemp("tool"))


@pytest.fixture
def tool(shared_tool):
    yield shared_tool
    shared_tool.annotated()


@pytest.fixture
def output(tmp_path):
    return tmp_path / "out"


@pytest.fixture(scope="module")
def whole(shared_tool):
    """The bytes that a run in one process writes."""
    status, errors = shared_tool.run(shared_tool.folder / "whole", "--jobs", "1")
    assert status == 0, errors
    pids = {pid for pid, _ in shared_tool.annotated()}
    assert len(pids) == 1
    return (shared_tool.folder / "whole").read_bytes()


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def num_parts(output):
    return len(list(Path(f"{output}.parts").glob("part-*")))


def test_several_processes_write_the_same(tool, whole, output):
    status, errors = tool.run(output, "--jobs", "2", SLOW_SECONDS="0.1")
    assert status == 0, errors
    annotated = tool.annotated()
    assert len({pid for pid, _ in annotated}) == 2
    assert sorted(name for _, name in annotated) == [f"d{n}" for n in range(6)]
    assert output.read_bytes() == whole
    assert [each.id for each in read_annotations(output)] == [
        f"test-{n:05d}" for n in range(NUM_DOCUMENTS)
    ]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_killed_and_resumed_until_done(tool, whole, output):
    arguments = (output, "--resume", "--jobs", "2")
    for parts in (1, 3):
        process = tool.start(*arguments, SLOW_SECONDS="0.3")
        wait_for(lambda parts=parts: num_parts(output) >= parts)
        process.kill()
        process.communicate()
        assert not output.exists()
        # Nothing goes on working behind the dead parent's back.
        workers = {pid for pid, _ in tool.annotated()}
        wait_for(lambda workers=workers: not any(map(is_alive, workers)), 10)
    kept = num_parts(output)
    assert kept >= 3
    status, errors = tool.run(*arguments)
    assert status == 0, errors
    assert len(tool.annotated()) == NUM_DOCUMENTS - kept
    assert output.read_bytes() == whole
    assert not Path(f"{output}.parts").exists()


def test_ctrl_c_says_how_to_go_on(tool, whole, output):
    process = tool.start(output, "--jobs", "2", SLOW_SECONDS="0.3")
    wait_for(lambda: num_parts(output) >= 1)
    # As a terminal does: to the whole group.
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume goes on" in errors and "Traceback" not in errors
    tool.annotated()
    status, errors = tool.run(output, "--resume", "--jobs", "2")
    assert status == 0, errors
    assert len(tool.annotated()) < NUM_DOCUMENTS
    assert output.read_bytes() == whole


def test_a_worker_that_dies_is_an_error_not_a_wait(tool, whole, output):
    status, errors = tool.run(output, "--jobs", "2", SLOW_DIES="d3")
    assert status == 2
    (line,) = [line for line in errors.splitlines() if line.startswith("annotate:")]
    assert "a worker process must not end before its work is done" in line
    status, errors = tool.run(output, "--resume", "--jobs", "2")
    assert status == 0, errors
    assert output.read_bytes() == whole


def test_a_second_run_on_the_same_output_is_refused(tool, output):
    pytest.importorskip("fcntl", reason="there are no such locks on Windows")
    first = tool.start(output, "--jobs", "1", SLOW_SECONDS="60")
    wait_for(lambda: tool.log.exists())
    status, errors = tool.run(output, "--resume", "--jobs", "1")
    assert status == 2 and "must be one run's at a time" in errors
    first.kill()
    first.communicate()


def test_the_locale_does_not_matter(tmp_path, output):
    tool = Tool(tmp_path)
    tool.passages.write_text("naïve d’Artagnan , naïve “ end\n", encoding="utf-8")
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    arguments = (output, "--jobs", "1", "--format", "conll2012")
    status, errors = tool.run(*arguments, **environment)
    assert status == 0, errors
    assert "d’Artagnan" in output.read_text(encoding="utf-8")
    status, errors = tool.run(output, "--preview", "1", **environment)
    assert status == 0, errors
