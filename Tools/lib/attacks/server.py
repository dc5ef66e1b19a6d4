"""The server that is attacked: how it is asked, and what is expected of each refusal."""

import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

server, folder = sys.argv[1].rstrip("/"), Path(sys.argv[2])
codes = {"rejected", "unauthorized", "forbidden", "conflict", "tooLarge", "invalidSchemaChange", "unavailable"}
refusals = {}
failures = []
counting = threading.Lock()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def check_refusal(self, path):
        """Counts a refusal, which has to be of the protocol's form."""
        refusal = self.json()
        assert refusal["code"] in codes, f"{path} is refused with the code {refusal['code']}"
        assert refusal["message"].endswith("."), f"{path} is refused without a sentence"
        assert self.headers["cache-control"] == "no-store", f"a cache may keep the refusal of {path}"
        assert self.status < 500 or self.status == 503, f"{path} is answered with {self.status}"
        with counting:
            refusals[refusal["code"]] = refusals.get(refusal["code"], 0) + 1
        return self


def ask(method, path, body=None, token=None, headers=None):
    """Sends a request; bytes go as they are, everything else as JSON."""
    request = urllib.request.Request(f"{server}/api/v1/{path}", method=method)
    if isinstance(body, bytes):
        request.data = body
    elif body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read()).check_refusal(path)


def token(role):
    return (folder / f"{role}.token").read_text().strip()


def sign_in(app="attacked", **more):
    answer = ask("POST", f"apps/{app}/login", {"provider": "anon-user", **more})
    assert answer.status == 200, f"a sign-in is answered with {answer.status}"
    return answer.json()


def refresh(session):
    return ask("POST", "token/refresh", token=session["refreshToken"])


def is_alive(session):
    return ask("GET", "partitions/attack-000000000000000000000001", token=session["accessToken"]).status == 200


def upload(session, partition, stretch):
    headers = {"content-type": "application/vnd.daybook.stretch"}
    path = f"partitions/{urllib.parse.quote(partition, safe='')}/events"
    return ask("POST", path, stretch, session["accessToken"], headers)


def in_parallel(count, work):
    """Does something many times at once; returns what came of it, or raises the first error."""
    ready = threading.Barrier(count)

    def run(number):
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def check(function):
    """Runs an attack and prints what came of it."""
    name = "attack-" + function.__name__.replace("_", "-")
    try:
        function()
        print(f"ok {name}", flush=True)
    except Exception as error:
        failures.append(name)
        print(f"FAILED {name}: {type(error).__name__} {' '.join(str(error).split())[:600]}", flush=True)


def check_counts():
    """Each refusal that was seen is in the metrics."""
    text = ask("GET", "metrics", token=token("administrator")).body.decode()
    start = "daybook_refused_requests_total{"
    counted = dict((line.split('"')[1], int(line.split()[-1])) for line in text.splitlines() if line.startswith(start))
    for code, count in refusals.items():
        assert counted.get(code, 0) >= count, f"{count} refusals with the code {code} are {counted.get(code, 0)} in the metrics"
