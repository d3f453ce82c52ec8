"""A server on this machine that answers as CoreNLP's does."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest


def corenlp_answer(sentences):
    """What CoreNLP writes for sentences whose equal words corefer."""
    chains = defaultdict(list)
    for number, words in enumerate(sentences, start=1):
        for index, word in enumerate(words, start=1):
            chains[word].append(
                {
                    "text": word,
                    "sentNum": number,
                    "startIndex": index,
                    "endIndex": index + 1,
                    "headIndex": index,
                    "type": "NOMINAL",
                    "isRepresentativeMention": False,
                }
            )
    repeated = [chain for chain in chains.values() if len(chain) > 1]
    for id, mention in enumerate((m for chain in repeated for m in chain), start=1):
        mention["id"] = id
    return {
        "sentences": [
            {
                "index": number,
                "tokens": [
                    {"index": index, "word": word, "originalText": word}
                    for index, word in enumerate(words, start=1)
                ],
            }
            for number, words in enumerate(sentences)
        ],
        "corefs": {str(chain[0]["id"]): chain for chain in repeated},
    }


class CoreNLPServer(ThreadingHTTPServer):
    """Keeps the requests; `reply` may be replaced by (status, bytes) to be sent."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.reply = None
        self.delay = 0.0
        # What this server makes of a line: real ones may split tokens anew.
        self.split = str.split

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("ascii")
        (properties,) = parse_qs(urlsplit(self.path).query)["properties"]
        # All versions decode a body that is declared so, "+" as a space.
        assert self.headers["Content-Type"].startswith(
            "application/x-www-form-urlencoded;charset="
        )
        text = unquote_plus(body)
        self.server.requests.append((text, json.loads(properties)))
        time.sleep(self.server.delay)
        if self.server.reply is None:
            sentences = [self.server.split(line) for line in text.split("\n")]
            answer = json.dumps(corenlp_answer(sentences)).encode()
            status = 200
        else:
            status, answer = self.server.reply
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        except OSError:
            pass  # The client did not wait.

    def log_message(self, *arguments):
        pass


@pytest.fixture
def corenlp():
    server = CoreNLPServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
