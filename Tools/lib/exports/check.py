"""Validates an export with validators that are not Daybook's, and checks its proofs as EXPORT.md describes them.

Usage: check.py FOLDER EVENTS KEY EXPORTKEY LOGKEY [WITNESS…]: the server's keys of receipts and of exports in hexadecimal digits, and the
keys of its log and of the witnesses of whom each has to have cosigned it, as name+id+key. FOLDER.zip is another export of the same events.
Where the authority of time beside FOLDER, `authority/root.pem`, is there, a first partition was in the log when it was time-stamped, and a
second one was not; `revoked` beside FOLDER is a later export then, for which the second one's key was revoked.

Prints `ok NAME` or `FAILED NAME: REASON` for each check.
"""

import base64
import csv
import hashlib
import html
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from datetime import datetime, timezone
from html.parser import HTMLParser
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from fhir.resources.R4B.auditevent import AuditEvent
from jsonschema import Draft202012Validator
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema

folder, count, key, export_key = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
log_key, witnesses = sys.argv[5], sys.argv[6:]
roots, revoked = folder.with_name("authority") / "root.pem", folder.with_name("revoked")
is_stamped = roots.exists()
failed = False


def check(function):
    """Runs a check and prints what came of it."""
    global failed
    name = "export-" + function.__name__.replace("_", "-")
    try:
        function()
        print(f"ok {name}")
    except Exception as error:
        failed = True
        reason = " ".join(str(error).split())[:600]
        print(f"FAILED {name}: {type(error).__name__} {reason}")


def lines(name, folder=folder):
    return [json.loads(line) for line in (folder / name).read_bytes().split(b"\n")[:-1]]


@check
def jsonl():
    events = lines("events.jsonl")
    assert len(events) == count, f"{len(events)} events"
    for event in events:
        assert event["_id"] and event["timestamp"] and event["daybook"]["leafHash"]
    places = [event["daybook"]["sync"] for event in events if "sync" in event["daybook"]]
    assert places, "no event says where its realm was in sync"
    for place in places:
        assert place["position"] == 10 * place["change"] and place["file"] == 3, place


@check
def csv_file():
    with open(folder / "events.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == count, f"{len(rows)} rows"
    for row, event in zip(rows, lines("events.jsonl"), strict=True):
        assert None not in row and None not in row.values(), "a row has another number of cells than the first line"
        for name, cell in row.items():
            assert not cell or cell[0] not in "=+-@\t\r\n", f"{name} is a formula: {cell!r}"
        for name in ["_id", "activity", "event", "data", "userId", "note"]:
            cell, value = row[name], event.get(name) or ""
            assert cell == (f"'{value}" if value and value[0] in "=+-@\t\r\n" else value), f"{name}: {cell!r}"


@check
def fhir():
    resources = lines("events.fhir.ndjson")
    assert len(resources) == count, f"{len(resources)} resources"
    for resource in resources:
        AuditEvent.model_validate(resource)
        for entity in resource["entity"]:
            assert not ("name" in entity and "query" in entity), "sev-1: an entity has a name or a query"
            base64.b64decode(entity.get("query", ""), validate=True)
    found = {resource["action"] for resource in resources}
    assert found == {"C", "R", "U", "D", "E"}, f"actions {found}"
    assert {"0", "4", "8"} <= {resource["outcome"] for resource in resources}
    assert len({resource["id"] for resource in resources}) == count, "two resources have one id"


@check
def ocsf():
    events = lines("events.ocsf.jsonl")
    assert len(events) == count, f"{len(events)} events"
    schema = OcsfJsonSchemaEmbedded(get_ocsf_schema(version="1.5.0"))
    assert schema.lookup_class_name_from_uid(class_uid=6005) == "datastore_activity"
    validator = Draft202012Validator(schema.get_class_schema(class_name="datastore_activity", profiles=[]))
    for event in events:
        errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(event)]
        assert not errors, errors
        assert event["type_uid"] == event["class_uid"] * 100 + event["activity_id"]
    assert {1, 2, 4, 5, 6, 7, 99} == {event["activity_id"] for event in events}


# The proofs, with nothing but SHA-256 and Ed25519.


def long(data):
    return struct.pack("<I", len(data)) + data


