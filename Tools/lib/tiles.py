"""Reads a log as static tiles, written from C2SP's signed-note, tlog-checkpoint, tlog-cosignature and tlog-tiles and RFC 6962 alone.

Usage: tiles.py FOLDER LOG_VKEY [WITNESS_VKEY...]

The folder holds `checkpoint` and `tile/`. Computes the root of all entries from their bundles, compares every hash in every tile and the
checkpoint's root with it, and checks the log's signature and all cosignatures of the witnesses that are named. Prints
`verified, N entries, root HEX, cosigned by NAME at SECONDS...`, or `wrong: ` and a sentence, and ends with 1 then. Needs Python 3.9 and
nothing else; Ed25519 is that of stranger.py beside it.
"""

import base64
import binascii
import hashlib
import os
import sys

from stranger import Wrong, is_signed, leaf_hash, node_hash

FULL = 256

# MARK: Notes


def decoded(text, what):
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise Wrong(f"{what} is not base64")


def decimal(text, what):
    if not text.isascii() or not text.isdigit() or (text[0] == "0" and text != "0"):
        raise Wrong(f"{what} is not a decimal number without leading zeros")
    return int(text)


class Key:
    """A vkey: name+id+key."""

    def __init__(self, text):
        self.name, number, key = text.split("+", 2)
        key = decoded(key, "a key")
        self.kind, self.public, self.id = key[0], key[1:], bytes.fromhex(number)
        if hashlib.sha256(self.name.encode() + b"\n" + key).digest()[:4] != self.id:
            raise Wrong(f"the id of the key {self.name} is not its own")


class Note:
    def __init__(self, data):
        try:
            whole = data.decode("utf-8", "strict")
        except UnicodeDecodeError:
            raise Wrong("the note is not UTF-8")
        if any(ord(letter) < 0x20 and letter != "\n" for letter in whole):
            raise Wrong("the note has control characters")
        end = whole.rfind("\n\n")
        if end < 0 or not whole.endswith("\n"):
            raise Wrong("the note has no blank line, or does not end with a newline")
        self.text = whole[: end + 1]
        self.signatures = []
        for line in whole[end + 2 :].split("\n")[:-1]:
            parts = line.split(" ")
            if len(parts) != 3 or parts[0] != "\u2014" or not parts[1] or "+" in parts[1]:
                raise Wrong("a line of the note is no signature")
            data = decoded(parts[2], "a signature")
            if len(data) < 5:
                raise Wrong("a signature is too short")
            self.signatures.append((parts[1], data[:4], data[4:]))

    def times(self, key):
        """The times at which a key signed: 0 for a signature without one."""
        times = []
        for name, number, signature in self.signatures:
            if (name, number) != (key.name, key.id):
                continue
            message, time = self.text.encode(), 0
            if key.kind == 4:
                time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                message = f"cosignature/v1\ntime {time}\n".encode() + message
            elif key.kind != 1:
                raise Wrong(f"the key {key.name} has an unknown algorithm")
            if not is_signed(key.public, signature, message):
                raise Wrong(f"the signature of {key.name} does not verify")
            times.append(time)
        return times


# MARK: Tiles


def number_path(index):
    elements = [f"{index % 1000:03}"]
    while index >= 1000:
        index //= 1000
        elements.insert(0, f"x{index % 1000:03}")
    return "/".join(elements)


def tile_path(level, index, width):
    return f"tile/{level}/{number_path(index)}" + ("" if width == FULL else f".p/{width}")


def read(folder, path):
    try:
        with open(os.path.join(folder, path), "rb") as file:
            return file.read()
    except OSError:
        raise Wrong(f"{path} cannot be read")


def widths(count):
    """The tiles of so many hashes, by index."""
    for index in range(count // FULL):
        yield index, FULL
    if count % FULL:
        yield count // FULL, count % FULL


def entries_of(folder, size):
    for index, width in widths(size):
        path = tile_path("entries", index, width)
        data, place, found = read(folder, path), 0, 0
        while place < len(data):
            length = int.from_bytes(data[place : place + 2], "big")
            if place + 2 + length > len(data):
                raise Wrong(f"{path} ends within an entry")
            yield data[place + 2 : place + 2 + length]
            place, found = place + 2 + length, found + 1
        if found != width:
            raise Wrong(f"{path} has {found} entries")


def subtree(hashes):
    """RFC 6962, section 2.1, over hashes instead of entries."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return node_hash(subtree(hashes[:split]), subtree(hashes[split:]))


def check(folder, log, witnesses):
    note = Note(read(folder, "checkpoint"))
    lines = note.text.split("\n")[:-1]
    if len(lines) < 3 or not all(lines):
        raise Wrong("the checkpoint has not three lines, or an empty one")
    if lines[0] != log.name:
        raise Wrong("the checkpoint is of another log")
    size, root = decimal(lines[1], "the size"), decoded(lines[2], "the root")
    if not note.times(log):
        raise Wrong("the log did not sign the checkpoint")
    cosigned = [f", cosigned by {key.name} at {time}" for key in witnesses for time in note.times(key)]

    hashes = [leaf_hash(entry) for entry in entries_of(folder, size)]
    if subtree(hashes) != root:
        raise Wrong("the entries have another root than the checkpoint")
    level = 0
    while hashes:
        for index, width in widths(len(hashes)):
            path = tile_path(level, index, width)
            if read(folder, path) != b"".join(hashes[index * FULL : index * FULL + width]):
                raise Wrong(f"{path} has other hashes than the entries")
        hashes = [subtree(hashes[place : place + FULL]) for place in range(0, len(hashes) // FULL * FULL, FULL)]
        level += 1
    return f"verified, {size} entries, root {root.hex()}" + "".join(cosigned)


def main():
    try:
        log, *witnesses = [Key(text) for text in sys.argv[2:]]
        print(check(sys.argv[1], log, witnesses))
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        sys.exit(1)


if __name__ == "__main__":
    main()
