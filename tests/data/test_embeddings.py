"""Word vectors: the odd words of the official files, and the matrix made of them."""

import gzip
import tracemalloc

import numpy as np
import pytest

from keras_cgru.data import Vocabulary, embedding_matrix, read_glove

# The odd words that public bug reports name, and a number as a word.
ODD = """\
the 0.1 -0.2 3 4e-1
. . . 1 2 3 4
at name@domain.com 5 6 7 8
\u00a0 9 10 11 12
1990 1 1 1 1
naïve 0 0 0 1
"""
WORDS = ["the", ". . .", "at name@domain.com", "\u00a0", "1990", "naïve"]


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="glove.4d.txt"):
        path = tmp_path / name
        opener = gzip.open if name.endswith(".gz") else open
        with opener(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file


@pytest.mark.parametrize("name", ["glove.4d.txt", "glove.4d.txt.gz"])
def test_odd_words_keep_their_vectors(write, name):
    words, vectors = read_glove(write(ODD, name))
    assert words == WORDS
    assert vectors.shape == (6, 4)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors[0], np.float32([0.1, -0.2, 3, 0.4]))
    np.testing.assert_array_equal(vectors[1], [1, 2, 3, 4])
    np.testing.assert_array_equal(vectors[2], [5, 6, 7, 8])
    np.testing.assert_array_equal(vectors[3], [9, 10, 11, 12])


def test_only_the_words_asked_for(write):
    words, vectors = read_glove(write(ODD), words=["naïve", "the", "absent"])
    assert words == ["the", "naïve"]
    assert vectors[1].tolist() == [0, 0, 0, 1]
    none, empty = read_glove(write(ODD), words=[])
    assert none == []
    assert empty.shape == (0, 4)


def test_the_first_of_equal_words_counts(write):
    words, vectors = read_glove(write("a 1 2\nb 3 4\na 5 6\n"))
    assert words == ["a", "b"]
    assert vectors.tolist() == [[1, 2], [3, 4]]


def test_windows_line_ends_and_a_missing_end(write):
    words, vectors = read_glove(write("a 1 2\r\nb 3 4"))
    assert (words, vectors.tolist()) == (["a", "b"], [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"c 5", r":3: must hold a word and 2 numbers. Received: b'c 5'"),
        (b"c 5 x", r":3: must hold numbers. could not convert .*x"),
        (b"c 5 nan", ":3: must hold finite numbers"),
        (b" 5 6", ":3: must hold a word and 2 numbers"),
        (b"", ":3: must hold a word and 2 numbers"),
        (b"\xff 5 6", ":3: must be UTF-8"),
        (b"c 5 6 7", ":3: must hold a word and 2 numbers. Received: b'c 5 6 7'"),
        (b"c 5 -1e400", ":3: must hold finite numbers"),
        (b"c 5 1e39", ":3: must hold finite numbers"),
        (b"c 5 1_0", ":3: must hold numbers"),
    ],
)
def test_a_malformed_line_is_named(write, line, message):
    path = write(b"a 1 2\nb 3 4\n" + line + b"\n")
    with pytest.raises(ValueError, match=message) as error:
        read_glove(path)
    assert str(error.value).startswith(f"{path}:3: ")


@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_the_first_line_of_word2vec_is_left_out(write, end):
    plain = "the 0.1 -0.2 3 4e-1\n. . . 1 2 3 4\n1990 1 1 1 1\n".replace("\n", end)
    words, vectors = read_glove(write(plain))
    with_header = read_glove(write(f"3 4{end}{plain}", "header.txt"))
    assert with_header[0] == words == ["the", ". . .", "1990"]
    np.testing.assert_array_equal(with_header[1], vectors)


def test_a_first_line_that_promises_more_is_refused(write):
    with pytest.raises(ValueError, match=":1: must be followed by 3 vectors.*: 2"):
        read_glove(write("3 2\na 1 2\nb 3 4\n"))


def test_a_number_with_one_number_is_a_word(write):
    words, vectors = read_glove(write("1990 1\nb 2\n"))
    assert (words, vectors.tolist()) == (["1990", "b"], [[1], [2]])


def test_a_byte_order_mark_is_no_part_of_a_word(write):
    assert read_glove(write("\ufeffa 1 2\nb 3 4\n"))[0] == ["a", "b"]


def test_only_what_is_kept_takes_memory(write):
    path = write("".join(f"w{n} " + "0.125 " * 50 + "\n" for n in range(20_000)))
    tracemalloc.start()
    words, vectors = read_glove(path, words=["w7"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert words == ["w7"] and vectors.shape == (1, 50)
    # A thousand lines vote on the dimension; the file has 6 MB.
    assert peak < 1e6


@pytest.mark.parametrize("text", ["", "word\nother\n"])
def test_a_file_without_vectors_is_refused(write, text):
    with pytest.raises(ValueError, match="glove.4d.txt"):
        read_glove(write(text))


def test_a_damaged_archive_is_refused(write, tmp_path):
    whole = write(ODD * 50, "glove.4d.txt.gz").read_bytes()
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(whole[:-20])
    with pytest.raises(ValueError, match="cut.txt.gz: must be a whole gzip file"):
        read_glove(path)


def test_the_matrix_by_hand():
    vocabulary = Vocabulary(["a", "b", "c"], num_oov=2)
    vectors = np.float32([[1, 2], [3, 4], [9, 9]])
    matrix, coverage = embedding_matrix(
        vocabulary, ["c", "a", "other"], vectors, seed=1
    )
    assert matrix.shape == (6, 2)
    assert matrix.dtype == np.float32
    assert matrix[0].tolist() == [0, 0]
    assert matrix[vocabulary.id_of("c")].tolist() == [1, 2]
    assert matrix[vocabulary.id_of("a")].tolist() == [3, 4]
    assert np.abs(matrix[[1, 2, vocabulary.id_of("b")]]).min() > 0
    assert coverage == pytest.approx(2 / 3)
    same, _ = embedding_matrix(vocabulary, ["c", "a", "other"], vectors, seed=1)
    np.testing.assert_array_equal(matrix, same)
    other, _ = embedding_matrix(vocabulary, ["c", "a", "other"], vectors, seed=2)
    assert (matrix[1] != other[1]).all()


def test_drawn_rows_have_the_mean_and_deviation_of_the_vectors():
    vocabulary = Vocabulary([str(n) for n in range(20_000)])
    vectors = np.float32([[9, 0.1], [11, 0.3]])
    matrix, coverage = embedding_matrix(vocabulary, ["x", "y"], vectors, seed=0)
    assert coverage == 0
    np.testing.assert_allclose(matrix[1:].mean(axis=0), [10, 0.2], rtol=0.02)
    np.testing.assert_allclose(matrix[1:].std(axis=0), [1, 0.1], rtol=0.02)


@pytest.mark.parametrize("vectors", [np.zeros((0, 2)), np.zeros((2, 2)), np.zeros(1)])
def test_vectors_of_another_shape_are_refused(vectors):
    with pytest.raises(ValueError, match="`vectors` must have shape"):
        embedding_matrix(Vocabulary(["a"]), ["a"][: len(vectors)], vectors, seed=0)


def test_the_official_format(official_data):
    words, vectors = read_glove(next((official_data / "glove").glob("glove*.gz")))
    assert len(words) == len(vectors) == len(set(words))
    assert words[0] == "the"
    assert vectors[0, 0] == np.float32(0.418)
