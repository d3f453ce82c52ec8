import io
import re
import warnings

import matplotlib
import numpy as np
import pytest
from matplotlib import image

from keras_cgru.inspection import Passage, Reading, as_image
from keras_cgru.inspection.image.draw_reading import draw
from keras_cgru.inspection.image.render import own_style
from keras_cgru.inspection.palette import COLORS

FORMATS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
ORANGE = np.array([int(COLORS[0][at : at + 2], 16) for at in (1, 3, 5)])


def draw_reading(reading, width=1000):
    """The figure after it was drawn as `as_image` draws it."""
    with own_style():
        figure = draw(reading, width, max_tokens=200)
        figure.canvas.draw()
    return figure


def texts(figure):
    return [each.get_text() for each in figure.axes[0].texts]


def pixels(png):
    return np.round(image.imread(io.BytesIO(png))[..., :3] * 255).astype(int)


@pytest.mark.parametrize("format", FORMATS)
def test_equal_readings_give_equal_files_whatever_the_users_settings(story, format):
    usual = as_image(story, format)
    assert usual.startswith(FORMATS[format])
    ugly = {
        "text.usetex": True,
        "font.size": 40,
        "savefig.dpi": 7,
        "savefig.bbox": "tight",
        "figure.facecolor": "red",
        "patch.linewidth": 9,
    }
    with matplotlib.rc_context(ugly):
        before = dict(matplotlib.rcParams)
        assert as_image(story, format) == usual
        assert dict(matplotlib.rcParams) == before


def test_the_width_is_in_pixels_and_the_chain_has_its_color(story):
    shown = pixels(as_image(story, width=900))
    assert shown.shape[1] == 900
    assert shown.shape[0] < 450
    # The lamp, four mentions; nothing else is orange.
    assert (shown == ORANGE).all(axis=2).sum() > 4 * 100


def test_the_letters_are_legible(story, hostile):
    for reading in (story, hostile):
        figure = draw_reading(reading)
        sizes = [each.get_fontsize() for each in figure.axes[0].texts]
        # 8 points are 11 pixels at 100 dots an inch.
        assert figure.dpi == 100
        assert min(sizes) >= 8


@pytest.mark.parametrize("width", [300, 1000])
def test_nothing_is_drawn_over_the_edge_and_no_token_over_another(
    story, hostile, width
):
    for reading in (story, hostile):
        figure = draw_reading(reading, width)
        with own_style():
            boxes = [
                each.get_window_extent()
                for each in figure.axes[0].texts
                if each.get_text().strip()
            ]
        assert min(box.x0 for box in boxes) >= 0
        assert max(box.x1 for box in boxes) <= width
        for number, one in enumerate(boxes):
            for other in boxes[number + 1 :]:
                wide = min(one.x1, other.x1) - max(one.x0, other.x0)
                high = min(one.y1, other.y1) - max(one.y0, other.y0)
                # Letters such as j reach out of their place; numbers stand lower.
                assert wide < 2 or high < 4


def test_shares_numbers_and_verdict_are_written(story):
    shown = texts(draw_reading(story))
    assert {"50 %", "25 %", "15 %", "predicted", "right answer"} <= set(shown)
    assert "WRONG. Answered mary (50 %); right: anna (40 %)" in shown
    assert shown.count("1") == 2
    assert shown.count("2") == 4


def test_the_black_part_of_a_bar_is_one_minus_alpha():
    def black(alpha):
        passage = Passage(["a", "a"], [1, 1], {(1, "forward"): [1, alpha]})
        bars = draw_reading(Reading("r", passage)).axes[0].collections
        # The pale frames are drawn first.
        return bars[1].get_paths()[0].get_extents().height

    full = black(0.0)
    assert full > 10
    assert [black(alpha) / full for alpha in (0.75, 0.5, 0.0)] == [0.25, 0.5, 1]


def test_a_long_document_is_cut_with_a_note():
    attention = [0.0] * 5000
    attention[4000] = 1.0
    document = Passage([f"w{n}" for n in range(5000)], attention=attention)
    figure = draw_reading(Reading("r", document))
    shown = texts(figure)
    assert "… 3900 tokens before, not shown" in shown
    assert "… 900 tokens after, not shown" in shown
    assert "w4000" in shown
    assert len([each for each in shown if re.fullmatch(r"w\d+", each)]) == 200


def test_hostile_tokens_neither_warn_nor_become_formulas(hostile):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for format in FORMATS:
            as_image(hostile, format)
        shown = texts(draw_reading(hostile))
    assert "$x_$" in shown
    assert r"\x1b[31mred" in shown
    # The font has no such characters.
    assert "▯▯▯" in shown


def test_more_than_seven_chains_have_a_pattern():
    clusters = [n for _ in range(2) for n in range(1, 11)]
    figure = draw_reading(Reading("r", Passage(["w"] * 20, clusters)))
    hatches = [patch.get_hatch() for patch in figure.axes[0].patches]
    assert len([hatch for hatch in hatches if hatch]) == 6


def test_a_passage_of_nothing_is_drawn():
    assert as_image(Reading("r", Passage())).startswith(FORMATS["png"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "gif"}, "`format` must be one of .*Received: 'gif'"),
        ({"width": 299}, "`width` must be at least 300. Received: 299"),
        ({"max_tokens": 0}, "`max_tokens` must be at least 1. Received: 0"),
    ],
)
def test_an_option_out_of_range_is_named(story, options, message):
    with pytest.raises(ValueError, match=message):
        as_image(story, **options)
