"""A trained reader and all that it takes to ask it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import keras

from keras_cgru.data import Vocabulary
from keras_cgru.data.asker import Asker, Text
from keras_cgru.data.example import Example
from keras_cgru.data.reader_inputs import PLAIN, ReaderInputs
from keras_cgru.data.wikihop.asker import WikiHopAsker
from keras_cgru.files import short
from keras_cgru.inspection import Reading
from keras_cgru.models import ReaderProbe
from keras_cgru.training.readings import read_examples

# A name, a document, and a question; or a name, a story and None.
Question = tuple[str, Text, Text | None]


class TrainedReader:
    """Answers questions as the run did that trained it; see `load_reader`.

    Args:
        model: A reader of `keras_cgru.models.ga_reader` that gives logits.
        vocabulary: The word ids that it was trained with.
        asker: Makes examples of texts.
        inputs: In which form the model takes them.
    """

    def __init__(
        self,
        model: keras.Model,
        vocabulary: Vocabulary,
        asker: Asker,
        inputs: ReaderInputs = PLAIN,
    ) -> None:
        self.inputs = inputs
        self.model = model
        self.vocabulary = vocabulary
        self.asker = asker
        self._probe = ReaderProbe(model)

    def answer(
        self,
        document: Text,
        query: Text | None = None,
        id: str = "question",
        candidates: Iterable[str] | None = None,
    ) -> Reading:
        """Answers a question about a document, or completes a story.

        Args:
            document: A string, which is tokenised as the reader's texts were; or
                tokens. Without `query` a story whose last word is missing.
            query: The question, or the sentence whose last word is missing.
            id: A name for the question.
            candidates: The possible answers, for a reader of WikiHop; None takes the
                names in the document.

        Returns:
            The answers with their probabilities (`ranked`, `predicted`) and the
            positions of their mentions; tokens, clusters, the answer's attention and
            alpha of document and query. Print it with
            `keras_cgru.inspection.print_reading`.

        Raises:
            ValueError: The document or the question is empty, or the document holds
                nothing that can be an answer; the story is a single sentence, or its
                last sentence is finished, or the reader completes no stories.

        Example:

        >>> reader = load_reader("runs/lambada/simulated-coref_gru-jax-1")
        >>> reading = reader.answer("Ann took the lamp. By evening it was carried by")
        >>> reading.predicted.text, reading.predicted.probability
        """
        return next(self.read([self.example(document, query, id, candidates)]))

    def answer_all(
        self, questions: Iterable[Question], batch_size: int = 32
    ) -> Iterator[Reading]:
        """Answers many, in their order, a batch at a time.

        Args:
            questions: Triples `(id, document, query)`, see `answer`; read as they are
                needed.
            batch_size: Questions answered at once.

        Raises:
            ValueError: See `answer`; the message begins with the question's id.
        """
        return self.read(map(self._named_example, questions), batch_size)

    def example(
        self,
        document: Text,
        query: Text | None,
        id: str,
        candidates: Iterable[str] | None = None,
    ) -> Example:
        """What the reader reads of a question; raises `ValueError` as `answer` does."""
        if query is None:
            document, query = self.asker.split_story(document)
        if candidates is None:
            return self.asker.example(document, query, id)
        if not isinstance(self.asker, WikiHopAsker):
            raise ValueError(
                "`candidates` must be left out: those of this reader are the words "
                f"that it knows how to choose from. Received: {short(list(candidates))}"
            )
        return self.asker.example(document, query, id, candidates)

    def read(
        self, examples: Iterable[Example], batch_size: int = 32
    ) -> Iterator[Reading]:
        """Answers examples that `example` made."""
        return read_examples(
            self._probe,
            self.vocabulary,
            examples,
            self.asker.answers,
            batch_size,
            gold=False,
            inputs=self.inputs,
        )

    def _named_example(self, question: Question) -> Example:
        id, document, query = question
        try:
            return self.example(document, query, id)
        except ValueError as error:
            raise ValueError(f"{id}: {error}") from error
