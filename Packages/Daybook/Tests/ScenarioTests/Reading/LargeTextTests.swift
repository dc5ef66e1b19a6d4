import Daybook
import Testing

@Suite("Large and strange texts on the real store")
struct LargeTextTests {
    /// The part of a read's payload that the test looks at.
    private struct Payload: Decodable {
        struct Value: Decodable {
            let string: String
        }

        let value: [Value]
    }

    /// Stores a text, reads its object in a scope and returns what an auditor reads of it.
    private func recorded(_ text: String) throws -> String {
        let record = Record()
        record._id = 1
        record.string = text
        let recorded = try RecordedRealm(holding: [record])
        try recorded.record { _ = recorded.realm.object(ofType: Record.self, forPrimaryKey: 1) }
        let data = try #require(recorded.stored().first?.data)
        return try JSONDecoder().decode(Payload.self, from: Data(data)).value[0].string
    }

    @Test("a text with every scalar of the basic plane and many beyond it is recorded byte for byte")
    func everyScalar() throws {
        let numbers = Array(0...0xFFFF as ClosedRange<UInt32>) + stride(from: 0x1_0000, through: 0x10_FFFF, by: 61)
        var text = ""
        text.unicodeScalars.append(contentsOf: numbers.compactMap(Unicode.Scalar.init))

        // Compared as bytes, because equal strings may be spelled differently.
        #expect(try recorded(text).utf8.elementsEqual(text.utf8))
    }

    @Test("an object with 10 MB of text is recorded whole")
    func tenMegabytes() throws {
        let text = String(repeating: "0123456789", count: 1 << 20)

        #expect(try recorded(text).utf8.count == 10 << 20)
    }
}
