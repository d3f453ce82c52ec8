"""How many cores there are: affinity, and quotas of control groups."""

import os

import pytest

from keras_cgru.processes import available_cores, cores
from keras_cgru.processes.cores import cgroup_quota

V2 = "31 23 0:28 / {mount} rw - cgroup2 cgroup2 rw,nsdelegate\n"
V1 = "32 31 0:29 {root} {mount} rw shared:1 - cgroup cgroup rw,cpu,cpuacct\n"


@pytest.fixture
def machine(tmp_path):
    """Makes a /proc folder and a tree of groups; returns the quota that is read."""

    def make(groups, mountinfo, files, root="/"):
        mount = tmp_path / "cgroup"
        for name, content in files.items():
            file = mount / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        (tmp_path / "cgroup_of").mkdir()
        (tmp_path / "cgroup_of" / "cgroup").write_text(groups)
        (tmp_path / "cgroup_of" / "mountinfo").write_text(
            "20 1 8:1 / / rw,relatime - ext4 /dev/sda rw\n"
            + mountinfo.format(mount=mount, root=root)
        )
        return cgroup_quota(tmp_path / "cgroup_of")

    return make


@pytest.mark.parametrize(
    ("content", "quota"),
    [
        ("100000 100000\n", 1.0),
        ("50000 100000\n", 0.5),
        ("250000 100000\n", 2.5),
        ("max 100000\n", None),
        ("", None),
        ("nonsense\n", None),
    ],
)
def test_version_2(machine, content, quota):
    assert machine("0::/\n", V2, {"cpu.max": content}) == quota


def test_the_smallest_of_the_groups_around_counts(machine):
    files = {
        "a/cpu.max": "200000 100000\n",
        "a/b/cpu.max": "max 100000\n",
        "a/b/c/cpu.max": "400000 100000\n",
        "other/cpu.max": "10000 100000\n",
    }
    assert machine("0::/a/b/c\n", V2, files) == 2.0


@pytest.mark.parametrize(
    ("quota", "expected"), [("150000\n", 1.5), ("-1\n", None), ("0\n", None)]
)
@pytest.mark.parametrize("controllers", ["cpu", "cpu,cpuacct", "cpuacct,cpu"])
def test_version_1(machine, controllers, quota, expected):
    files = {
        "docker/x/cpu.cfs_quota_us": quota,
        "docker/x/cpu.cfs_period_us": "100000\n",
        "cpu.cfs_quota_us": "-1\n",
        "cpu.cfs_period_us": "100000\n",
    }
    groups = f"5:memory:/docker/x\n4:{controllers}:/docker/x\n0::/\n"
    assert machine(groups, V1, files) == expected


def test_a_container_of_version_1_sees_its_group_as_the_root(machine):
    files = {"cpu.cfs_quota_us": "100000\n", "cpu.cfs_period_us": "50000\n"}
    assert machine("4:cpu:/docker/x\n", V1, files, root="/docker/x") == 2.0


def test_a_container_that_sees_its_name_of_outside(machine):
    files = {"cpu.max": "300000 100000\n"}
    assert machine("0::/../../docker/x\n", V2, files) == 3.0
    assert cgroup_quota(cores.Path("/nowhere")) is None


@pytest.mark.parametrize(
    ("affinity", "quota", "expected"),
    [(64, 1.0, 1), (64, 0.2, 1), (64, 2.5, 3), (2, 8.0, 2), (4, None, 4)],
)
def test_affinity_and_quota(monkeypatch, affinity, quota, expected):
    monkeypatch.setattr(
        os, "sched_getaffinity", lambda _: set(range(affinity)), raising=False
    )
    monkeypatch.setattr(cores, "cgroup_quota", lambda _: quota)
    assert available_cores() == expected
