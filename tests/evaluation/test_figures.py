"""Curves in panels: what is drawn, and in which files."""

import pytest

pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")

from keras_cgru.evaluation.figures import draw_curve, make_panels, save_figure


def test_one_point_alone_is_a_mark():
    _, (one, several) = make_panels(["one", "several"], "x", "y")
    draw_curve(one, [(87, 1.0)], "C0", "a")
    draw_curve(several, [(1, 0.1), (2, 0.5)], "C0")
    assert one.get_lines()[0].get_marker() == "o"
    assert several.get_lines()[0].get_marker() == "None"


def test_no_more_panels_than_titles():
    figure, panels = make_panels([str(n) for n in range(5)], "x")
    assert len(panels) == len(figure.axes) == 5


def test_the_suffix_says_the_format_unless_formats_do(tmp_path):
    figure, panels = make_panels(["one"], "x")
    draw_curve(panels[0], [(1, 0.5)], "C0", "a")
    path = tmp_path / "plot.svg"
    assert save_figure(path, figure, panels) == [path]
    files = save_figure(path, figure, panels, "SIMULATED", ("png", "pdf"))
    assert [file.name for file in files] == ["plot.png", "plot.pdf"]
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        *("plot.pdf", "plot.png", "plot.svg")
    ]
