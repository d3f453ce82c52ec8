"""Words and numbers that text, image and page share."""

from __future__ import annotations

from keras_cgru.inspection.answer import Answer
from keras_cgru.inspection.reading import Reading
from keras_cgru.inspection.visible import visible_line

# Answers that are shown beside the predicted and the right one.
NUM_ANSWERS = 5


def percent(share: float) -> str:
    """A share in whole percent that says 0 and 100 only where they are exact."""
    if 0 < share < 0.005:
        return "<1 %"
    if 0.995 <= share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


def heading(reading: Reading, ascii: bool = False) -> str:
    """The title, or the id where there is none."""
    return visible_line(reading.title or reading.id, ascii)


def details(reading: Reading, ascii: bool = False) -> list[str]:
    """What stands under the heading, one label each."""
    labels = [f"{name}: {text}" for name, text in reading.labels.items()]
    named = [reading.id, *labels] if reading.title else labels
    return [visible_line(text, ascii) for text in named]


def verdict(reading: Reading, ascii: bool = False) -> str:
    """One sentence: what was answered, and whether that was right."""
    gold = None if reading.gold is None else " ".join(reading.gold)
    right = "" if gold is None else visible_line(gold, ascii)
    if not reading.answers:
        return f"Right answer: {right}" if right else ""
    best = reading.predicted
    if best is None:
        said = "No answer has any probability"
    else:
        said = (
            f"Answered {visible_line(best.text, ascii)} ({percent(best.probability)})"
        )
    if reading.correct:
        return f"RIGHT. {said}"
    if not right:
        return said
    return f"WRONG. {said}; right: {right} ({_chance_of_gold(reading)})"


def shown_answers(reading: Reading) -> list[tuple[Answer, str]]:
    """The most probable answers and the right one, each with what it is."""
    shown = []
    for rank, answer in enumerate(reading.ranked):
        is_gold = answer.tokens == reading.gold
        if rank >= NUM_ANSWERS and not is_gold:
            continue
        notes = ["predicted"] if answer is reading.predicted else []
        notes += ["right answer"] if is_gold else []
        shown.append((answer, ", ".join(notes)))
    return shown


def num_hidden_answers(reading: Reading) -> int:
    """How many answers `shown_answers` leaves out."""
    return len(reading.answers) - len(shown_answers(reading))


def count(number: int, noun: str) -> str:
    """ "1 token", "2 tokens"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _chance_of_gold(reading: Reading) -> str:
    for answer in reading.answers:
        if answer.tokens == reading.gold:
            return percent(answer.probability)
    return "not among the answers"
