"""Verifies the event files of devices, written from FileFormat.md, FIPS 186-5, SEC 1 and RFCs 6962, 8032 and 1951 alone.

Usage: stranger.py FOLDER...

Each folder is one that holds `realm-audit`. Prints for each `FOLDER: verified, N events in M files`, or a line for each problem, which
begins with the folder, too; ends with 1 when there is a problem. Needs Python 3.9 and nothing else. Events that are encrypted are counted
and their hashes taken as unknown.
"""

import functools
import hashlib
import json
import os
import struct
import sys
import zlib

# MARK: Checksums, hashes, signatures


def table():
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
        yield number


TABLE = list(table())


def crc32c(data, known=0):
    value = known ^ 0xFFFFFFFF
    for byte in data:
        value = TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def tree_root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(tree_root(leaves[:split]), tree_root(leaves[split:]))


P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
I = pow(2, (P - 1) // 4, P)


def point_add(first, second):
    a = (first[1] - first[0]) * (second[1] - second[0]) % P
    b = (first[1] + first[0]) * (second[1] + second[0]) % P
    c = 2 * first[3] * second[3] * D % P
    d = 2 * first[2] * second[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point, add, neutral):
    result = neutral
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def point_times(scalar, point):
    return times(scalar, point, point_add, (0, 1, 1, 0))


def point_of(data):
    if len(data) != 32:
        return None
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * I % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_of(bytes.fromhex("58" + "66" * 31))


# Copies of a folder, and a record that says what a seal says, have the same signatures.
@functools.lru_cache(maxsize=4096)
def is_signed(public, signature, statement):
    """A key of 33 bytes is one of P-256, every other one has to be one of Ed25519."""
    return (is_signed_p256 if len(public) == 33 else is_signed_ed25519)(public, signature, statement)


def is_signed_ed25519(public, signature, statement):
    """RFC 8032, section 5.1.7."""
    key, commitment = point_of(public), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or len(signature) != 64 or scalar >= L:
        return False
    if point_times(8, key)[0] % P == 0:  # of small order: anybody can sign for it
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + statement).digest(), "little") % L
    left = point_times(scalar, BASE)
    right = point_add(commitment, point_times(challenge, key))
    return not (left[0] * right[2] - right[0] * left[2]) % P and not (left[1] * right[2] - right[1] * left[2]) % P


PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def curve_add(first, second):
    """Points of P-256 as pairs; None is the one that is infinitely far away."""
    if first is None or second is None:
        return first or second
    (x, y), (u, v) = first, second
    if x != u:
        slope = (v - y) * pow(u - x, -1, PRIME)
    elif (y + v) % PRIME:
        slope = (3 * x * x - 3) * pow(2 * y, -1, PRIME)
    else:
        return None
    far = (slope * slope - x - u) % PRIME
    return far, (slope * (x - far) - y) % PRIME


def curve_times(scalar, point):
    return times(scalar, point, curve_add, None)


