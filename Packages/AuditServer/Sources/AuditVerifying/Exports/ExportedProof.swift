import AuditFormats
import AuditModel
package import EventModel
import EventProofs

/// The proof of one exported event: a line of `proofs.jsonl`, behind the line of its partition.
package struct ExportedProof: Sendable, Hashable {
    /// The partition.
    package let partition: PartitionID
    /// The place in the partition, from 1.
    package let sequence: UInt64
    /// The leaf hash that was stored when the event arrived; nil when it is damaged.
    package let leafHash: Digest?
    /// The hashes beside the way from the leaf to the root of the partition, the one beside the leaf first.
    package let path: [Digest]
    /// The canonical encoding, which the leaf hash is of; nil when fields are masked, or the event is erased or damaged.
    package let event: [UInt8]?
    /// When the server received the event; nil of files.
    package let received: EventInstant?
    /// Whether the texts of the event leave out what whoever exported may not read.
    package let isMasked: Bool
    /// The number of the erasure that took what the event said; nil when nothing did.
    package let erasure: Int64?

    package init(
        partition: PartitionID,
        sequence: UInt64,
        leafHash: Digest?,
        path: [Digest],
        event: [UInt8]?,
        received: EventInstant?,
        isMasked: Bool,
        erasure: Int64?
    ) {
        self.partition = partition
        self.sequence = sequence
        self.leafHash = leafHash
        self.path = path
        self.event = event
        self.received = received
        self.isMasked = isMasked
        self.erasure = erasure
    }

    /// The line.
    package var line: [UInt8] {
        let tree: JSONTree = [
            "erasure": erasure.map { .number($0) } ?? .absent,
            "event": JSONTree(event.map { Hexadecimal.text($0) }),
            "leafHash": JSONTree(leafHash?.hex),
            "masked": isMasked ? true : .absent,
            "partition": .text(partition.value),
            "path": .list(path.map { .text($0.hex) }),
            "received": JSONTree(received?.description),
            "sequence": .number(Int64(clamping: sequence)),
        ]
        return tree.line
    }
}

extension ExportedProof {
    /// Reads a line; nil when it is none of an event.
    package init?(line: ArraySlice<UInt8>) {
        var (partition, sequence, leafHash): (PartitionID?, UInt64?, Digest?)
        var path: [Digest]? = []
        var (event, received): ([UInt8]?, EventInstant?)
        var isMasked = false
        var erasure: Int64?
        do {
            try line.withUnsafeBufferPointer { bytes in
                var json = JSONBytes(bytes)
                try json.object { json, key throws(JSONBytes.Malformed) in
                    switch key {
                    case "partition": partition = try json.scalar().flatMap { try? PartitionID($0) }
                    case "sequence": sequence = try json.scalar().flatMap { UInt64($0) }
                    case "leafHash": leafHash = try json.scalar().flatMap { Digest(hex: $0) }
                    case "event": event = try json.scalar().flatMap { Hexadecimal.bytes($0) }
                    case "received": received = try json.scalar().flatMap { EventInstant($0) }
                    case "masked":
                        isMasked = true
                        try json.skip()
                    case "erasure": erasure = try json.scalar().flatMap { Int64($0) }
                    case "path":
                        try json.array { json throws(JSONBytes.Malformed) in
                            guard let hash = try json.scalar().flatMap({ Digest(hex: $0) }) else {
                                path = nil
                                return
                            }
                            path?.append(hash)
                        }
                    default: try json.skip()
                    }
                }
            }
        } catch {
            // What is wrong with a line is told by its place alone.
            return nil
        }
        guard let partition, let sequence, sequence > 0, let path else { return nil }
        self.partition = partition
        self.sequence = sequence
        self.leafHash = leafHash
        self.path = path
        self.event = event
        self.received = received
        self.isMasked = isMasked
        self.erasure = erasure
    }
}
