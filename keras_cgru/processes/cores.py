"""How many cores this process may use, and who gets which."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def available_cores() -> int:
    """The cores that this process may use, at least 1.

    Those that its affinity allows, or fewer where a control group limits its time, as
    containers do: a quota of half a core is one core, of two and a half are three.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    quota = cgroup_quota(Path("/proc/self"))
    return cores if quota is None else max(1, min(cores, math.ceil(quota)))


def share_cores(num_workers: int) -> list[set[int] | None]:
    """Disjoint sets of cores: two compilers on the same core slow each other down.

    None for each where there is nothing to share: a system that does not assign cores,
    one process, or more processes than cores.
    """
    if not hasattr(os, "sched_getaffinity"):
        return [None] * num_workers
    cores = sorted(os.sched_getaffinity(0))
    if num_workers < 2 or num_workers > len(cores):
        return [None] * num_workers
    return [set(cores[place::num_workers]) for place in range(num_workers)]


def cgroup_quota(process: Path) -> float | None:
    """The cores that control groups leave a process; None where they set no limit.

    A group has no more than those around it, so the smallest quota counts.

    Args:
        process: The folder of the process in /proc, with `cgroup` and `mountinfo`.
    """
    try:
        groups = (process / "cgroup").read_text().splitlines()
        mounts = (process / "mountinfo").read_text().splitlines()
    except (OSError, UnicodeDecodeError):  # No Linux, or a /proc that is locked up.
        return None
    quotas = [
        quota
        for folder in _folders(groups, mounts)
        for quota in (_quota_of_v2(folder), _quota_of_v1(folder))
        if quota is not None
    ]
    return min(quotas, default=None)


def _folders(groups: list[str], mounts: list[str]) -> Iterator[Path]:
    """The folders of the groups that hold the process, up to the mount."""
    # Of version 2 under "", of version 1 by controller.
    paths: dict[str, PurePosixPath] = {}
    for line in groups:
        _, controllers, name = line.split(":", 2)
        paths |= dict.fromkeys(controllers.split(","), PurePosixPath(name))
    for line in mounts:
        left, _, right = line.partition(" - ")
        root, mount = left.split()[3:5]
        kind, _, options = right.split()[:3]
        controller = "" if kind == "cgroup2" else "cpu"
        if kind != "cgroup2" and not (kind == "cgroup" and "cpu" in options.split(",")):
            continue
        yield Path(mount)
        # In a container the group may have its name of outside, and no folder of it.
        path = paths.get(controller)
        if path is not None and path.is_relative_to(root):
            inner = Path(mount, path.relative_to(root))
            yield from (f for f in (inner, *inner.parents) if f.is_relative_to(mount))


def _quota_of_v2(folder: Path) -> float | None:
    quota, period = _numbers(folder / "cpu.max", 2)
    return quota / period if quota and period else None


def _quota_of_v1(folder: Path) -> float | None:
    (quota,) = _numbers(folder / "cpu.cfs_quota_us", 1)
    (period,) = _numbers(folder / "cpu.cfs_period_us", 1)
    return quota / period if quota and period else None


def _numbers(file: Path, count: int) -> list[int | None]:
    """The numbers of a file; None for what is no positive one, as "max" and "-1"."""
    try:
        words = file.read_text().split()
    except (OSError, UnicodeDecodeError):
        words = []
    numbers = [int(w) if w.isdecimal() and int(w) else None for w in words]
    return (numbers + [None] * count)[:count]
