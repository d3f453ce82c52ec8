"""Heads, classes, candidates and clusters, all decided from training questions."""

import numpy as np
import pytest

from keras_cgru.coref.text.inflection import singular
from keras_cgru.data import Vocabulary
from keras_cgru.data.babi.entities import entity_clusters, entity_words
from keras_cgru.data.babi.examples import babi_examples
from keras_cgru.data.babi.questions import parse_babi
from keras_cgru.data.babi.splits import BabiSplits

ROOMS = """\
1 Vera walked to the barn.
2 Otto ran into the mill.
3 Where is Vera?\tbarn\t1
4 Vera walked to the mill.
5 Where is Vera?\tmill\t4
"""
LISTS = """\
1 Vera took the key there.
2 What does Vera carry?\tkey\t1
3 Vera took the map.
4 What does Vera carry?\tkey,map\t1 3
5 Vera dropped the key and the map.
6 What does Vera carry?\tnothing\t5
"""
KINDS = """\
1 Geese are afraid of calves.
2 Calves are afraid of hens.
3 Rosa is a goose.
4 What is rosa afraid of?\tcalf\t3 1
5 Olga is a calf.
6 What is olga afraid of?\then\t5 2
"""


def parse(text, split="train"):
    lines = enumerate(text.splitlines(), start=1)
    return tuple(parse_babi(lines, "text", 1, split))


def make(train, test=None, **options):
    test = parse(train if test is None else test, "test")
    splits = BabiSplits(1, parse(train), test[:1], test, "by hand")
    return babi_examples(splits, **options)


class TestHead:
    def test_one_word_of_the_passage_is_pointed_at(self):
        task = make(ROOMS)
        assert task.head == "attention_sum"
        example = task.test.examples[1]
        assert example.document[:6] == tuple("vera walked to the barn .".split())
        assert example.query == ("where", "is", "vera", "?")
        assert example.answer == ("mill",)
        assert example.candidates == (("barn",), ("mill",))
        assert example.metadata["supports"] == [2]
        assert example.metadata["sentence_starts"] == [0, 6, 12]

    def test_lists_and_paths_are_classes_and_keep_their_words(self):
        task = make(LISTS)
        assert task.head == "softmax"
        assert task.classes == (("key",), ("key", "map"), ("nothing",))
        assert task.answer_words == ("key", "map", "nothing")
        assert [e.answer_index for e in task.test.examples] == [0, 1, 2]
        assert all(e.candidates == task.classes for e in task.examples)

    def test_one_answer_outside_its_passage_makes_classes_of_all(self):
        text = ROOMS + "6 Is Otto in the mill?\tyes\t2\n"
        assert make(text).head == "softmax"

    def test_the_test_questions_decide_nothing(self):
        assert make(ROOMS, LISTS).head == "attention_sum"
        assert make(LISTS, ROOMS).classes == make(LISTS).classes
        assert make(ROOMS, KINDS).entities == make(ROOMS).entities


class TestUnanswerable:
    """They are counted by reason and stay in the denominator."""

    def test_no_training_class(self):
        test = LISTS.replace("key,map\t", "map,key\t")
        task = make(LISTS, test)
        assert task.test.num_total == 3
        assert task.test.num_used == 2
        assert task.test.skipped == {"answer is no training class": 1}
        assert "kept 2 of 3" in task.summary()

    def test_not_in_the_passage_or_no_candidate(self):
        test = (
            ROOMS
            + """\
1 Vera walked to the loft.
2 Where is Vera?\tloft\t1
3 Where is Otto?\tmill\t1
4 Where are they?\tloft,mill\t1
"""
        )
        task = make(ROOMS, test)
        assert task.test.num_total == 5
        assert task.test.skipped == {
            "answer has several words": 1,
            "answer is no candidate": 1,
            "answer not in passage": 1,
        }
        everything = make(ROOMS, test, candidates="words")
        assert everything.test.num_used == 3
        assert everything.test.examples[2].answer == ("loft",)

    def test_unseen_words_do_not_stop_the_encoding(self):
        test = "1 Zelda flew to the barn.\n2 Where is Zelda?\tbarn\t1\n"
        task = make(ROOMS, test)
        vocabulary = Vocabulary.build(task.train.examples, num_oov=1)
        ids = vocabulary.encode(task.test.examples[0].document)
        assert ids[0] == ids[1] == 1
        assert (ids[2:] > 1).all()


