"""The bytes of events and stretches, written from FileFormat.md and PROTOCOL.md alone, for those who send what no device of ours does."""

import hashlib
import itertools
import os
import struct

identifiers = itertools.count(1)


def leb128(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data) + bytes([number])


def sized(data):
    return leb128(len(data)) + data


def event(activity="attack", type="attack", data=None, metadata=()):
    """An event; the metadata are pairs, in any order, also the same key twice."""
    text = struct.pack("<BBB", 1, 1 if data is None else 3, 0) + os.urandom(8) + struct.pack(">I", next(identifiers))
    text += struct.pack("<qQ", 1_764_000_000_000_000, 1) + bytes(16)
    text += sized(activity.encode()) + sized(type.encode())
    if data is not None:
        text += sized(data.encode())
    pairs = sorted((key.encode(), value.encode()) for key, value in metadata)
    return text + leb128(len(pairs)) + b"".join(sized(key) + sized(value) for key, value in pairs)


class Tree:
    """The tree of RFC 6962 over events that come one after the other, with the root at each place."""

    def __init__(self, events):
        peaks, self.roots = [], [hashlib.sha256(b"").digest()]
        for encoded in events:
            peaks.append((1, hashlib.sha256(b"\0" + encoded).digest()))
            while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
                (count, right), (_, left) = peaks.pop(), peaks.pop()
                peaks.append((count * 2, hashlib.sha256(b"\1" + left + right).digest()))
            root = peaks[-1][1]
            for _, left in reversed(peaks[:-1]):
                root = hashlib.sha256(b"\1" + left + root).digest()
            self.roots.append(root)


def stretch(partition, events, first=1, root=None, seal=b""):
    """A stretch; the root is that of its events when they are the partition's first."""
    root = Tree(events).roots[-1] if root is None else root
    head = b"DBS1" + sized(partition.encode()) + struct.pack("<Q", first) + root + sized(seal)
    return head + leb128(len(events)) + b"".join(sized(encoded) for encoded in events)


def beginning(partition, byte_count):
    """All of a stretch that stands before its one event, of which it announces so many bytes."""
    return stretch(partition, [])[:-1] + leb128(1) + leb128(byte_count)
