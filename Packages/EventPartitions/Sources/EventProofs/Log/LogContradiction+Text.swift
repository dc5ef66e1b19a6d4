import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of a contradiction: a line that says of which kind it is, and then its parts.
///
/// ```
/// daybook-log-contradiction@v1 fork
/// smaller 178
/// …the bytes of a signed note…
/// larger 181
/// …the bytes of a signed note…
/// consistency 90
/// …hashes in base64, one in a line: the root over the smaller size first…
/// ```
///
/// A part is a line with its name and the number of its bytes, then these bytes, and a newline.
///
/// | kind | parts |
/// |---|---|
/// | `fork` | `smaller` and `larger`, signed notes with checkpoints; `consistency`, hashes |
/// | `replacement` | `receipt`, JSON; `seal`, a hash, or no bytes; `entry`, JSON; `proof`, a tlog-proof of C2SP with its checkpoint |
/// | `omission` | `receipt`, JSON; `checkpoint`, a signed note |
extension LogContradiction {
    /// How many bytes a file may have: two notes of the largest size, and as much again for the rest.
    public static let maximumBytes = 4 * SignedNote.maximumBytes

    private static let title = "daybook-log-contradiction@v1 "

    /// Reads a file; its form is checked, and nothing else.
    ///
    /// - Parameter bytes: The whole file, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedContradiction(reason:)``, and what reading a note or a proof throws.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedContradiction(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        var parts = Parts(rest: bytes[...])
        guard let line = NoteText.nextLine(&parts.rest), let kind = NoteText.value(of: Self.title, in: line) else {
            throw .malformedContradiction(reason: "its first line does not begin with \(Self.title)")
        }
        switch String(decoding: kind, as: UTF8.self) {
        case "fork":
            let smaller = try parts.checkpoint("smaller")
            let larger = try parts.checkpoint("larger")
            let hashes = try parts.hashes("consistency")
            guard let root = hashes.first else {
                throw .malformedContradiction(reason: "its part `consistency` has no hash")
            }
            self = .fork(smaller: smaller, larger: larger, root: root, path: Array(hashes.dropFirst()))
        case "replacement":
            self = .replacement(
                receipt: try parts.decoded("receipt"),
                seal: try parts.hashes("seal").first,
                entry: try parts.decoded("entry"),
                proof: try LogProof(parts.next("proof"))
            )
        case "omission":
            self = .omission(receipt: try parts.decoded("receipt"), signed: try parts.checkpoint("checkpoint"))
        default:
            throw .malformedContradiction(reason: "it is of a kind that is not known here")
        }
        guard parts.rest.isEmpty else { throw .malformedContradiction(reason: "there is more behind its last part") }
    }

    /// The file.
    ///
    /// - Throws: What encoding the receipt or the entry as JSON throws.
    public func bytes() throws -> [UInt8] {
        let kind: String
        let parts: [(name: String, bytes: [UInt8])]
        switch self {
        case .fork(let smaller, let larger, let root, let path):
            kind = "fork"
            parts = [
                ("smaller", smaller.note.bytes), ("larger", larger.note.bytes),
                ("consistency", Self.text(of: [root] + path)),
            ]
        case .replacement(let receipt, let seal, let entry, let proof):
            kind = "replacement"
            parts = [
                ("receipt", try Self.json(receipt)), ("seal", Self.text(of: seal.map { [$0] } ?? [])),
                ("entry", try Self.json(entry)), ("proof", proof.bytes),
            ]
        case .omission(let receipt, let signed):
            kind = "omission"
            parts = [("receipt", try Self.json(receipt)), ("checkpoint", signed.note.bytes)]
        }
        var bytes = Array("\(Self.title)\(kind)\n".utf8)
        for part in parts {
            bytes += Array("\(part.name) \(part.bytes.count)\n".utf8) + part.bytes + [NoteText.newline]
        }
        return bytes
    }

    private static func text(of hashes: [Digest]) -> [UInt8] {
        Array(hashes.map { "\(Base64Text.text($0.bytes))\n" }.joined().utf8)
    }

    private static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

/// The parts of a file that were not read yet.
private struct Parts {
    var rest: ArraySlice<UInt8>

    mutating func next(_ name: String) throws(ProofError) -> [UInt8] {
        guard let line = NoteText.nextLine(&rest), let text = NoteText.value(of: "\(name) ", in: line),
            let count = DecimalText.number(text)
        else { throw .malformedContradiction(reason: "its part `\(name)` is missing") }
        guard count < UInt64(rest.count) else {
            throw .malformedContradiction(reason: "its part `\(name)` is cut off")
        }
        let bytes = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(bytes.count)
        guard rest.popFirst() == NoteText.newline else {
            throw .malformedContradiction(reason: "its part `\(name)` does not end with a newline")
        }
        return bytes
    }

    mutating func checkpoint(_ name: String) throws(ProofError) -> SignedCheckpoint {
        try SignedCheckpoint(next(name))
    }

    mutating func hashes(_ name: String) throws(ProofError) -> [Digest] {
        var lines = try next(name)[...]
        var hashes: [Digest] = []
        while !lines.isEmpty {
            guard let line = NoteText.nextLine(&lines), let hash = Base64Text.bytes(line).flatMap({ Digest($0) })
            else {
                throw .malformedContradiction(reason: "its part `\(name)` has a line that is not base64 of 32 bytes")
            }
            hashes.append(hash)
        }
        return hashes
    }

    mutating func decoded<Value: Decodable>(_ name: String) throws(ProofError) -> Value {
        let bytes = try next(name)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            // The decoder's own error quotes what it read.
            throw .malformedContradiction(reason: "its part `\(name)` is not the JSON that it should be")
        }
    }
}