def curve_point(data):
    """SEC 1, section 2.3.4, for compressed points."""
    x = int.from_bytes(data[1:], "big")
    if len(data) != 33 or data[0] not in (2, 3) or x >= PRIME:
        return None
    square = (x * x * x - 3 * x + B) % PRIME
    y = pow(square, (PRIME + 1) // 4, PRIME)
    if (y * y - square) % PRIME:
        return None
    return x, y if y & 1 == data[0] & 1 else PRIME - y


GENERATOR = curve_point(bytes.fromhex("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"))


def is_signed_p256(public, signature, statement):
    """FIPS 186-5, section 6.4.2, with SHA-256; of two values of s only the one of at most half the order."""
    key = curve_point(public)
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if key is None or len(signature) != 64 or not 0 < r < ORDER or not 0 < s <= ORDER // 2:
        return False
    inverse = pow(s, -1, ORDER)
    number = int.from_bytes(hashlib.sha256(statement).digest(), "big")
    point = curve_add(curve_times(number * inverse % ORDER, GENERATOR), curve_times(r * inverse % ORDER, key))
    return point is not None and point[0] % ORDER == r


# MARK: Fields


class Wrong(Exception):
    """What is wrong, as a sentence."""


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Wrong(f"it ends within a field at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def leb128(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def counted(self):
        return self.take(self.number("I"))

    def text(self):
        return self.counted().decode()

    def optional(self, body):
        present = self.take(1)[0]
        if present > 1:
            raise Wrong(f"byte {self.at - 1} says neither that there is a value nor that there is none")
        return body() if present else None

    def end(self):
        if self.at != len(self.data):
            raise Wrong(f"{len(self.data) - self.at} bytes are left over")


def long(data):
    return struct.pack("<I", len(data)) + data


def optional(value, body):
    return b"\0" if value is None else b"\1" + body(value)


def u64(value):
    return struct.pack("<Q", value)


def i64(value):
    return struct.pack("<q", value)


# MARK: Events


def sync_place(data):
    history, file, change, changes, position = data[:16], *struct.unpack(">IQIQ", data[16:])
    if any(history) != (file > 0) or max(change, position) >= 1 << 63 or changes > change:
        raise Wrong("the place in sync of an event contradicts itself")
    return {"history": history.hex(), "file": file, "change": change, "changes": changes, "position": position}


def decode_event(data):
    reader = Reader(data)
    version, presence, marks = reader.take(3)
    if version not in (1, 2) or presence >> 3 != version - 1:
        raise Wrong(f"an event has the version {version} and the presence {presence}")
    event = {"isInterrupted": bool(marks & 1), "isIncomplete": bool(marks & 2), "id": reader.take(12).hex()}
    event["wall"], event["monotonic"], event["boot"] = reader.number("q"), reader.number("Q"), reader.take(16).hex()
    if presence & 4:
        event["scopeCommitted"] = reader.number("q")
    if presence & 8:
        event["sync"] = sync_place(reader.take(40))
    event["activity"] = reader.take(reader.leb128()).decode()
    if presence & 1:
        event["event"] = reader.take(reader.leb128()).decode()
    if presence & 2:
        event["data"] = reader.take(reader.leb128())
    keys = []
    for _ in range(reader.leb128()):
        keys.append(reader.take(reader.leb128()))
        reader.take(reader.leb128()).decode()
    if keys != sorted(keys):
        raise Wrong("the metadata of an event are not in order")
    reader.end()
    return event


def unpack_numbers(coded, size):
    text, seen, run, at = bytearray(), {}, 0, 0

    def is_digit(byte):
        return 0x30 <= byte <= 0x39

    def place(start):
        front = bytes(8 - min(start, 8)) + bytes(text[max(0, start - 8) : start])
        word = int.from_bytes(bytes(0 if is_digit(byte) else byte for byte in front), "little")
        return (word * 0x9E3779B97F4A7C15 & (1 << 64) - 1) >> 54

    def end_run():
        start = len(text) - run
        if 3 <= run <= 18 and text[start] != 0x30:
            seen[place(start)] = int(text[start:])

    while at < len(coded):
        byte, at = coded[at], at + 1
        if byte != 255:
            if is_digit(byte):
                run += 1
            else:
                end_run()
                run = 0
            text.append(byte)
            continue
        end_run()
        run = 0
        code, at = coded[at], at + 1
        if code == 0:
            text.append(255)
        else:
            key = place(len(text))
            seen[key] = seen.get(key, 0) + ((code - 1) >> 1 ^ -((code - 1) & 1))
            text += b"%d" % seen[key]
    if len(text) != size:
        raise Wrong("packed events have another size than they say")
    return bytes(text)


# MARK: Files of frames


def frames(data, magic):
    """The frames of a file up to its torn tail or reserved space, and the id in its preamble."""
    if len(data) < 24 or data[:8] != magic or crc32c(data[:20]) != struct.unpack_from("<I", data, 20)[0]:
        raise Wrong("it does not begin as a file of its kind does")
    identity, at = data[8:20], 24
    found = []
    while at + 28 <= len(data):
        if not any(data[at:]):
            break
        size, kind, flags, zero, first, count, content_sum, head_sum = struct.unpack_from("<IBBHQIII", data, at)
        if head_sum != crc32c(data[at : at + 24], crc32c(u64(at), crc32c(identity))) or zero:
            raise Wrong(f"the header at byte {at} has a wrong checksum")
        content = data[at + 28 : at + 28 + size]
        if len(content) < size:
            return identity, found, True
        if crc32c(content) != content_sum:
            raise Wrong(f"the content at byte {at + 28} has a wrong checksum")
        found.append((at, kind, flags, first, count, content))
        at += 28 + size
    return identity, found, any(data[at:])


def seal_statement(seal):
    owned = "app" in seal
    statement = b"DAYSEAL2" if owned else b"DAYSEAL1"
    if owned:
        statement += long(seal["app"].encode()) + long(seal["user"].encode())
    statement += long(seal["partition"].encode())
    if owned:
        statement += optional(seal.get("number"), u64)
    statement += u64(seal["count"]) + bytes.fromhex(seal["root"])
    statement += optional(seal.get("first"), i64) + optional(seal.get("last"), i64)
    statement += optional(seal.get("previousRoot"), bytes.fromhex)
    if owned:
        statement += struct.pack("<IB", seal.get("ledgerPart", 0), seal.get("isLedgerContinued", False))
    statement += struct.pack("<I", len(seal["losses"]))
    for loss in seal["losses"]:
        statement += long(loss["reason"].encode()) + u64(loss["count"]) + i64(loss["noticed"])
        statement += optional(loss.get("first"), i64) + optional(loss.get("last"), i64)
        statement += optional(loss.get("partition"), lambda text: long(text.encode()))
        statement += optional(loss.get("sequences"), lambda pair: u64(pair[0]) + u64(pair[1]))
        statement += optional(loss.get("root"), bytes.fromhex)
    return statement + long(bytes.fromhex(seal["publicKey"]))


def read_partition(data, name, app, user, prefix):
    """What a file holds: the number of events, their root (None when they are encrypted), and the seal."""
    identity, found, is_torn = frames(data, b"DAYPART\1")
    if identity.hex() != name:
        raise Wrong("it is the file of another partition")
    leaves, losses, count, seal, end, times = [], [], 0, None, None, []
    for offset, kind, flags, first, number, content in found:
        if seal is not None and kind != 5:
            raise Wrong(f"a frame lies behind the seal, at byte {offset}")
        if first != count + 1:
            raise Wrong(f"events are missing in front of byte {offset}")
        if kind == 1:
            start = json.loads(content)
            if (start.get("app", app), start.get("user", user)) != (app, user):
                raise Wrong(f"it belongs to {start['user']} of {start['app']}")
        elif kind == 2 and flags & 2:
            leaves, count = None, count + number
        elif kind == 2:
            if flags & 1:
                content = unpack_numbers(zlib.decompress(content[4:], wbits=-15), struct.unpack_from("<I", content)[0])
            reader = Reader(content)
            for _ in range(number):
                event = reader.take(reader.leb128())
                times.append(decode_event(event)["wall"])
                if leaves is not None:
                    leaves.append(leaf_hash(event))
            reader.end()
            count += number
        elif kind == 3:
            losses.append(json.loads(content))
        elif kind == 4:
            seal, sealed_at = json.loads(content), offset
        elif kind == 5:
            end = struct.unpack("<Q", content)[0]
        elif kind != 8:
            raise Wrong(f"a frame of the kind {kind} lies at byte {offset}")
    root = None if leaves is None else tree_root(leaves)
    if seal is None:
        return count, root, None
    if is_torn or end != sealed_at:
        raise Wrong("it does not end with the place of its seal")
    statement = seal_statement(seal)
    if not is_signed(bytes.fromhex(seal["publicKey"]), bytes.fromhex(seal["signature"]), statement):
        raise Wrong("the signature of its seal is wrong")
    if (seal.get("app", app), seal.get("user", user)) != (app, user) or seal["partition"] != f"{prefix}-{name}":
        raise Wrong("its seal is that of another partition, or of another user")
    if seal["count"] != count or root is not None and seal["root"] != root.hex():
        raise Wrong("its events are not those of the seal")
    if seal["losses"] != losses:
        raise Wrong("its losses are not those of the seal")
    if times and leaves is not None and (seal.get("first"), seal.get("last")) != (times[0], times[-1]):
        raise Wrong("its times are not those of the seal")
    return count, root, seal


# MARK: The index

STATES = {0: "begun", 1: "entered", 2: "sealed", 3: "aside", 4: "leaving", 5: "missing"}
BEGINNINGS = {1: "the one before was gone", 2: "the one before could not be read", 3: "another key had signed", 4: "an older one lay there"}


def read_entry(reader):
    entry = {"id": reader.take(12).hex(), "state": STATES[reader.take(1)[0]], "when": reader.number("q")}

    def sealed():
        fields = {"count": reader.number("Q"), "root": reader.take(32), "size": reader.number("Q"), "digest": reader.take(32)}
        reader.take(1)
        fields["number"] = reader.optional(lambda: reader.number("Q"))
        fields["previousRoot"] = reader.optional(lambda: reader.take(32))
        reader.number("I")
        reader.take(1)
        reader.counted()
        return fields

    entry["seal"] = reader.optional(sealed)
    return entry


def read_name(reader):
    return (reader.text(), reader.text(), reader.text())


def read_folder(reader):
    folder = {"beginning": reader.take(1)[0], "when": reader.number("q"), "number": reader.number("Q")}
    folder["lastRoot"] = reader.optional(lambda: reader.take(32))
    folder["newest"] = reader.optional(lambda: reader.take(12).hex())
    folder["forgotten"] = reader.number("Q")
    reader.number("I")
    entries = [read_entry(reader) for _ in range(reader.number("I"))]
    folder["partitions"] = {entry["id"]: entry for entry in entries}
    return folder


def read_index(data):
    """The public key, and the folders by app, user and prefix."""
    identity, found, _ = frames(data, b"DAYINDX\1")
    count, chain, public, folders, signature = 0, hashlib.sha256(b"").digest(), None, {}, b""
    for offset, kind, _, first, _, content in found:
        record, signature = content[:-64], content[-64:]
        reader = Reader(record)
        what = reader.take(1)[0]
        if kind != 9 or (what == 1) != (offset == 24):
            raise Wrong(f"the record at byte {offset} is not one that may stand there")
        if what == 1:
            count, chain, public = reader.number("Q"), reader.take(32), reader.counted()
            folders = {}
            for _ in range(reader.number("I")):
                name = read_name(reader)
                folders[name] = read_folder(reader)
        elif what == 2:
            name = read_name(reader)
            folders[name] = read_folder(reader)
        elif what == 3:
            name = read_name(reader)
            entry = read_entry(reader)
            known = folders[name]["partitions"].get(entry["id"])
            if entry["seal"] or not (known and known["seal"]):
                folders[name]["partitions"][entry["id"]] = entry
            if entry["seal"] and entry["seal"]["number"] is not None:
                folders[name]["number"] = max(folders[name]["number"], entry["seal"]["number"])
        elif what == 4:
            name, partition, state = read_name(reader), reader.take(12).hex(), reader.take(1)[0]
            reader.number("q")
            if state == 255:
                folders[name]["partitions"].pop(partition, None)
            elif partition in folders[name]["partitions"]:
                folders[name]["partitions"][partition]["state"] = STATES[state]
        else:
            raise Wrong(f"the record at byte {offset} is of an unknown kind")
        reader.end()
        chain = node_hash(chain, leaf_hash(record))
        count += 1
        if first != count:
            raise Wrong(f"the record at byte {offset} is not the one that comes next")
    if public is None:
        raise Wrong("it holds no record")
    statement = b"DAYINDX1" + long(identity) + u64(count) + chain + long(public)
    if not is_signed(public, signature, statement):
        raise Wrong("its last record is not signed")
    return public, folders


# MARK: Folders


def subfolders(path):
    return sorted(name for name in os.listdir(path) if os.path.isdir(os.path.join(path, name)))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_folder(path, known, owner):
    """Problems, events and files of one app, user and prefix; `known` is what the index says, None when it says nothing."""
    problems, seals, total, files = [], {}, 0, 0
    known = known or {"partitions": {}, "number": 0, "beginning": 0, "forgotten": 0}
    present = {}
    for name in sorted(os.listdir(path)):
        base, _, ending = name.partition(".")
        if len(base) == 24 and ending in ("events", "quarantined"):
            present.setdefault(base, ending)
    for base, ending in present.items():
        files += 1
        file = os.path.join(path, f"{base}.{ending}")
        entry = known["partitions"].get(base)
        data = read(file)
        try:
            count, root, seal = read_partition(data, base, *owner)
            total += count
            if seal and "number" in seal:
                seals.setdefault(seal["number"], []).append((base, seal))
            if entry is None or entry["seal"] is None:
                if seal and "number" in seal:
                    raise Wrong("the index does not know that it was sealed")
            elif entry["state"] != "leaving":
                if seal is None:
                    held = "nothing is missing" if count == entry["seal"]["count"] else f"it holds {count} of them"
                    if entry["state"] != "entered" or count != entry["seal"]["count"]:
                        raise Wrong(f"{entry['seal']['count']} events were sealed, and the seal is not there; {held}")
                elif leaf_hash(seal_statement(seal) + bytes.fromhex(seal["signature"])) != entry["seal"]["digest"]:
                    raise Wrong("it has another seal than the index says")
                elif len(data) != entry["seal"]["size"]:
                    raise Wrong(f"it has {len(data)} bytes, and had {entry['seal']['size']}")
        except (Wrong, ValueError, KeyError, TypeError, struct.error, zlib.error, IndexError) as error:
            problems.append(f"{file}: {error}")
        if ending == "quarantined" and entry and entry["state"] not in ("aside", "missing"):
            problems.append(f"{file}: it was kept aside, and not by the device")
    for entry in known["partitions"].values():
        if entry["id"] not in present and entry["state"] != "leaving":
            problems.append(f"{path}/{entry['id']}.events: it is gone")
    if known["forgotten"]:
        problems.append(f"{path}: {known['forgotten']} more partitions are gone")
    if known["beginning"]:
        problems.append(f"{path}: the index was begun anew, {BEGINNINGS[known['beginning']]}")
    for number, found in seals.items():
        if len(found) > 1:
            problems.append(f"{path}: {' and '.join(base for base, _ in found)} are both number {number}")
        for base, seal in found:
            if number == 1 and "previousRoot" in seal:
                problems.append(f"{path}/{base}.events: it is the first one, and follows another")
            for _, before in seals.get(number - 1, []):
                if seal.get("previousRoot") != before["root"]:
                    problems.append(f"{path}/{base}.events: it does not follow number {number - 1}")
    return problems, total, files


def check(folder):
    audit = os.path.join(folder, "realm-audit")
    problems, total, files, index = [], 0, 0, {}
    try:
        _, index = read_index(read(os.path.join(audit, "device.index")))
    except FileNotFoundError:
        problems.append(f"{audit}/device.index: it is not there")
    except (Wrong, ValueError, KeyError, IndexError) as error:
        problems.append(f"{audit}/device.index: {error}")
    seen = set()
    for app in subfolders(audit):
        for user in subfolders(os.path.join(audit, app)):
            for prefix in subfolders(os.path.join(audit, app, user)):
                owner = (app, user, prefix)
                seen.add(owner)
                found, events, number = check_folder(os.path.join(audit, *owner), index.get(owner), owner)
                problems, total, files = problems + found, total + events, files + number
    for owner in index.keys() - seen:
        if index[owner]["partitions"]:
            problems.append(f"{os.path.join(audit, *owner)}: the folder is gone")
    return problems, total, files


if __name__ == "__main__":
    status = 0
    for folder in sys.argv[1:]:
        problems, total, files = check(folder)
        for problem in problems:
            print(f"{folder}: {problem}")
            status = 1
        if not problems:
            print(f"{folder}: verified, {total} events in {files} files")
    sys.exit(status)
