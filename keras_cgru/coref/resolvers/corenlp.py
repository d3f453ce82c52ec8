"""Coreference by a running Stanford CoreNLP server."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode, urlsplit

from keras_cgru.coref.annotation import Annotation
from keras_cgru.coref.formats.corenlp import parse_corenlp_document
from keras_cgru.coref.resolver import check_tokens
from keras_cgru.coref.resolvers.foreign import move_onto, no_tokens, split_at

# What no other document would fare better with: no such page, no permission.
_HOPELESS = {401, 403, 404, 405}


class CoreNLPResolver:
    """Asks a CoreNLP server, which must have been started.

    The server reads the text as it is tokenised here, one sentence a line
    (`tokenize.whitespace`, `ssplit.eolonly`). Where it nevertheless answers with other
    tokens, as for tokens that hold a space, mentions are aligned, and those that find
    no place are counted in `num_unplaced`. Servers of all versions are asked in the
    one way that they understand alike: text in percent-encoding that is declared as
    such, so "%" and "+" arrive.

    A server refuses texts above 100,000 characters unless it was started with another
    `-maxCharLength`, and gives up after 15 seconds unless asked for longer; take
    `WindowedResolver` for long texts.

    Args:
        url: Where the server listens, `http://localhost:9000` by default.
        annotators: What the server runs; it adds what these need.
        timeout: Seconds that an answer may take.
        properties: Further CoreNLP properties, such as
            `{"coref.algorithm": "neural"}`.

    Attributes:
        num_unplaced: How many mentions so far had no place in the tokens.
        num_repeated: How many mentions so far were given twice; one of each is kept.

    Raises:
        ValueError: `url` is no http address, or `timeout` is not positive.

    Reference:
        The protocol is that of `StanfordCoreNLPServer.java`, versions 3.6 to 4.5, and
        https://stanfordnlp.github.io/CoreNLP/corenlp-server.html.
    """

    def __init__(
        self,
        url: str = "http://localhost:9000",
        annotators: str = "tokenize,ssplit,pos,lemma,ner,depparse,coref",
        timeout: float = 60.0,
        properties: Mapping[str, str] | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(
                "`url` must be like http://localhost:9000. Received: " + repr(url)
            )
        if not timeout > 0:
            raise ValueError(f"`timeout` must be positive. Received: timeout={timeout}")
        self.url = url
        self.annotators = annotators
        self.timeout = timeout
        self.properties = dict(properties or {})
        self.num_unplaced = self.num_repeated = 0
        # What http_proxy names knows nothing of a server on this machine.
        local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        proxies = [urllib.request.ProxyHandler({})] if local else []
        self._opener = urllib.request.build_opener(*proxies)

    def resolve(
        self, tokens: Sequence[str], sentence_starts: Sequence[int] | None = None
    ) -> Annotation:
        """Annotates a text.

        Args:
            tokens: The text.
            sentence_starts: Its sentences; None lets the server split them.

        Returns:
            The server's clusters over `tokens`.

        Raises:
            ConnectionError: No server answers at `url`, or not as CoreNLP does.
            TimeoutError: The answer took longer than `timeout`.
            ValueError: The server refused the text, or its answer is broken; the
                message says what it wrote.
        """
        check_tokens(tokens)
        if not tokens:
            return no_tokens()
        sentences = split_at(tokens, sentence_starts)
        text = "\n".join(" ".join(sentence) for sentence in sentences)
        answer = self._ask(text, split=sentence_starts is None)
        found = parse_corenlp_document(answer, self.url)
        annotation, unplaced = move_onto(
            found.annotation, tokens, sentence_starts, self.url
        )
        self.num_unplaced += unplaced
        self.num_repeated += found.num_repeated
        return annotation

    def _ask(self, text: str, split: bool) -> str:
        request = urllib.request.Request(
            self._address(split),
            data=quote(text).encode("ascii"),
            # Without a space behind the semicolon: old versions compare exactly.
            headers={"Content-Type": "application/x-www-form-urlencoded;charset=utf-8"},
        )
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            raise self._refused(error, len(text)) from error
        except TimeoutError as error:
            raise self._timed_out(len(text)) from error
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise self._timed_out(len(text)) from error
            raise ConnectionError(
                f"{self.url} must be a running CoreNLP server. Received: {error}"
            ) from error
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{self.url} must answer in UTF-8. Received: {error}"
            ) from error

    def _address(self, split: bool) -> str:
        properties = {
            "annotators": self.annotators,
            "outputFormat": "json",
            "tokenize.whitespace": "true",
            "ssplit.eolonly": "false" if split else "true",
            # A little less than ours, so that the server's own message arrives.
            "timeout": str(max(1, int(950 * self.timeout))),
            **self.properties,
        }
        query = urlencode({"properties": json.dumps(properties)}, quote_via=quote)
        return f"{self.url.rstrip('/')}/?{query}"

    def _refused(self, error: urllib.error.HTTPError, length: int) -> Exception:
        try:
            said = error.read(400).decode("utf-8", "replace").strip()
        except OSError:
            said = ""
        said = f"status {error.code}, {said or error.reason}"
        if error.code in _HOPELESS:
            return ConnectionError(
                f"{self.url} must be a running CoreNLP server. Received: {said}"
            )
        if "timed out" in said:
            return self._timed_out(length, said)
        return ValueError(
            f"{self.url} must annotate a text of {length} characters. Received: {said}"
        )

    def _timed_out(self, length: int, said: str = "no answer") -> TimeoutError:
        return TimeoutError(
            f"{self.url} must annotate a text of {length} characters in "
            f"{self.timeout:g} seconds (`timeout`). Received: {said}"
        )
