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
