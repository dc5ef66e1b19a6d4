import Foundation
import OriginalFiles

/// Follows the links of a file of the original, and knows which embedded objects belong to others.
///
/// Memory is a bit for each embedded object.
final class ImportedLinks {
    private let file: OriginalFile
    /// Which embedded objects somebody holds, by the index of their class.
    private var held: [[UInt64]]
    /// How many links led nowhere since this was set to 0.
    var unresolvedCount = 0

    init(_ file: OriginalFile) {
        self.file = file
        held = file.classes.map { found in
            found.kind == .embedded ? Array(repeating: 0, count: found.count / 64 + 1) : []
        }
    }

    /// Whether the new file gets an object: an embedded one that nobody holds belongs nowhere.
    func isWanted(_ position: Int, of index: Int) -> Bool {
        file.classes[index].kind != .embedded || held[index][position / 64] & 1 << UInt64(position % 64) != 0
    }

    /// Replaces the keys of objects by those of the new rows, and links that lead nowhere by null.
    ///
    /// An embedded object counts as held from now on.
    @inline(__always)
    func resolved(_ value: OriginalValue) throws(OriginalFileError) -> OriginalValue {
        switch value {
        case .link(let index, let key): return try link(index, key)
        case .list(let elements):
            var values: [OriginalValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try nested(element)) }
            return .list(values)
        case .dictionary(let entries):
            var read: [OriginalEntry] = []
            read.reserveCapacity(entries.count)
            for entry in entries { read.append(OriginalEntry(key: entry.key, value: try nested(entry.value))) }
            return .dictionary(read)
        default: return value
        }
    }

    private func nested(_ value: OriginalValue) throws(OriginalFileError) -> OriginalValue { try resolved(value) }

    private func link(_ index: Int, _ key: Int64) throws(OriginalFileError) -> OriginalValue {
        guard key >= 0 else {
            unresolvedCount += 1
            return .null
        }
        let found = file.classes[index]
        let missing = OriginalFileError.damaged(
            what: "a link leads to an object that is not there",
            className: found.name
        )
        if found.hasIntKey {
            guard let row = try file.intKey(of: key, in: index) else { throw missing }
            return .link(class: index, key: row)
        }
        guard let position = try file.position(of: key, in: index) else { throw missing }
        if found.kind == .embedded {
            let bit: UInt64 = 1 << UInt64(position % 64)
            guard held[index][position / 64] & bit == 0 else {
                throw .damaged(what: "two objects hold one embedded object", className: found.name)
            }
            held[index][position / 64] |= bit
        }
        return .link(class: index, key: Int64(position) + 1)
    }
}
