"""The sieve's work grows as its text does, whatever the text."""

from itertools import cycle, islice
from string import ascii_lowercase

import pytest
from work import lines_run

from keras_cgru.coref.sieve import SieveResolver

DIALOGUE = "`` I saw you , '' said Mary . `` You did , '' said Tom ."
REPEATED = [
    DIALOGUE,
    "`` I see you . '' `` You are Anna , Tom . '' he said . she smiled at him .",
    "Mary",
    "`` i",
    "'' ``",
    "he",
    "they saw",
    "it her",
    "himself",
    "her mother 's mother saw",
    "the end of the old",
    "the old , old and",
    "she very",
    "mr . Mr.",
    "I we you me us",
]


def word(number: int) -> str:
    """Another unknown word for each number."""
    letters = []
    for _ in range(4):
        number, letter = divmod(number, 26)
        letters.append(ascii_lowercase[letter])
    return "z" + "".join(letters)


# All names or nouns different, or alike in one part.
MANY = {
    "names": lambda i: f"{word(i).title()}",
    "sentences": lambda i: f"{word(i).title()} ran .",
    "first names": lambda i: f"Mary {word(i).title()} ran .",
    "last names": lambda i: f"{word(i).title()} Mary ran .",
    "titles": lambda i: (
        " ".join(
            ["Mr.", "Dr.", "Miss", "Lord", "King"][i // 5**k % 5] for k in range(5)
        )
        + " Mary ran ."
    ),
    "speakers": lambda i: f"`` I see him , '' said Mary {word(i).title()} . he ran .",
    "called": lambda i: f"`` {word(i).title()} , you see , '' said Tom .",
    "nouns": lambda i: f"the {word(i)} man",
    "places": lambda i: f"in {word(i)} ran she .",
}


def growth(text: list[str]) -> float:
    """The work of a text's last third over that of the one before.

    The first fills the window in which pronouns look for their antecedents.
    """
    resolver = SieveResolver()
    resolver.resolve(text)  # Fills what is cached by word.
    part = len(text) // 3
    works = [lines_run(resolver.resolve, text[: part * k]) for k in (1, 2, 3)]
    return (works[2] - works[1]) / (works[1] - works[0])


@pytest.mark.parametrize("part", REPEATED)
def test_a_repeated_part(part):
    assert growth(list(islice(cycle(part.split()), 1800))) < 1.2


@pytest.mark.parametrize("part", MANY.values(), ids=MANY)
def test_different_parts(part):
    text = " ".join(part(number) for number in range(900)).split()[:2700]
    assert growth(text) < 1.2


def test_a_token_of_dialogue_costs_no_more_than_one_of_a_story():
    story = "the old man saw a ship . Mary asked him where it went . she smiled ."
    resolver = SieveResolver()

    def work(part: str) -> int:
        return lines_run(resolver.resolve, list(islice(cycle(part.split()), 3000)))

    assert work(DIALOGUE) < 1.5 * work(story)
