"""A device in Python that knows PROTOCOL.md alone: it uploads an event of every kind, with odd texts in every field.

Usage: device.py URL COSIGNATURES [stamped]: it then waits until the log's checkpoint has its sealed partition, and so many witnesses
cosigned it. With `stamped` it waits for a time-stamp of the log as well, and then seals another partition with another key, of P-256.
"""

import hashlib
import json
import struct
import sys
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> \"quoted\", 'x'\r\nnext\x00\x1b[31m\u2028\u202eé👩‍👩‍👧 \"\u0301"
START = 1_700_000_000_000_000


def varint(number):
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def counted(data):
    return varint(len(data)) + data


def text(value):
    return counted(value.encode())


def event(number, activity, kind, data, metadata, marks):
    """The canonical encoding of an event; of those that were read or written, every second one is of a realm that syncs."""
    is_synced = kind in ("read", "write") and number % 2 == 0
    presence = (1 if kind is not None else 0) | (2 if data is not None else 0) | 4 | (8 if is_synced else 0)
    encoded = bytes([2 if is_synced else 1, presence, marks]) + struct.pack(">QI", 77, number)
    encoded += struct.pack("<qQ", START + number * 1000, number) + bytes(range(16)) + struct.pack("<q", START + 900_000)
    if is_synced:
        encoded += bytes(range(1, 17)) + struct.pack(">IQIQ", 3, number, 1 if kind == "write" else 0, number * 10)
    encoded += text(activity)
    if kind is not None:
        encoded += text(kind)
    if data is not None:
        encoded += text(data)
    encoded += varint(len(metadata))
    for key, value in sorted(metadata.items(), key=lambda entry: entry[0].encode()):
        encoded += text(key) + text(value)
    return encoded


def events(first):
    person = {"userId": "ada", "note": HOSTILE, "reason": "emergency", "empty": ""}
    rows = [
        ("Open chart", "read", '{"type":"Patient","value":[{"_id":"p1","name":"Anna"}]}', person, 0),
        ("List", "read", '{"type":"Patient","value":[{"_id":"p1"},{"_id":"p2","bed":{"_id":7}}]}', {}, 0),
        ("Search without result", "read", '{"type":"Patient","value":[]}', {}, 0),
        ("Admit", "write", '{"Patient":{"insertions":[{"_id":"p3"}]}}', person, 0),
        ("Correct", "write", '{"Patient":{"modifications":[{"newValue":{"name":"x"},"oldValue":{"_id":"p1"}}]}}', {}, 0),
        ("Discharge", "write", '{"Patient":{"deletions":[{"_id":"p3"}]}}', {}, 0),
        ("Move", "write", '{"Bed":{"insertions":[{"_id":1}]},"Patient":{"deletions":[{"_id":"p2"}]}}', {}, 0),
        ("Odd class", "read", json.dumps({"type": HOSTILE, "value": [{"_id": HOSTILE}]}), {"userId": HOSTILE}, 0),
        ("Interrupted", "read", '{"type":"Patient","value":[{"_id":"p1"}]}', person, 1),
        ("Incomplete", "read", "the payload could not be made", person, 2),
        (HOSTILE, HOSTILE, HOSTILE, {"userId": HOSTILE, "reason": HOSTILE}, 0),
        ("Plain", None, None, {}, 0),
        ("Spaces", "  two  words ", " ", {"userId": " "}, 0),
        ("Empty", "button", "", {}, 0),
    ]
    rows += [("", "read", '{"type":"Patient","value":[{"_id":"p1"}]}', {"userId": value}, 0) for value in ["+1", "-1", "@x", "\tx"]]
    return [event(first + index, *row) for index, row in enumerate(rows)]


def root(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + root(leaves[:split]) + root(leaves[split:])).digest()


class CurveKey:
    """A key of P-256 that signs as PROTOCOL.md says: r and s, with the smaller value of s."""

    ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

    def __init__(self):
        self.secret = ec.generate_private_key(ec.SECP256R1())
        self.public = self.secret.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)

    def sign(self, statement):
        r, s = utils.decode_dss_signature(self.secret.sign(statement, ec.ECDSA(SHA256())))
        return r.to_bytes(32, "big") + min(s, self.ORDER - s).to_bytes(32, "big")


def seal(partition, count, top, key):
    is_curve = isinstance(key, CurveKey)
    public = key.public if is_curve else key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def long(data):
        return struct.pack("<I", len(data)) + data

    statement = b"DAYSEAL1" + long(partition.encode()) + struct.pack("<Q", count) + top
    statement += b"\x00\x00\x00" + struct.pack("<I", 0) + long(public)
    return {
        "partition": partition, "count": count, "root": top.hex(), "losses": [],
        "publicKey": public.hex(), "signature": key.sign(statement).hex(),
    }


def stretch(partition, encoded, sealed_by):
    top = root([hashlib.sha256(b"\x00" + event).digest() for event in encoded])
    closing = json.dumps(seal(partition, len(encoded), top, sealed_by)).encode() if sealed_by else b""
    body = b"DBS1" + text(partition) + struct.pack("<Q", 1) + top + counted(closing) + varint(len(encoded))
    return body + b"".join(counted(event) for event in encoded)


def post(url, body, headers):
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def wait_for_log(server, entries, cosignatures):
    """Waits until the published checkpoint has so many entries, and so many lines behind the log's own."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{server}/log/checkpoint") as answer:
                text, lines = answer.read().decode().split("\n\n")
        except urllib.error.HTTPError:
            text, lines = "\n0\n", ""
        if text.split("\n")[1] == str(entries) and len(lines.splitlines()) > cosignatures:
            return
        time.sleep(0.1)
    sys.exit("the log was not cosigned within a minute")


def wait_for_time_stamp(server):
    for _ in range(600):
        with urllib.request.urlopen(f"{server}/log/time-stamps") as answer:
            if answer.read():
                return
        time.sleep(0.1)
    sys.exit("the log was not time-stamped within a minute")


def main(server, cosignatures, is_stamped):
    login = f"{server}/api/v1/apps/ward-app/login"
    session = post(login, b'{"provider":"anon-user"}', {"Content-Type": "application/json"})
    headers = {"Authorization": f"Bearer {session['accessToken']}", "Content-Type": "application/vnd.daybook.stretch"}

    def upload(number, key):
        partition = f"ward-{number:024x}"
        encoded = events(number * 1000)
        post(f"{server}/api/v1/partitions/{partition}/events", stretch(partition, encoded, key), headers)
        return len(encoded)

    count = upload(1, Ed25519PrivateKey.generate()) + upload(2, None)
    wait_for_log(server, 1, cosignatures)
    if is_stamped:
        wait_for_time_stamp(server)
        count += upload(3, CurveKey())
        wait_for_log(server, 2, cosignatures)
    print(count)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["stamped"])
