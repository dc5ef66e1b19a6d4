"""Attacks by somebody with an account who uploads what no device of ours does: each once stopped the others, or hid what was uploaded."""

import json
import socket
import urllib.parse

from server import Answer, ask, check, in_parallel, server, sign_in, token, upload
from stretch import Tree, beginning, event, stretch


def new_partition(number=1, prefix="attack", session=None):
    """A name that no other user has."""
    return f"{prefix}-{session['userID'] if session else ''}-{number:024x}"


def uploaded(session, events, number=1, prefix="attack", seal=b""):
    partition = new_partition(number, prefix, session)
    return upload(session, partition, stretch(partition, events, seal=seal))


def everybody_else_is_served(name):
    """Somebody else uploads an event, and an auditor finds it."""
    session = sign_in("bystanders")
    answer = uploaded(session, [event(activity=name)])
    assert answer.status == 200, f"somebody else's upload is answered with {answer.status}"
    found = ask("GET", f"events?app=bystanders&activity={urllib.parse.quote(name)}", token=token("auditor"))
    assert found.status == 200 and found.body.count(b"\n") >= 1, "an auditor does not see somebody else's event"


@check
def many_empty_stretches_hold_nobody_up():
    session, count = sign_in(), 5000
    events = [event(activity=f"{number}") for number in range(count)]
    assert uploaded(session, events).status == 200
    roots, partition = Tree(events).roots, new_partition(session=session)

    def send(number):
        place = 1 + number * 197 % (count - 1)
        answer = upload(session, partition, stretch(partition, [], place + 1, roots[place]))
        return answer.status == 200 and answer.json()["durableThrough"] == count

    assert all(in_parallel(24, send)), "an empty stretch at an old place has another answer"
    wrong = upload(session, partition, stretch(partition, [], 3, roots[7]))
    assert wrong.status == 409, f"a wrong root at an old place is answered with {wrong.status}"
    everybody_else_is_served("beside empty stretches")


@check
def what_is_too_long_is_refused_and_leaves_nothing():
    session = sign_in()
    long = "a" * 1025
    attacks = [
        [event(activity=long)],
        [event(type=long)],
        [event(metadata=[("key", "a" * 65536)])],
        [event(metadata=[(f"key{number}", "a" * 1024) for number in range(65)])],
        [event(metadata=[("caf\u00e9", "a"), ("cafe\u0301", "b")])],
        [event(metadata=[("key", "a"), ("key", "b")])],
    ]
    for number, events in enumerate(attacks, 1):
        answer = uploaded(session, [event(), *events], number)
        assert answer.status == 400, f"attack {number} is answered with {answer.status}"
        state = ask("GET", f"partitions/{new_partition(number, session=session)}", token=session["accessToken"])
        assert state.json()["durableThrough"] == 0, f"attack {number} left something"
    everybody_else_is_served("beside long texts")


@check
def a_seal_is_bounded_and_somebodys_own():
    session, number = sign_in(), 1
    partition = new_partition(session=session)
    events = [event()]
    seal = {
        "partition": partition, "app": "attacked", "user": session["userID"], "number": 1, "count": 1,
        "root": Tree(events).roots[-1].hex(), "publicKey": "00" * 32, "signature": "00" * 64,
        "losses": [{"reason": "quota", "count": 1, "noticed": 1} for _ in range(3000)],
    }
    assert len(json.dumps(seal)) > 65536
    few = seal | {"losses": []}
    attacks = {
        "too many losses": seal,
        "somebody else's name": few | {"user": "somebody else"},
        "another app's name": few | {"app": "another"},
        "no signature": few,
        # With the neutral element for a key, this signature fits every statement.
        "a key that anybody can sign for": few | {"publicKey": "01" + "00" * 31, "signature": "01" + "00" * 63},
        "33 bytes that are no point of P-256": few | {"publicKey": "02" + "ff" * 32, "signature": "00" * 31 + "01" * 33},
        "a key of another length": few | {"publicKey": "04" + "01" * 64},
    }
    for name, attack in attacks.items():
        answer = uploaded(session, events, number, seal=json.dumps(attack).encode())
        assert answer.status == 400, f"a seal with {name} is answered with {answer.status}"
    everybody_else_is_served("beside seals")


