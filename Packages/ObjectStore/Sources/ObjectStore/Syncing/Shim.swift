import ChangeModel
import EventModel
extension Change {
    var body: [UInt8] {
        // swift-format-ignore
        guard let batch = try? SignedBatch(ChangeBatch(file: 1, changes: [self]), after: ChangeChain(head: Digest([UInt8](repeating: 0, count: 32))!, hash: { _ in Digest([UInt8](repeating: 0, count: 32))! }), signing: { _ in [UInt8](repeating: 0, count: 64) }) else { return [] }
        return batch.bytes
    }
    init(number: Int, body: ArraySlice<UInt8>) throws {
        self = try SignedBatch(bytes: Array(body)).batch.changes[0]
    }
}
