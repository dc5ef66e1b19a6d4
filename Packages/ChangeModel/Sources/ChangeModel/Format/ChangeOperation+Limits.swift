import EventModel

extension ChangeOperation {
    /// Whether the keys, texts and data of the operation are as short as ``ChangeLimits`` ask for.
    var isWithinLimits: Bool {
        guard object.isWithinLimits, path?.isWithinLimits ?? true else { return false }
        switch action {
        case .create(let given, let defaults):
            return given.values.allSatisfy(\.isWithinLimits) && defaults.values.allSatisfy(\.isWithinLimits)
        case .embeddedNew(_, _, let cells): return cells.values.allSatisfy(\.isWithinLimits)
        case .set(_, let value), .listInsert(_, _, _, let value), .listSet(_, _, let value), .mapSet(_, _, let value):
            return value.isWithinLimits
        case .post(let document): return document.string.utf8.count <= ChangeLimits.valueBytes
        default: return true
        }
    }
}

extension CellPath {
    fileprivate var isWithinLimits: Bool {
        steps.allSatisfy { step in
            switch step {
            case .key(let key): key.string.utf8.count <= ChangeLimits.keyBytes
            case .member(let member): member.isWithinLimits
            case .property, .life, .element: true
            }
        }
    }
}

extension CellValue {
    fileprivate var isWithinLimits: Bool {
        switch self {
        case .string(let text): text.string.utf8.count <= ChangeLimits.valueBytes
        case .data(let bytes): bytes.count <= ChangeLimits.valueBytes
        case .link(let target), .anyLink(let target): target.isWithinLimits
        default: true
        }
    }
}

extension ObjectAddress {
    fileprivate var isWithinLimits: Bool {
        if case .string(let key) = key { key.string.utf8.count <= ChangeLimits.keyBytes } else { true }
    }
}
