"""Attacks on accounts, sessions, the console's sign-in and the auditors' questions."""

from server import ask, check, in_parallel, is_alive, refresh, server, sign_in, token


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
