import EventModel
import Foundation
import Testing

@Suite("The key that event files are encrypted with")
struct EventEncryptionKeyTests {
    private let bytes = (0..<32).map { UInt8($0 * 7 % 256) }

    @Test("A key keeps the 32 bytes that it was made from")
    func keepsBytes() throws {
        #expect(try EventEncryptionKey(bytes).withUnsafeBytes { Array($0) } == bytes)
        #expect(try EventEncryptionKey(Data(bytes)) == EventEncryptionKey(bytes))
        #expect(try EventEncryptionKey(bytes[...]).hashValue == EventEncryptionKey(bytes).hashValue)
    }

    @Test(
        "Bytes of another length are refused with their number, and nothing of them is said",
        arguments: [0, 16, 31, 33, 64]
    )
    func refusesOtherLengths(count: Int) {
        let error = EventModelError.malformedEncryptionKey(byteCount: count)
        #expect(throws: error) { try EventEncryptionKey([UInt8](repeating: 0xAB, count: count)) }
        #expect(error.description == "An encryption key of event files has 32 bytes; the given one has \(count).")
    }

    @Test("Random keys differ")
    func randomKeysDiffer() {
        #expect(Set((0..<100).map { _ in EventEncryptionKey.random() }).count == 100)
    }

    @Test("Nothing that prints a key shows a byte of it")
    func printsNothing() throws {
        struct Holder {
            let key: EventEncryptionKey
            let optional: EventEncryptionKey?
        }
        let key = try EventEncryptionKey([UInt8](repeating: 0xC7, count: 32))
        let holder = Holder(key: key, optional: key)
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            "\(key)", String(reflecting: key), "\(holder)", "\([key])", dumped,
            "\(Mirror(reflecting: key).children.count)",
        ]
        for text in texts {
            // One byte alone may be in the address of a type; two of the key's are not there by chance.
            #expect(!text.contains("199, 199") && !text.lowercased().contains("c7c7") && !text.contains("14395694"))
        }
        #expect("\(key)" == "EventEncryptionKey(hidden)")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