class TestByWord:
    """Lists and paths word by word."""

    TEST = """\
1 Vera took the map and the key.
2 What does Vera carry?\tmap,key\t1
3 What did Vera see?\tcat\t1
4 What did Vera see?\tkey,map,key\t1
"""

    def test_an_unseen_order_of_seen_words_can_be_answered(self):
        task = make(LISTS, self.TEST, by_word=True)
        (example,) = task.test.examples
        assert example.answer == ("map", "key")
        assert example.candidates[:-1] == task.classes == make(LISTS).classes
        assert task.test.skipped == {"answer is no training word, or too long": 2}
        assert make(LISTS, self.TEST).test.num_used == 0

    def test_there_and_back(self):
        task = make(LISTS, by_word=True)
        assert task.answer_length == 2
        assert task.encode_answer(("map", "key"), by_word=True) == [2, 1]
        assert task.encode_answer(("nothing",), by_word=True) == [3, 0]
        assert task.encode_answer(("nothing",), by_word=False) == 2
        for answer in task.classes:
            places = np.eye(4)[task.encode_answer(answer, by_word=True)]
            assert task.decode_answer(0.9 * places, ()) == (
                answer,
                pytest.approx(0.81),
            )

    def test_words_behind_the_end_do_not_count(self):
        task = make(LISTS, by_word=True)
        places = np.array([[0.5, 0.2, 0.2, 0.1], [0.0, 1.0, 0.0, 0.0]])
        assert task.decode_answer(places, ()) == ((), 0.5)

    def test_padding_of_candidates_is_never_the_answer(self):
        task = make(ROOMS)
        row = np.array([0.1, 0.4, 0.5])
        assert task.decode_answer(row, (("barn",), ("mill",))) == (("mill",), 0.4)

    @pytest.mark.parametrize(
        ("answer", "by_word"),
        [(("map", "key"), False), (("cat",), True), (("key",) * 3, True)],
    )
    def test_other_answers_are_an_error(self, answer, by_word):
        with pytest.raises(ValueError, match="`answer` must be"):
            make(LISTS).encode_answer(answer, by_word)


class TestCandidates:
    def test_entities_and_words(self):
        entities = make(ROOMS, candidates="entities").test.examples[0].candidates
        assert entities == (("vera",), ("barn",), ("otto",), ("mill",))
        words = make(ROOMS, candidates="words").test.examples[0].candidates
        assert words == tuple(
            (word,) for word in "vera walked to the barn otto ran into mill".split()
        )

    def test_another_choice_is_an_error(self):
        with pytest.raises(ValueError, match="Received: candidates='all'"):
            make(ROOMS, candidates="all")


class TestEntities:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("1 Vera fetched the key.\n2 Where is it?\tkey\t1", "vera key"),
            ("1 Then Vera fetched a key there.\n2 Where?\tkey\t1", "key"),
            ("1 Following that Vera ran to a mill.\n2 Where?\tmill\t1", "mill"),
            ("1 The red cube is near the ball.\n2 Where?\tx\t1", "red ball"),
            ("1 The cube is to the left of an egg.\n2 Is it left?\tx\t1", "cube egg"),
            ("1 Hens are afraid of cats.\n2 What are hens?\tx\t1", "hens cats"),
            ("1 Rosa is yellow.\n2 What colour is rosa?\tx\t1", "rosa yellow"),
            ("1 Otto went to the bank yesterday.\n2 Where?\tx\t1", "otto bank"),
        ],
    )
    def test_words_that_name(self, text, expected):
        assert entity_words(parse(text)) == set(expected.split())

    def test_a_word_that_of_follows_once_is_still_a_thing(self):
        text = "1 The box of sweets is in the box.\n2 Where?\tbox\t1\n"
        assert entity_words(parse(text)) == {"box"}