def micros(instant):
    moment = datetime.fromisoformat(instant).astimezone(timezone.utc)
    difference = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (difference.days * 86_400 + difference.seconds) * 1_000_000 + difference.microseconds


# The y of the points of small order and their second spellings, of which the sign says nothing.
SMALL_ORDER = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def verify(public, signature, statement):
    key = bytes.fromhex(public)
    if len(key) == 33:
        r, s = (int.from_bytes(bytes.fromhex(signature)[at:at + 32], "big") for at in (0, 32))
        assert len(signature) == 128 and 0 < s <= P256_ORDER // 2, "of two values of s everybody can compute the greater one"
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
        return point.verify(utils.encode_dss_signature(r, s), statement, ec.ECDSA(hashes.SHA256()))
    assert (key[:31] + bytes([key[31] & 0x7F])).hex() not in SMALL_ORDER, "anybody can sign for a key of small order"
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), statement)


def climb(leaf, index, size, path):
    """RFC 9162, section 2.1.3.2."""
    assert index < size
    position, last, top = index, size - 1, leaf
    for sibling in map(bytes.fromhex, path):
        assert last > 0
        if position & 1 or position == last:
            top = hashlib.sha256(b"\x01" + sibling + top).digest()
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            top = hashlib.sha256(b"\x01" + top + sibling).digest()
        position >>= 1
        last >>= 1
    assert last == 0
    return top


def grows(first, second, older, newer, path):
    """RFC 9162, section 2.1.4.2."""
    assert 0 < first < second
    path = [bytes.fromhex(digest) for digest in path]
    if first & (first - 1) == 0:
        path.insert(0, older)
    position, last = first - 1, second - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    left = right = path[0]
    for sibling in path[1:]:
        assert last > 0
        if position & 1 or position == last:
            left, right = hashlib.sha256(b"\x01" + sibling + left).digest(), hashlib.sha256(b"\x01" + sibling + right).digest()
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            right = hashlib.sha256(b"\x01" + right + sibling).digest()
        position, last = position >> 1, last >> 1
    return last == 0 and left == older and right == newer


class VerifierKey:
    """A key of signed-note, written name+id+key."""

    def __init__(self, text):
        self.name, identity, key = text.split("+", 2)
        data = base64.b64decode(key, validate=True)
        self.id, self.kind, self.public = bytes.fromhex(identity), data[0], data[1:].hex()
        assert hashlib.sha256(self.name.encode() + b"\n" + data).digest()[:4] == self.id, "the id is not the key's"


def checkpoint(name="checkpoint", cosigners=witnesses):
    """The name of the log, its size and root, once the log's key is found to have signed it and each witness to have cosigned it."""
    note = (folder / name).read_bytes().decode()
    end = note.rindex("\n\n") + 1
    text, made = note[:end].encode(), {}
    for line in note[end + 1 :].splitlines():
        dash, name, data = line.split(" ")
        assert dash == "\u2014"
        data = base64.b64decode(data, validate=True)
        made.setdefault((name, data[:4]), []).append(data[4:])
    log = VerifierKey(log_key)
    assert log.kind == 1 and len(made[log.name, log.id]) == 1
    verify(log.public, made[log.name, log.id][0].hex(), text)
    for witness in map(VerifierKey, cosigners):
        assert witness.kind == 4
        for cosignature in made[witness.name, witness.id]:
            time, signature = struct.unpack(">Q", cosignature[:8])[0], cosignature[8:]
            verify(witness.public, signature.hex(), b"cosignature/v1\ntime %d\n" % time + text)
            assert abs(datetime.now(timezone.utc).timestamp() - time) < 3600, "it was cosigned at another time"
    name, size, root = text.decode().splitlines()
    assert name == log.name
    return name, int(size), base64.b64decode(root, validate=True)


def seal_statement(seal):
    assert not seal["losses"] and "previousRoot" not in seal
    statement = b"DAYSEAL1" + long(seal["partition"].encode()) + struct.pack("<Q", seal["count"])
    statement += bytes.fromhex(seal["root"])
    for name in ["first", "last"]:
        statement += b"\x01" + struct.pack("<q", seal[name]) if name in seal else b"\x00"
    return statement + b"\x00" + struct.pack("<I", 0) + long(bytes.fromhex(seal["publicKey"]))


