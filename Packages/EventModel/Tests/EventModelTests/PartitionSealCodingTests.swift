import EventModel
import Foundation
import Testing

@Suite("Seals as JSON")
struct PartitionSealCodingTests {
    private let seal = PartitionSeal(
        partition: PartitionID(prefix: "ward", id: ObjectId(high: 1, low: 2)),
        count: 3,
        root: SampleRoots.first,
        first: EventInstant(microseconds: 1),
        last: nil,
        previousRoot: nil,
        losses: [LossEntry(reason: .quota, count: 1, noticed: EventInstant(microseconds: 4))],
        publicKey: [0x00, 0xAB],
        signature: [0xFF, 0x01]
    )

    private func object(_ seal: PartitionSeal) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(seal)) as? [String: Any])
    }

    private func read(_ object: [String: Any]) throws -> PartitionSeal {
        try JSONDecoder().decode(PartitionSeal.self, from: JSONSerialization.data(withJSONObject: object))
    }

    @Test("a seal is read as it was written, key and signature as hexadecimal digits")
    func roundTrip() throws {
        let object = try object(seal)

        #expect(object["publicKey"] as? String == "00ab")
        #expect(object["signature"] as? String == "ff01")
        #expect(object["last"] == nil)
        #expect(try read(object) == seal)
    }

    @Test("a seal that says whose it is keeps its number and the part of its ledger")
    func owned() throws {
        let owned = PartitionSeal(
            partition: seal.partition,
            owner: EventOwner(app: "ward-app", user: "aa"),
            number: 7,
            count: 3,
            root: seal.root,
            first: nil,
            last: nil,
            previousRoot: nil,
            losses: seal.losses,
            ledgerPart: 2,
            isLedgerContinued: true,
            publicKey: [],
            signature: []
        )
        let object = try object(owned)

        #expect(object["app"] as? String == "ward-app")
        #expect(object["number"] as? Int == 7)
        #expect(object["ledgerPart"] as? Int == 2)
        #expect(try read(object) == owned)
        #expect(try self.object(seal)["ledgerPart"] == nil)
    }

    @Test("half an owner is an error", arguments: ["app", "user", "number", "ledgerPart", "isLedgerContinued"])
    func halfAnOwner(field: String) throws {
        var object = try object(seal)
        object[field] = field == "isLedgerContinued" ? true : field == "app" || field == "user" ? "a" : 1

        #expect(throws: DecodingError.self) { try read(object) }
    }

    @Test("what a seal has room for makes at most 64 KiB", arguments: [1, 128])
    func capacity(prefixBytes: Int) throws {
        // The longest of everything, and names of which JSON makes six bytes for each.
        let loss = LossEntry(
            reason: .encodingFailed,
            count: .max,
            noticed: EventInstant(microseconds: .min),
            first: EventInstant(microseconds: .min),
            last: EventInstant(microseconds: .min),
            partition: PartitionID(prefix: String(repeating: "\u{1}", count: prefixBytes), id: seal.partition.id),
            sequences: (.max - 1)...(.max),
            root: seal.root
        )
        let losses = Array(repeating: loss, count: 1000)
        let count = PartitionSeal.capacity(for: losses)
        let name = String(repeating: "\u{1}", count: 255)
        let full = PartitionSeal(
            partition: PartitionID(prefix: String(repeating: "\u{1}", count: 128), id: seal.partition.id),
            owner: EventOwner(app: name, user: name),
            number: .max,
            count: .max,
            root: seal.root,
            first: EventInstant(microseconds: .min),
            last: EventInstant(microseconds: .min),
            previousRoot: seal.root,
            losses: Array(losses.prefix(count)),
            ledgerPart: .max,
            isLedgerContinued: true,
            publicKey: Array(repeating: 0, count: 32),
            signature: Array(repeating: 0, count: 64)
        )
        let byteCount = try JSONEncoder().encode(full).count

        #expect(count > 40)
        #expect(byteCount <= PartitionSeal.maximumBytes)
        #expect(byteCount > PartitionSeal.maximumBytes / 2, "most of the room is used")
        #expect(PartitionSeal.capacity(for: [LossEntry]()) == 0)
        #expect(PartitionSeal.capacity(for: losses.prefix(1)) == 1)
    }

    @Test("a key or a signature of another form is an error", arguments: ["publicKey", "signature"])
    func malformed(field: String) throws {
        for value in ["0", "zz", 7, [1, 2]] as [Any] {
            var object = try object(seal)
            object[field] = value
            #expect(throws: DecodingError.self) { try read(object) }
        }
        var object = try object(seal)
        object[field] = nil
        #expect(throws: DecodingError.self) { try read(object) }
    }
}

private enum SampleRoots {
    static let first: Digest = {
        guard let digest = Digest([UInt8](repeating: 7, count: Digest.byteCount)) else {
            preconditionFailure("A digest has 32 bytes.")
        }
        return digest
    }()
}
