"""Attacks a server of this machine as somebody would who means harm, and says what it let them do.

Usage: attacks.py URL FOLDER, the folder being the server's data folder, whose tokens are used.

Prints `ok NAME` or `FAILED NAME: REASON` for each attack. Each refusal has to be JSON with a code of ours and one sentence, kept by no
cache, and counted in the metrics.
"""

import json
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

server, folder = sys.argv[1].rstrip("/"), Path(sys.argv[2])
codes = {"rejected", "unauthorized", "forbidden", "conflict", "tooLarge", "invalidSchemaChange", "unavailable"}
refusals = {}
counting = threading.Lock()
failed = False


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


def ask(method, path, body=None, token=None, headers=None):
    """Sends a request; a refusal that is not of the protocol's form is an error."""
    request = urllib.request.Request(f"{server}/api/v1/{path}", method=method)
    if body is not None:
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
        answer = Answer(error.code, error.headers, error.read())
    refusal = answer.json()
    assert refusal["code"] in codes, f"{path} is refused with the code {refusal['code']}"
    assert refusal["message"].endswith("."), f"{path} is refused without a sentence"
    assert answer.headers["cache-control"] == "no-store", f"a cache may keep the refusal of {path}"
    assert answer.status < 500 or answer.status == 503, f"{path} is answered with {answer.status}"
    with counting:
        refusals[refusal["code"]] = refusals.get(refusal["code"], 0) + 1
    return answer


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


def in_parallel(count, work):
    """Does something many times at once, and returns what came of it."""
    results, ready = [], threading.Barrier(count)

    def run(number):
        ready.wait()
        result = work(number)
        with counting:
            results.append(result)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == count, "a request was not answered"
    return results


def check(function):
    """Runs an attack and prints what came of it."""
    global failed
    name = "attack-" + function.__name__.replace("_", "-")
    try:
        function()
        print(f"ok {name}", flush=True)
    except Exception as error:
        failed = True
        print(f"FAILED {name}: {type(error).__name__} {' '.join(str(error).split())[:600]}", flush=True)


@check
def a_stolen_refresh_token_ends_the_session():
    first = sign_in()
    second = refresh(first).json()
    assert is_alive(second)
    third = refresh(second).json()
    assert is_alive(third)
    assert refresh(first).status == 401, "a token was accepted after its successors were used"
    assert not is_alive(third), "the session of a stolen token goes on"
    assert refresh(third).status == 401


@check
def one_device_ends_no_session_of_another():
    mine, theirs = sign_in(), sign_in()
    assert sign_in(replaces=theirs["refreshToken"])["userID"] != theirs["userID"]
    assert is_alive(theirs), "a sign-in ended a session of somebody else"
    assert ask("DELETE", "users/me/session", token=mine["accessToken"]).status == 204
    assert not is_alive(mine) and is_alive(theirs)


@check
def many_wrong_passwords_at_once():
    email, password = "nurse@attacked.example", "a long password"
    assert ask("POST", "apps/attacked/register", {"email": email, "password": password}).status == 200

    def guess(number):
        body = {"provider": "local-userpass", "username": email, "password": f"guess {number}"}
        return ask("POST", "apps/attacked/login", body).status

    statuses = in_parallel(50, guess)
    assert set(statuses) <= {401, 429}, f"wrong passwords were answered with {sorted(set(statuses))}"
    # Ten at once, and those that a slow machine has time for.
    assert statuses.count(401) <= 15, f"{statuses.count(401)} of 50 passwords were looked at"


@check
def right_and_wrong_credentials_are_never_mixed_up():
    emails = [f"user{number}@mixed.example" for number in range(4)]
    users = {}
    for email in emails:
        users[email] = ask("POST", "apps/mixed/register", {"email": email, "password": f"password of {email}"}).json()["userID"]

    def try_one(number):
        email = emails[number % 4]
        if number % 3 == 0:
            answer = ask("POST", "apps/mixed/login", {"provider": "anon-user"})
            return answer.status == 200 and answer.json()["userID"] not in users.values()
        password = f"password of {email}" if number % 3 == 1 else f"password of {emails[(number + 1) % 4]}"
        answer = ask("POST", "apps/mixed/login", {"provider": "local-userpass", "username": email, "password": password})
        if number % 3 == 2:
            return answer.status in (401, 429)
        return answer.status in (429, 503) or answer.json().get("userID") == users[email]

    assert all(in_parallel(36, try_one)), "somebody was signed in as somebody else"


@check
def another_site_signs_nobody_in():
    body = {"token": token("auditor")}
    for headers in ({}, {"origin": "http://elsewhere.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site", "origin": server}):
        answer = ask("POST", "console/session", body, headers=headers)
        assert answer.status == 403, f"{headers} signs in with {answer.status}"
        assert answer.headers["set-cookie"] is None


@check
def a_cookie_is_worth_nothing_after_signing_out():
    ours = {"origin": server}
    answer = ask("POST", "console/session", {"token": token("auditor")}, headers=ours)
    cookie = {"cookie": answer.headers["set-cookie"].split(";")[0]}
    assert ask("GET", "console/session", headers=cookie).status == 200
    assert ask("DELETE", "console/session", headers=ours | cookie).status == 204
    assert ask("GET", "console/session", headers=cookie).status == 401, "the cookie works after signing out"


@check
def an_empty_prefix_erases_nothing():
    for filter in ({"prefix": ""}, {}, {"app": ""}, {"prefix": "", "app": ""}):
        order = {"filter": filter, "reason": "an attack", "events": 0}
        answer = ask("POST", "erasures", order, token=token("administrator"))
        assert answer.status == 400, f"an erasure of {filter} is answered with {answer.status}"


@check
def places_that_are_made_up_open_no_page():
    for path in ("search?after=9.9", "events?after=x", "events/new?after=0", "search/new?last=0", "devices?after=0", "timeline?after=0.0"):
        answer = ask("GET", path, token=token("auditor"))
        assert answer.status == 400, f"{path} is answered with {answer.status}"


@check
def tokens_that_are_made_up_are_none():
    for text in ("x", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsiYjY0Il19.e30.x", token("auditor")[:-2]):
        assert ask("GET", "events", token=text).status == 401
        assert ask("POST", "apps/attacked/login", {"provider": "custom-token", "token": text}).status in (401, 403)


@check
def each_refusal_is_counted():
    text = ask("GET", "metrics", token=token("administrator")).body.decode()
    counted = dict(
        (line.split('"')[1], int(line.split()[-1])) for line in text.splitlines() if line.startswith("daybook_refused_requests_total{")
    )
    for code, count in refusals.items():
        assert counted.get(code, 0) >= count, f"{count} refusals with the code {code} are {counted.get(code, 0)} in the metrics"


sys.exit(1 if failed else 0)