def check_signature(folder):
    manifest = (folder / "manifest.json").read_bytes()
    signature = json.loads((folder / "signature.json").read_bytes())
    assert signature["publicKey"] == export_key != key, "another key signed"
    verify(export_key, signature["signature"], b"DAYEXPT1" + long(manifest) + long(bytes.fromhex(export_key)))
    manifest = json.loads(manifest)
    assert manifest["version"] == 4 and manifest["receiptKey"] == key, "it names another key of receipts"
    for file in manifest["files"]:
        data = (folder / file["name"]).read_bytes()
        assert len(data) == file["bytes"] and hashlib.sha256(data).hexdigest() == file["sha256"], file["name"]


@check
def manifest_signature():
    check_signature(folder)


@check
def proofs():
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert manifest["version"] == 4 and manifest["logKey"] == log_key, "it is the log of another server"
    _, size, root = checkpoint()
    partition, proven, sealed = None, 0, 0
    for line in lines("proofs.jsonl"):
        if "sequence" not in line:
            partition = line
            receipt = line["receipt"]
            statement = b"DAYRCPT1" + long(receipt["app"].encode()) + long(receipt["user"].encode())
            statement += long(receipt["partition"].encode()) + struct.pack("<Q", receipt["durableThrough"])
            statement += bytes.fromhex(receipt["root"]) + bytes([receipt["isSealed"]])
            statement += struct.pack("<q", micros(receipt["issued"])) + long(bytes.fromhex(key))
            verify(key, receipt["signature"], statement)
            assert receipt["root"] == line["root"] and receipt["durableThrough"] == line["count"]
            if "seal" in line:
                seal = line["seal"]
                verify(seal["publicKey"], seal["signature"], seal_statement(seal))
                assert seal["root"] == line["root"] and seal["count"] == line["count"]
                entry, proof = line["logged"]["entry"], line["logged"]["proof"]
                leaf = b"\x00DAYLOGE1" + long(entry["app"].encode()) + long(entry["user"].encode())
                leaf += struct.pack("<q", micros(entry["received"])) + long(seal_statement(entry["seal"]))
                leaf += long(bytes.fromhex(entry["seal"]["signature"]))
                top = climb(hashlib.sha256(leaf).digest(), proof["index"], proof["count"], proof["path"])
                assert top == root and proof["count"] == size
                sealed += 1
            continue
        leaf = hashlib.sha256(b"\x00" + bytes.fromhex(line["event"])).digest()
        assert line["partition"] == partition["partition"] and leaf.hex() == line["leafHash"]
        top = climb(leaf, line["sequence"] - 1, partition["count"], line["path"])
        assert top.hex() == partition["root"], f"event {line['sequence']} is not proven"
        proven += 1
    assert proven == count and sealed == 1 + is_stamped, f"{proven} proven, {sealed} sealed"


def time_stamp():
    manifest = json.loads((folder / "manifest.json").read_bytes())
    _, size, root = checkpoint()
    _, stamped, stamped_root = checkpoint("time-stamp.checkpoint", [])
    proof = manifest["consistency"]
    assert (stamped, size) == (1, 2) == (proof["first"], proof["second"])
    assert grows(stamped, size, stamped_root, root, proof["path"]), "the log was time-stamped as another one"
    assert not grows(stamped, size, stamped_root, root, proof["path"][:-1] + ["00" * 32])
    places = [line["logged"]["proof"]["index"] for line in lines("proofs.jsonl") if "logged" in line]
    assert sorted(place < stamped for place in places) == [False, True], places

    def verified(data):
        command = ["openssl", "ts", "-verify", "-in", folder / "time-stamp.tsr", "-data", data, "-CAfile", roots]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        return answer.returncode == 0 and "Verification: OK" in answer.stdout

    assert verified(folder / "time-stamp.checkpoint") and not verified(folder / "checkpoint")


