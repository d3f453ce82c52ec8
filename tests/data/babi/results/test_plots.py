"""The plots of hand-made cells, read back from the figures and the files."""

import pytest
from babi_cells import cell

pytest.importorskip("matplotlib", reason="the extra `recipes` is not installed")

from matplotlib.figure import Figure

from keras_cgru.data.babi.results.plots import plot_curves, plot_dropped_mentions


@pytest.fixture
def figures(monkeypatch):
    """The figures that are saved."""
    saved = []
    save = Figure.savefig

    def keep(self, *arguments, **options):
        saved.append(self)
        return save(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", keep)
    return saved


def lines(panel):
    """The labelled lines of a panel: their points."""
    return {
        line.get_label(): list(zip(*map(list, line.get_data()), strict=True))
        for line in panel.get_lines()
        if not line.get_label().startswith("_")
    }


PERTURBED = [
    cell(task=3, seed=1, test=0.9),
    cell(task=3, seed=2, test=0.7),
    cell(task=3, test=0.5, dropped_mentions=0.25),
    cell(task=3, test=0.3, dropped_mentions=1.0),
    cell("ga_random_gru", 3, 1, 0.4),
    cell("ga_random_gru", 3, 2, 0.2),
    cell("ga_gru", 3, 1, 0.6),
    cell(task=2, test=0.8),
    cell(task=2, test=0.6, dropped_mentions=0.5),
    cell(task=1, test=1.0),
]


def test_a_line_falls_and_random_links_are_a_level(figures, tmp_path):
    assert plot_dropped_mentions(tmp_path / "plot.svg", PERTURBED)
    second, third = figures[0].axes
    assert second.get_title() == "2: two supporting facts"
    assert lines(second) == {"GA w/ C-GRU": [(0.0, 0.8), (0.5, 0.6)]}
    drawn = lines(third)
    assert set(drawn) == {"GA w/ C-GRU", "GA w/ random-GRU"}
    assert drawn["GA w/ C-GRU"] == [
        (0.0, pytest.approx(0.8)),
        (0.25, 0.5),
        (1.0, 0.3),
    ]
    assert [y for _, y in drawn["GA w/ random-GRU"]] == pytest.approx([0.3, 0.3])


def test_a_line_a_seed_in_the_colour_of_its_model(figures, tmp_path):
    curves = {
        ("ga_coref_gru", 2, 1): [(10, 0.5), (20, 0.9)],
        ("ga_coref_gru", 2, 2): [(10, 0.4)],
        ("ga_gru", 2, 1): [(10, 0.1), (20, 0.2)],
        ("ga_gru", 7, 1): [(30, 0.3)],
    }
    assert plot_curves(tmp_path / "plot.svg", curves)
    second, seventh = figures[0].axes
    points = [line.get_xydata().tolist() for line in second.get_lines()]
    assert points == [[[10, 0.1], [20, 0.2]], [[10, 0.5], [20, 0.9]], [[10, 0.4]]]
    gru, first, other = (line.get_color() for line in second.get_lines())
    assert first == other != gru == seventh.get_lines()[0].get_color()
    (legend,) = figures[0].legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["GA w/ GRU", "GA w/ C-GRU"]


def test_the_same_plot_is_the_same_file_in_readable_text(tmp_path):
    for name in ("a.svg", "b.svg"):
        plot_dropped_mentions(tmp_path / name, PERTURBED)
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert "3: three supporting facts" in text and "test accuracy" in text
    assert "SIMULATED" not in text


def test_simulated_stories_are_said(tmp_path):
    cells = [cell(task=3, data="simulated", dropped_mentions=s) for s in (0.0, 1.0)]
    plot_dropped_mentions(tmp_path / "a.svg", cells)
    plot_curves(
        tmp_path / "b.svg", {("ga_gru", 1, 1): [(1, 0.5)]}, caution="SIMULATED stories"
    )
    for name in ("a.svg", "b.svg"):
        assert "SIMULATED stories" in (tmp_path / name).read_text(encoding="utf-8")


def test_nothing_to_draw_writes_nothing(tmp_path):
    assert not plot_dropped_mentions(tmp_path / "a.svg", [cell(), cell("ga_gru")])
    assert not plot_curves(tmp_path / "b.svg", {})
    assert not list(tmp_path.iterdir())
