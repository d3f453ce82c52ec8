"""Simulated stories: answers that follow, clusters that name the right words."""

from collections import Counter

import pytest

from keras_cgru.coref import STOP_WORDS
from keras_cgru.data.lambada import simulate_stories, split_passage
from keras_cgru.data.story_world import MEN, OBJECTS, PLACES, WOMEN

STORIES = simulate_stories(600, seed=3)
SORTS = (set(MEN + WOMEN), set(OBJECTS), set(PLACES))
PRONOUNS = {
    **dict.fromkeys(("he", "him", "his"), set(MEN)),
    **dict.fromkeys(("she", "her"), set(WOMEN)),
    "it": set(OBJECTS),
}


def sort_of(word):
    return next((sort for sort in SORTS if word in sort), None)


def where_everything_is(events):
    """An own account of the events: who holds what, and sets that share a place.

    A place that is told late holds for an earlier meeting too, as far as nobody has
    moved since: entities in one place are one group, and a group has one place.
    """
    holder, group, place = {}, {}, {}

    def join(one, other):
        a, b = (group.setdefault(each, object()) for each in (one, other))
        if a in place and b in place:
            assert place[a] == place[b], "people met who were in different places"
        if b in place:
            place[a] = place[b]
        for each, old in group.items():
            if old is b:
                group[each] = a

    for kind, person, thing, other, where in events:
        if kind == "move":
            new = object()
            place[new] = where
            for each in (person, *(t for t, h in holder.items() if h == person)):
                group[each] = new
        elif kind == "take":
            assert thing not in holder
            join(person, thing)
            holder[thing] = person
        elif kind == "drop":
            assert holder.pop(thing) == person
            assert place[group[person]] == where
        elif kind == "give":
            assert holder[thing] == person != other
            join(person, other)
            join(other, thing)
            holder[thing] = other
    return holder, {e: place[g] for e, g in group.items() if g in place}


def answer_of(kind, entity, events):
    holder, places = where_everything_is(events)
    if kind == "holder":
        return holder[entity]
    if kind == "carried":
        return " ".join(thing for thing, who in holder.items() if who == entity)
    return places[entity]


def test_the_answer_follows_from_the_events():
    for example in STORIES:
        kind, entity = example.metadata["question"]
        expected = answer_of(kind, entity, example.metadata["events"])
        assert example.answer == (expected,), example.id


def test_the_text_tells_the_events():
    """Each event is a sentence with its person, thing and place, or pronouns."""
    for example in STORIES:
        sentences = list(sentences_of(example))
        events = example.metadata["events"]
        assert len(sentences) == len(events)
        ids = dict(zip(example.document, example.document_clusters, strict=True))
        for sentence, (kind, *entities, place) in zip(sentences, events, strict=True):
            told = {cluster for _, cluster in sentence if cluster}
            named = {ids[each] for each in entities if each}
            if kind == "move":
                named.add(ids[place])
            assert named <= told <= named | {ids.get(place)}


def test_clusters_name_the_right_words():
    for example in STORIES:
        tokens = example.document + example.query
        clusters = example.document_clusters + example.query_clusters
        names = {}
        for token, cluster in zip(tokens, clusters, strict=True):
            if sort_of(token):
                assert cluster > 0, "every name and noun is in a cluster"
                names.setdefault(cluster, set()).add(token)
        assert all(len(words) == 1 for words in names.values())
        assert len(names) == len(set.union(*names.values()))
        for token, cluster in zip(tokens, clusters, strict=True):
            if cluster and not sort_of(token):
                assert names[cluster] <= PRONOUNS[token]
        firsts = list(dict.fromkeys(cluster for cluster in clusters if cluster))
        assert firsts == list(range(1, len(firsts) + 1))


def sentences_of(example):
    sentence = []
    for pair in zip(example.document, example.document_clusters, strict=True):
        if pair[0] == ".":
            yield sentence
            sentence = []
        else:
            sentence.append(pair)


def test_a_pronoun_at_the_start_is_clear_from_the_sentence_before():
    seen = 0
    for example in STORIES:
        name = {
            c: w
            for w, c in zip(example.document, example.document_clusters, strict=True)
            if sort_of(w)
        }
        before = set()
        for sentence in sentences_of(example):
            word, cluster = sentence[0]
            if cluster and word in PRONOUNS:
                fitting = {c for c in before if name[c] in PRONOUNS[word]}
                assert fitting == {cluster}
                seen += 1
            before = {c for _, c in sentence if c}
    assert seen > 100


def test_an_it_that_stands_for_nothing_has_no_cluster():
    empty = [
        story
        for story in STORIES
        if " ".join(story.query).startswith("it was plain")
        and story.query_clusters[0] == 0
    ]
    asked = [s for s in STORIES if " ".join(s.query).startswith("it was plain")]
    assert asked
    assert empty == asked


def test_stories_read_as_lambada_does():
    for example in STORIES:
        passage = (*example.document, *example.query, *example.answer)
        assert split_passage(passage) == (
            example.document,
            example.query,
            example.answer[0],
        )
        assert 4 <= example.document.count(".") <= 8
        words = dict.fromkeys(w for w in example.document if w not in STOP_WORDS)
        assert example.candidates == tuple((word,) for word in words)
        assert example.metadata["simulated"] is True


def test_no_shortcut_beats_chance_by_much():
    stories = simulate_stories(2000, seed=11)
    shares = Counter()
    for example in stories:
        answer = example.answer[0]
        words = [w for w in example.document if w in sort_of(answer)]
        counts = Counter(words)
        most = [w for w in counts if counts[w] == max(counts.values())]
        shares["chance"] += 1 / len(counts)
        shares["last"] += words[-1] == answer
        shares["first"] += words[0] == answer
        shares["most frequent"] += (answer in most) / len(most)
        every = [w for w in example.document if (w,) in example.candidates]
        counts = Counter(every)
        most = [w for w in counts if counts[w] == max(counts.values())]
        shares["last of all"] += every[-1] == answer
        shares["most frequent of all"] += (answer in most) / len(most)
    shares = {name: share / len(stories) for name, share in shares.items()}
    assert shares["chance"] < 0.45
    for name in ("last", "first", "most frequent"):
        assert abs(shares[name] - shares["chance"]) < 0.06, (name, shares)
    assert shares["last of all"] < 0.2
    assert shares["most frequent of all"] < 0.2


def test_all_kinds_and_pronouns_occur():
    kinds = Counter(story.metadata["question"][0] for story in STORIES)
    assert set(kinds) == {"holder", "carried", "person place", "thing place"}
    assert min(kinds.values()) > 20
    events = {event[0] for story in STORIES for event in story.metadata["events"]}
    assert events == {"move", "take", "drop", "give", "meet", "think", "none"}
    words = {word for story in STORIES for word in story.document}
    assert set(PRONOUNS) <= words


def test_seed_and_split_fix_the_stories():
    assert simulate_stories(5, 3) == STORIES[:5]
    assert STORIES[7].id == "simulated-train-00007"
    test = simulate_stories(5, 3, split="test")
    assert test[0].id == "simulated-test-00000"
    documents = {story.document for story in STORIES}
    assert not documents & {story.document for story in test}
    assert len(documents) > 590
    assert simulate_stories(0, 0) == []


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="`num_stories` and `seed` must .* seed=-1"):
        simulate_stories(1, -1)
