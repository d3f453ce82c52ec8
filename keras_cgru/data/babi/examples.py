"""Turns the questions of a bAbI task into examples, with clusters and candidates."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Literal, get_args

from keras_cgru.coref.text.stop_words import PUNCTUATION
from keras_cgru.data.babi.entities import entity_clusters, entity_words
from keras_cgru.data.babi.entity_kinds import entity_kinds
from keras_cgru.data.babi.question import BabiQuestion
from keras_cgru.data.babi.splits import BabiSplits
from keras_cgru.data.babi.task import BabiTask, Head
from keras_cgru.data.data_source import DataSource
from keras_cgru.data.example import Example
from keras_cgru.data.read_result import ReadResult
from keras_cgru.data.unusable_passage import UnusablePassage

Candidates = Literal["answers", "entities", "words"]
Normalise = Callable[[str], str]


@dataclasses.dataclass(frozen=True)
class _Recipe:
    """How an example is made of a question; all of it decided from training."""

    head: Head
    classes: tuple[tuple[str, ...], ...]
    entities: frozenset[str]
    # None takes every word of the passage.
    candidates: frozenset[str] | None
    normalise: Normalise | None
    phrases: bool
    # None where answers are classes.
    words: frozenset[str] | None
    simulated: bool
    # What each answer was before its words were normalised.
    originals: dict[tuple[str, ...], tuple[str, ...]]


def babi_examples(
    splits: BabiSplits,
    normalise: Normalise | None = None,
    normalise_text: bool = False,
    candidates: Candidates = "answers",
    phrases: bool = False,
    by_word: bool = False,
) -> BabiTask:
    """Makes the examples of a task and chooses its answer head.

    Everything is decided from the training questions: the head, the classes, the
    candidates, the words that form clusters. A question of another split that this
    leaves without its answer is counted, with the reason, and stays in the total.

    Args:
        splits: The questions.
        normalise: Takes a word to the form by which words are linked, such as
            `keras_cgru.coref.text.inflection.singular`. None links equal words.
        normalise_text: Whether passages, questions and answers are rewritten in that
            form, too. In task 15 the answer "mouse" then stands in a passage that
            spoke of "mice".
        candidates: For the attention-sum head, which words of a passage may be
            answers: training "answers", "entities" or all "words" but marks.
        phrases: Whether "red square" is one mention; see `entity_clusters`.
        by_word: Whether a softmax head gives an answer word by word: a list or path
            can then be answered that training never had, if it had its words and one
            as long. Such an answer stands as one more candidate behind `classes`.

    Returns:
        The task. `metadata` of an example has `task`, `story`, the positions
        `sentence_starts`, the positions `supports` among the sentences, and
        `answer`, the words as the file has them; and `simulated` where it is True.

    Raises:
        ValueError: There is no training question; `candidates` is no such choice;
            `normalise_text` is asked for without `normalise`, or takes two training
            answers to one.
    """
    if candidates not in get_args(Candidates):
        raise ValueError(
            f"`candidates` must be one of {get_args(Candidates)}. "
            f"Received: candidates={candidates!r}"
        )
    if normalise_text and normalise is None:
        raise ValueError("`normalise_text` must come with `normalise`. Received: None")
    if not splits.train:
        raise ValueError("`splits` must hold at least one training question")
    rewrite = normalise if normalise_text else None
    train = _rewrite(splits.train, rewrite)
    recipe = _decide(splits, train, normalise, candidates, phrases, by_word)

    def read(questions: Sequence[BabiQuestion], name: str) -> ReadResult:
        return _read(questions, _rewrite(questions, rewrite), recipe, name)

    sentences = (s for q in train for s in (*q.story, q.question))
    return BabiTask(
        source=splits.source or DataSource("data-dir", name="babi", title="bAbI"),
        limit=splits.limit,
        task=splits.task,
        validation_by=splits.validation_by,
        head=recipe.head,
        classes=recipe.classes,
        answer_words=tuple(sorted({w for answer in recipe.classes for w in answer})),
        entities=recipe.entities,
        kinds=entity_kinds(sentences, recipe.entities),
        train=_read(splits.train, train, recipe, "training"),
        validation=read(splits.validation, "validation"),
        test=read(splits.test, "test"),
    )


def _rewrite(
    questions: Sequence[BabiQuestion], normalise: Normalise | None
) -> list[BabiQuestion]:
    if normalise is None:
        return list(questions)

    def apply(words: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(normalise, words))

    return [
        dataclasses.replace(
            question,
            story=tuple(map(apply, question.story)),
            question=apply(question.question),
            answer=apply(question.answer),
        )
        for question in questions
    ]


def _decide(
    splits: BabiSplits,
    train: Sequence[BabiQuestion],
    normalise: Normalise | None,
    candidates: Candidates,
    phrases: bool,
    by_word: bool,
) -> _Recipe:
    in_passage = all(
        len(question.answer) == 1 and question.answer[0] in question.passage
        for question in train
    )
    classes = tuple(sorted({question.answer for question in train}))
    entities = entity_words(train)
    answers = frozenset(answer[0] for answer in classes)
    words = {"answers": answers, "entities": entities | answers, "words": None}
    return _Recipe(
        head="attention_sum" if in_passage else "softmax",
        classes=classes,
        entities=entities,
        candidates=words[candidates],
        normalise=normalise,
        phrases=phrases,
        words=frozenset(w for a in classes for w in a) if by_word else None,
        simulated=splits.simulated,
        originals=_original_answers(splits.train, train),
    )


def _original_answers(
    originals: Sequence[BabiQuestion], train: Sequence[BabiQuestion]
) -> dict[tuple[str, ...], tuple[str, ...]]:
    answers: dict[tuple[str, ...], tuple[str, ...]] = {}
    for original, question in zip(originals, train, strict=True):
        first = answers.setdefault(question.answer, original.answer)
        if first != original.answer:
            raise ValueError(
                "`normalise` must keep training answers apart when texts are "
                f"rewritten. Received: {question.answer} for {first} and "
                f"{original.answer}"
            )
    return answers


def _read(
    originals: Sequence[BabiQuestion],
    questions: Sequence[BabiQuestion],
    recipe: _Recipe,
    name: str,
) -> ReadResult:
    examples: list[Example] = []
    skipped: Counter[str] = Counter()
    for original, question in zip(originals, questions, strict=True):
        try:
            examples.append(_to_example(original, question, recipe))
        except UnusablePassage as error:
            skipped[error.reason] += 1
    return ReadResult(
        examples=tuple(examples),
        num_total=len(questions),
        skipped=dict(sorted(skipped.items())),
        source=f"bAbI {name} questions",
    )


def _to_example(
    original: BabiQuestion, question: BabiQuestion, recipe: _Recipe
) -> Example:
    candidates = _candidates(question, recipe)
    # The form that a rewritten answer has in common with another is no match.
    known = recipe.originals.get(question.answer, original.answer) == original.answer
    if question.answer not in candidates or not known:
        raise UnusablePassage(_reason(question, recipe))
    document_clusters, query_clusters = entity_clusters(
        question.passage,
        question.question,
        recipe.entities,
        recipe.normalise,
        recipe.phrases,
    )
    return Example(
        id=question.id,
        document=question.passage,
        query=question.question,
        candidates=candidates,
        answer=question.answer,
        document_clusters=document_clusters,
        query_clusters=query_clusters,
        metadata={
            "task": question.task,
            "story": question.story_index,
            "sentence_starts": list(question.sentence_starts),
            "supports": list(question.support_sentences),
            "answer": list(original.answer),
            **({"simulated": True} if recipe.simulated else {}),
        },
    )


def _candidates(question: BabiQuestion, recipe: _Recipe) -> tuple[tuple[str, ...], ...]:
    if recipe.head == "softmax":
        unseen = question.answer not in recipe.classes
        if unseen and _is_composed(question, recipe):
            return (*recipe.classes, question.answer)
        return recipe.classes
    return story_candidates(question.passage, recipe.candidates)


def story_candidates(
    passage: Sequence[str], candidates: Collection[str] | None
) -> tuple[tuple[str, ...], ...]:
    """The words of a passage that may be its answer, by first appearance.

    Args:
        passage: Its tokens.
        candidates: The words that may be answers; None takes all but marks.
    """
    words = dict.fromkeys(passage)
    if candidates is None:
        return tuple((word,) for word in words if word not in PUNCTUATION)
    return tuple((word,) for word in words if word in candidates)


def _is_composed(question: BabiQuestion, recipe: _Recipe) -> bool:
    longest = max(map(len, recipe.classes))
    known = recipe.words is not None and recipe.words.issuperset(question.answer)
    return known and len(question.answer) <= longest


def _reason(question: BabiQuestion, recipe: _Recipe) -> str:
    if recipe.head == "softmax":
        by = "class" if recipe.words is None else "word, or too long"
        return f"answer is no training {by}"
    if len(question.answer) > 1:
        return "answer has several words"
    if question.answer[0] not in question.passage:
        return "answer not in passage"
    return "answer is no candidate"
