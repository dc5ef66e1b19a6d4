import EventModel
import Foundation
import Testing

@Suite("Receipts of a server")
struct StorageReceiptTests {
    private func receipt(
        app: String = "ward",
        user: String = "u1",
        prefix: String = "events",
        durableThrough: UInt64 = 3,
        isSealed: Bool = true,
        issued: Int64 = 1_700_000_000_123_456,
        key: UInt8 = 7
    ) throws -> StorageReceipt {
        StorageReceipt(
            app: app,
            user: user,
            partition: PartitionID(prefix: prefix, id: ObjectId(high: 7, low: 1)),
            durableThrough: durableThrough,
            root: try #require(Digest([UInt8](repeating: 0xAB, count: 32))),
            isSealed: isSealed,
            issued: EventInstant(microseconds: issued),
            publicKey: [UInt8](repeating: key, count: 32),
            signature: [UInt8](repeating: 9, count: 64)
        )
    }

    @Test("a receipt comes back from its JSON as it was, to the microsecond")
    func coding() throws {
        let receipt = try receipt()

        let bytes = try JSONEncoder().encode(receipt)

        #expect(try JSONDecoder().decode(StorageReceipt.self, from: bytes) == receipt)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""issued":"2023-11-14T22:13:20.123456Z""#))
    }

    @Test("a receipt whose key, signature or time has another form is refused", arguments: ["publicKey", "issued"])
    func malformed(field: String) throws {
        let bytes = try JSONEncoder().encode(try receipt())
        var object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        object[field] = "x"
        let changed = try JSONSerialization.data(withJSONObject: object)

        #expect(throws: DecodingError.self) { try JSONDecoder().decode(StorageReceipt.self, from: changed) }
    }

    @Test("the signed bytes are those of the table")
    func canonicalBytes() throws {
        var expected = Array("DAYRCPT1".utf8)
        expected += [4, 0, 0, 0] + Array("ward".utf8)
        expected += [2, 0, 0, 0] + Array("u1".utf8)
        expected += [31, 0, 0, 0] + Array("events-000000000000000700000001".utf8)
        expected += [3, 0, 0, 0, 0, 0, 0, 0]
        expected += [UInt8](repeating: 0xAB, count: 32)
        expected += [1]
        expected += [0x40, 0x22, 0x20, 0x18, 0x24, 0x0A, 0x06, 0x00]
        expected += [32, 0, 0, 0] + [UInt8](repeating: 7, count: 32)

        #expect(try receipt().canonicalBytes == expected)
    }

    @Test("no two receipts that differ have the same signed bytes, wherever a text ends")
    func unambiguous() throws {
        let all = try [
            receipt(), receipt(app: "wardu", user: "1"), receipt(app: "war", user: "du1"), receipt(user: "u1events"),
            receipt(prefix: "events2"), receipt(durableThrough: 4), receipt(isSealed: false), receipt(issued: 1),
            receipt(key: 8),
        ]

        #expect(Set(all.map(\.canonicalBytes)).count == all.count)
    }

    @Test("proofs are equal when they say the same, with and without a receipt")
    func proofEquality() throws {
        let receipt = try receipt()
        let signed = DurabilityProof(
            partition: receipt.partition,
            durableThrough: 3,
            root: receipt.root,
            isSealed: true,
            receipt: receipt
        )
        let plain = DurabilityProof(partition: receipt.partition, durableThrough: 3, root: receipt.root, isSealed: true)

        #expect(signed == plain)
        #expect(signed.hashValue == plain.hashValue)
        #expect(try JSONDecoder().decode(DurabilityProof.self, from: JSONEncoder().encode(signed)).receipt == receipt)
        #expect(try JSONDecoder().decode(DurabilityProof.self, from: JSONEncoder().encode(plain)).receipt == nil)
    }
}