class TestClusters:
    def test_passage_and_question_share_them(self):
        task = make(ROOMS)
        first, second = task.test.examples
        # vera: twice in the passage; the rooms are named once each.
        assert first.document_clusters == (1, *[0] * 11)
        assert first.query_clusters == (0, 0, 1, 0)
        assert second.document_clusters == (1, *[0] * 9, 2, 0, 1, 0, 0, 0, 2, 0)
        assert task.max_clusters == 2

    def test_other_words_link_nothing_however_often_they_come(self):
        document = "vera ran to the barn . otto ran to the barn .".split()
        ids, _ = entity_clusters(document, [], {"barn", "vera"})
        assert ids == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0)

    def test_inflected_words_corefer_where_asked(self):
        plain = make(KINDS).test.examples[0]
        assert max(plain.document_clusters) == 2
        linked = make(KINDS, normalise=singular).test.examples[0]
        # geese .. goose, calves .. calves, rosa .. rosa
        assert linked.document == plain.document
        assert linked.document_clusters == (
            *(1, 0, 0, 0, 2, 0),
            *(2, 0, 0, 0, 0, 0),
            *(3, 0, 0, 1, 0),
        )
        assert linked.query_clusters == (0, 0, 3, 0, 0, 0)

    def test_phrases_are_one_mention(self):
        entities = {"red", "blue", "cube", "box", "sweets"}
        document = "the red cube . the blue cube . the box of sweets . a box".split()
        query = "the red cube and the box of sweets".split()
        words, asked = entity_clusters(document, query, entities)
        assert words == (0, 1, 2, 0, 0, 0, 2, 0, 0, 3, 0, 4, 0, 0, 3)
        assert asked == (0, 1, 2, 0, 0, 3, 0, 4)
        whole, asked = entity_clusters(document, query, entities, phrases=True)
        assert whole == (0, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0)
        assert asked == (0, 1, 1, 0, 0, 2, 2, 2)


class TestRewrittenText:
    def test_the_answer_then_stands_in_the_passage(self):
        assert make(KINDS).head == "softmax"
        task = make(KINDS, normalise=singular, normalise_text=True)
        assert task.head == "attention_sum"
        example = task.test.examples[0]
        assert example.document[:6] == tuple("goose are afraid of calf .".split())
        assert example.candidates == (("calf",), ("hen",))

    def test_metadata_keeps_the_answer_as_it_was(self):
        text = "1 Vera took the maps.\n2 What does Vera carry?\tmaps\t1\n"
        task = make(text, normalise=singular, normalise_text=True)
        assert task.test.examples[0].answer == ("map",)
        assert task.test.examples[0].metadata["answer"] == ["maps"]
        # "map" was never the answer: the form that both share does not make it right.
        other = make(
            text,
            text.replace("maps", "map"),
            normalise=singular,
            normalise_text=True,
        )
        assert other.test.skipped == {"answer is no candidate": 1}

    def test_two_training_answers_must_not_become_one(self):
        text = "1 A map and maps.\n2 What?\tmap\t1\n3 What?\tmaps\t1\n"
        with pytest.raises(ValueError, match="must keep training answers apart"):
            make(text, normalise=singular, normalise_text=True)
        assert make(text, normalise=singular).head == "attention_sum"

    def test_it_needs_a_rule(self):
        with pytest.raises(ValueError, match="must come with `normalise`"):
            make(ROOMS, normalise_text=True)


def test_no_training_question_is_an_error():
    with pytest.raises(ValueError, match="at least one training question"):
        babi_examples(BabiSplits(1, (), (), parse(ROOMS), "by hand"))
