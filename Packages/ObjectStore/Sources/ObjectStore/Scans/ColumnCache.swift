import ColumnScans
import Synchronization

/// The packed columns of one file, for all its instances in this process: a second query over a class costs no look at its rows.
///
/// Each class is kept at one version, the newest at which it was asked for. A later transaction changes what it touched, as the change
/// log says. An instance that reads another version asks SQLite, and so does everybody while one of them changes the columns: nobody
/// waits here.
final class ColumnCache: Sendable {
    /// How many bytes the columns of a file take at most, unless its configuration says otherwise.
    static let defaultLimit = 64 << 20

    /// The columns of a class, and the versions of the file at which they are its columns.
    struct Entry: Sendable {
        /// Which properties the slots are.
        let signature: UInt32
        var versions: ClosedRange<UInt64>
        var rows: PackedRows
        /// When each column was asked for last.
        var uses: [Int: UInt64] = [:]
        /// How many bytes the rows took when they were put here.
        var byteCount = 0
    }

    /// What a cache has for a query.
    enum Finding {
        case columns(PackedRows)
        /// What there is has to be changed first, by who asked: nobody else has it meanwhile.
        case taken(Entry?)
        /// Only SQLite can answer.
        case unavailable
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        /// The classes whose columns are being changed.
        var taken: Set<String> = []
        /// The columns that would not fit.
        var refused: [String: Set<Int>] = [:]
        /// The columns that a query for rows asked for, without waiting for them.
        var wanted: [String: Set<Int>] = [:]
        /// How often columns were asked for.
        var turn: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Looks for the columns that a scan needs.
    ///
    /// - Parameters:
    ///   - className: The class.
    ///   - signature: Which properties its slots are.
    ///   - version: The version that is read.
    ///   - scan: What needs them.
    /// - Returns: The columns, or what ``put(_:of:limit:)`` has to be called for.
    func take(_ className: String, _ signature: UInt32, at version: UInt64, for scan: ColumnScan) -> Finding {
        state.withLock { state in
            guard !state.taken.contains(className), state.refused[className]?.isDisjoint(with: scan.slots) ?? true
            else {
                return .unavailable
            }
            guard var entry = state.entries.removeValue(forKey: className) else {
                state.taken.insert(className)
                return .taken(nil)
            }
            state.turn += 1
            for slot in scan.slots { entry.uses[slot] = state.turn }
            let isKnown = entry.signature == signature && entry.versions.contains(version)
            if isKnown, scan.isAnswered(by: entry.rows) {
                let rows = entry.rows
                state.entries[className] = entry
                return .columns(rows)
            }
            // What others read is not given up for an older version.
            guard entry.signature == signature, isKnown || entry.versions.upperBound < version else {
                state.entries[className] = entry
                return .unavailable
            }
            state.taken.insert(className)
            return .taken(entry)
        }
    }

    /// Whether columns are there, in whatever version, or were wanted before; if not, they are wanted from now on.
    ///
    /// To pack columns takes longer than to answer one query, which is worth it from the second one on.
    func isWorthwhile(_ className: String, _ slots: Set<Int>) -> Bool {
        state.withLock { state in
            let known = state.entries[className].map { Set($0.rows.columns.keys) } ?? []
            if slots.isSubset(of: known.union(state.wanted[className] ?? [])) { return true }
            state.wanted[className, default: []].formUnion(slots)
            return false
        }
    }

    /// Returns columns that are there at a version; nil when one is not, or they are being changed.
    func known(_ table: ClassTable, _ store: StoreConnection, _ slots: [Int]) -> PackedRows? {
        // What the open transaction changed is nobody else's yet.
        guard !table.isTouched else { return nil }
        return state.withLock { state in
            guard let entry = state.entries[table.schema.name], entry.signature == table.signature,
                entry.versions.contains(store.version), slots.allSatisfy({ entry.rows.columns[$0] != nil })
            else { return nil }
            state.turn += 1
            for slot in slots { state.entries[table.schema.name]?.uses[slot] = state.turn }
            return entry.rows
        }
    }

    /// Puts back what was taken; nil when there is nothing that could be kept.
    ///
    /// - Complexity: O(*n*) in the count of columns.
    func put(_ entry: Entry?, of className: String, limit: Int, refused: Set<Int> = []) {
        state.withLock { state in
            state.taken.remove(className)
            if !refused.isEmpty { state.refused[className, default: []].formUnion(refused) }
            guard var entry else { return }
            entry.byteCount = entry.rows.byteCount
            state.entries[className] = entry
            state.shrink(to: limit)
        }
    }

    /// Forgets all columns.
    func removeAll() {
        state.withLock { state in
            state.entries = [:]
            state.refused = [:]
            state.wanted = [:]
        }
    }

    /// How many bytes the columns take.
    var byteCount: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.byteCount } } }
}

extension ColumnCache.State {
    /// Forgets the columns that were not asked for the longest, until the others fit.
    fileprivate mutating func shrink(to limit: Int) {
        var sum = entries.values.reduce(0) { $0 + $1.byteCount }
        while sum > limit {
            var oldest: (className: String, slot: Int?, turn: UInt64)?
            for (name, entry) in entries {
                for slot in entry.rows.columns.keys where entry.uses[slot, default: 0] < oldest?.turn ?? .max {
                    oldest = (name, slot, entry.uses[slot, default: 0])
                }
                // Keys without columns are of no use.
                if entry.rows.columns.isEmpty { oldest = (name, nil, 0) }
            }
            guard let oldest, var entry = entries.removeValue(forKey: oldest.className) else { return }
            if let slot = oldest.slot { entry.rows.set(slot, nil) }
            if entry.rows.columns.isEmpty {
                sum -= entry.byteCount
            } else {
                let byteCount = entry.rows.byteCount
                sum -= entry.byteCount - byteCount
                entry.byteCount = byteCount
                entries[oldest.className] = entry
            }
        }
    }
}
