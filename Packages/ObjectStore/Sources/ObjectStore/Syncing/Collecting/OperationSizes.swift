import ChangeModel
import EventModel

// What is estimated of the bytes of an operation before it is written.
extension AnyCell {
    /// The bytes of a text or data, which may be many; no more than some for everything else.
    var largeBytes: Int {
        switch self {
        case .value(.string(let text)): text.utf8.count
        case .value(.data(let bytes)): bytes.count
        case .value, .link, .list, .dictionary: 16
        }
    }
}

extension CellValue {
    var largeBytes: Int {
        switch self {
        case .string(let text): text.string.utf8.count
        case .data(let bytes): bytes.count
        default: 16
        }
    }
}

extension PlainValue {
    var largeBytes: Int {
        switch self {
        case .text(let bytes), .data(let bytes): bytes.count
        default: 16
        }
    }
}

extension ChangeOperation {
    var largeBytes: Int {
        switch action {
        case .set(_, let value), .listInsert(_, _, _, let value), .listSet(_, _, let value), .mapSet(_, _, let value),
            .setInsert(_, let value), .setRemove(_, let value):
            value.largeBytes
        case .create(let given, let defaults):
            given.values.reduce(defaults.values.reduce(0) { $0 + $1.largeBytes }) { $0 + $1.largeBytes }
        case .embeddedNew(_, _, let cells): cells.values.reduce(0) { $0 + $1.largeBytes }
        case .post(let document): document.string.utf8.count
        case .add, .clear, .collectionNew, .delete, .listMove, .listRemove, .mapRemove: 0
        }
    }
}