def revoked_keys():
    assert "revokedKeys" not in json.loads((folder / "manifest.json").read_bytes()), "a key is revoked too early"
    check_signature(revoked)
    manifest = json.loads((revoked / "manifest.json").read_bytes())
    since = {(key["app"], key["user"], key["publicKey"]): micros(key["since"]) for key in manifest["revokedKeys"]}
    late = []
    for entry in [line["logged"]["entry"] for line in lines("proofs.jsonl", revoked) if "logged" in line]:
        key = (entry["app"], entry["user"], entry["seal"]["publicKey"])
        if key in since and micros(entry["received"]) >= since[key]:
            late.append(entry["index"])
    assert late == [1] and len(since) == 1, late
    text = Page((revoked / "cover.html").read_bytes().decode()).text
    assert "Keys that are not believed" in text and "a test of revoked keys" in text


if is_stamped:
    check(time_stamp)
else:
    print("skipped export-time-stamp: there is no openssl")


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, data):
        super().__init__()
        self.tags, self.names, self.text = [], set(), ""
        self.feed(data)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.names.update(name for name, _ in attributes)

    def handle_data(self, data):
        self.text += data


if is_stamped:
    check(revoked_keys)


@check
def cover():
    data = (folder / "cover.html").read_bytes().decode()
    manifest, page = json.loads((folder / "manifest.json").read_bytes()), Page(data)
    known = "html head meta title style body h1 h2 p table thead tbody tr th td bdi i br wbr strong code pre ul ol li"
    assert set(page.tags) <= set(known.split()), set(page.tags)
    assert page.names <= {"lang", "charset", "http-equiv", "content", "name", "scope", "id", "class"}, page.names
    assert not re.search("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]", data)
    for text in [key, export_key, log_key, manifest["reason"], manifest["id"], f"Events{count}", *(VerifierKey(one).name for one in witnesses)]:
        assert text in page.text, f"the page does not say {text}"
    assert data.count("</code> of <bdi>ward-") == min(count, 200), "an event is missing"


def program():
    """Runs the program that stands in the cover, which needs Python's own library and openssl alone."""
    source = html.unescape(re.search('<pre id="check">(.*?)</pre>', (folder / "cover.html").read_text("utf-8"), re.DOTALL)[1])

    def run(place, signer=export_key):
        command = [sys.executable, "-I", "-c", source, place, signer]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    good = run(folder)
    assert good.returncode == 0, good.stderr
    told = f"{count} events are in their partitions\n{1 + is_stamped} partitions are sealed by devices, {1 + is_stamped} are in the log"
    assert told in good.stdout and f"receipts are signed with the key {key}" in good.stdout, good.stdout
    other = run(folder, key)
    assert other.returncode == 1 and "NOT PROVEN: the server's signature" in other.stderr, other.stdout
    names = ["manifest.json", "signature.json", "proofs.jsonl", "checkpoint", "events.csv"]
    if is_stamped:
        names.append("time-stamp.checkpoint")
        assert "1 of these were in the log when it was time-stamped" in good.stdout, good.stdout
        late = run(revoked)
        assert late.returncode == 1 and "by a key that was revoked as of" in late.stdout, late.stdout
    with tempfile.TemporaryDirectory() as copies:
        for name in names:
            copy = Path(copies) / name
            shutil.copytree(folder, copy)
            changed = bytearray((copy / name).read_bytes())
            changed[changed.rindex(b"0")] ^= 1
            (copy / name).write_bytes(changed)
            bad = run(copy)
            assert bad.returncode == 1 and ("NOT PROVEN" in bad.stderr or "Error" in bad.stderr), f"{name}: {bad.stdout}"


if shutil.which("openssl"):
    check(program)
else:
    print("skipped export-program: there is no openssl")


@check
def zip_file():
    with zipfile.ZipFile(folder.with_suffix(".zip")) as archive:
        assert archive.testzip() is None
        files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        assert len(files) == len(archive.infolist()) and all(entry.compress_type == 0 for entry in archive.infolist())
    manifest = json.loads(files["manifest.json"])
    assert set(files) == {file["name"] for file in manifest["files"]} | {"manifest.json", "signature.json"}
    for file in manifest["files"]:
        assert hashlib.sha256(files[file["name"]]).hexdigest() == file["sha256"], file["name"]
    assert files["events.jsonl"] == (folder / "events.jsonl").read_bytes()


sys.exit(1 if failed else 0)