@check
def an_event_with_many_objects_keeps_no_search_waiting():
    session = sign_in()
    objects = ",".join(f'{{"_id":"{number}"}}' for number in range(100_000))
    for number in range(1, 4):
        data = f'{{"type":"Patient","value":[{objects}]}}'
        assert uploaded(session, [event(type="read", data=data)], number).status == 200
    everybody_else_is_served("beside many objects")
    found = ask("GET", "search?app=bystanders", token=token("auditor"))
    assert found.status == 200, f"a search is answered with {found.status}"


@check
def names_that_look_the_same_hide_nothing():
    session = sign_in("twins")
    names = ["caf\u00e9", "cafe\u0301"]
    for name in names:
        assert uploaded(session, [event(activity=name)], prefix=name).status == 200
    for name in names:
        lines = ask("GET", f"events?app=twins&activity={urllib.parse.quote(name)}", token=token("auditor")).body.decode().splitlines()
        assert [json.loads(line)["activity"] for line in lines].count(name) == 1, "one of two names is not found"
        partition = urllib.parse.quote(new_partition(prefix=name, session=session))
        state = ask("GET", f"partitions/{partition}", token=session["accessToken"])
        assert state.json()["durableThrough"] == 1, "one of two partitions is not there"


def drip(session, begin=beginning):
    """Announces a large body and sends a byte of it now and then, until the server has enough of it."""
    host, port = server.removeprefix("http://").split(":")
    partition = new_partition(session=session)
    head = (
        f"POST /api/v1/partitions/{partition}/events HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {session['accessToken']}\r\n"
        "content-type: application/vnd.daybook.stretch\r\ncontent-length: 16000000\r\n\r\n"
    )
    connection = socket.create_connection((host, int(port)), timeout=1)
    connection.sendall(head.encode() + begin(partition, 15_990_000))
    return connection


def answer_of(connection):
    """What the server says while a byte a second comes; within a minute it has to say something."""
    said = b""
    for _ in range(60):
        try:
            connection.sendall(b"D")
            part = connection.recv(65536)
        except TimeoutError:
            continue
        except ConnectionError:
            break
        if not part:
            break
        said += part
    connection.close()
    head, _, body = said.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    assert lines[0].startswith("HTTP/1.1 "), "a slow body has no answer"
    return Answer(int(lines[0].split()[1]), headers, body).check_refusal("a slow body")


@check
def slow_bodies_hold_nobody_up():
    session = sign_in()
    slow = [drip(session) for _ in range(20)]
    for _ in range(10):
        everybody_else_is_served("beside slow bodies")
    for answer in in_parallel(len(slow), lambda number: answer_of(slow[number])):
        assert answer.status in (408, 429, 503), f"a slow body is answered with {answer.status}: {answer.json()}"
    everybody_else_is_served("after slow bodies")


@check
def a_wrong_beginning_is_refused_before_the_rest_has_come():
    session = sign_in()
    wrong = [drip(session, lambda partition, byte_count: b"DBS2") for _ in range(20)]
    for answer in in_parallel(len(wrong), lambda number: answer_of(wrong[number])):
        assert answer.status == 400, f"a wrong beginning is answered with {answer.status}: {answer.json()}"
    everybody_else_is_served("after wrong beginnings")


@check
def one_user_fills_no_disk():
    session, refused = sign_in("quotas"), 0
    for number in range(1, 2001):
        answer = uploaded(session, [event()], number)
        if answer.status == 200:
            continue
        assert answer.status == 429 and answer.json()["code"] == "unavailable" and answer.headers["retry-after"]
        refused += 1
        break
    assert refused, "2000 partitions of one user were accepted, with a quota of fewer"
    assert uploaded(sign_in("quotas"), [event()]).status == 200, "a quota of one user was another's"


@check
def development_mode_makes_no_columns_without_end():
    session = sign_in("columns")
    first = uploaded(session, [event(metadata=[(f"key{number}", "a") for number in range(90)])])
    assert first.status == 200, f"90 columns are answered with {first.status}"
    more = uploaded(session, [event(metadata=[(f"more{number}", "a") for number in range(90)])], 2)
    assert more.json()["code"] == "invalidSchemaChange", f"180 columns are answered with {more.json()}"
    assert uploaded(session, [event(metadata=[("key1", "a")])], 3).status == 200, "the app's own columns are refused"
