public import ChangeModel

/// The rules of conflict a second time: everything that was ever sent, and the state as a pure function of that.
///
/// It keeps no state and decides nothing when a change arrives: whatever counts is looked up in the whole history when
/// somebody asks. What does not count, such as a write to an object that was deleted meanwhile, falls out by itself. So
/// it is slow, short, and has nothing in common with how the server does it.
public struct PlainRealm: Sendable {
    /// How many changes were taken.
    public private(set) var head = 0
    /// Everything that was not refused for other reasons than deletion.
    var operations: [PlainOperation] = []
    /// What creations and deletions proposed.
    var proposals: [ObjectAddress: [PlainProposal]] = [:]
    private var clocks: [UInt32: HybridClock] = [:]
    /// The time of each entry.
    private var taken: [HybridClock] = []

    /// Creates an empty realm.
    public init() {}

    /// Takes the next change of a file.
    ///
    /// - Parameters:
    ///   - change: The change, which was not taken before.
    ///   - file: Its file.
    ///   - milliseconds: The server's time since 1970.
    ///   - denied: The indexes of operations that the file may not do.
    public mutating func take(
        _ change: Change,
        of file: UInt32,
        milliseconds: Int64,
        denied: Set<Int> = []
    ) {
        var clock = change.clock
        if clock.milliseconds > milliseconds + 5000 { clock = HybridClock(milliseconds: milliseconds) }
        for last in [clocks[file], taken.prefix(change.base).max()] {
            if let last, clock <= last { clock = last.next }
        }
        clocks[file] = clock
        taken.append(clock)
        head += 1
        let before = self
        var isRefused = false
        for (index, operation) in change.operations.enumerated() {
            if denied.contains(index) {
                isRefused = true
                continue
            }
            let stamp = Stamp(clock, file: file, index: UInt32(index))
            let epoch = note(operation, stamp, base: change.base)
            if case .delete = operation.action { continue }
            isRefused = isRefused || epoch.isMultiple(of: 2) || epoch < self.epoch(of: operation.object)
            operations.append(
                PlainOperation(
                    operation: operation,
                    stamp: stamp,
                    number: head,
                    base: change.base,
                    epoch: epoch,
                    targetEpoch: operation.target.map { known($0, to: file, at: change.base) } ?? 0
                )
            )
        }
        if change.isAtomic, isRefused {
            operations = before.operations
            proposals = before.proposals
        }
    }

    /// Notes what a creation or deletion proposes.
    ///
    /// - Returns: The epoch of the object that an operation belongs to.
    private mutating func note(_ operation: ChangeOperation, _ stamp: Stamp, base: Int) -> Int {
        let known = known(operation.object, to: stamp.file, at: base)
        let isAlive = known % 2 == 1
        let epoch: Int
        switch operation.action {
        case .create: epoch = isAlive ? known : known + 1
        case .delete: epoch = isAlive ? known + 1 : known
        default: return known
        }
        proposals[operation.object, default: []].append(PlainProposal(number: head, epoch: epoch, stamp: stamp))
        return epoch
    }

    private func known(_ object: ObjectAddress, to file: UInt32, at base: Int) -> Int {
        (proposals[object] ?? []).filter { $0.number <= base || $0.stamp.file == file }.map(\.epoch).max() ?? 0
    }

    /// The epoch of an object now.
    func epoch(of object: ObjectAddress) -> Int { (proposals[object] ?? []).map(\.epoch).max() ?? 0 }

    /// Everything that the realm holds.
    public var contents: RealmContents {
        var contents = RealmContents()
        for object in proposals.keys where epoch(of: object) % 2 == 1 {
            contents.objects[object] = PlainObject(object, in: self).contents
        }
        return contents
    }
}

/// An operation as it was sent, with what must be known of its author.
struct PlainOperation: Sendable {
    let operation: ChangeOperation
    let stamp: Stamp
    let number: Int
    let base: Int
    /// The epoch of the object that it belongs to.
    let epoch: Int
    /// The epoch that the author knew of what it links to.
    let targetEpoch: Int
}

/// What a creation or deletion proposed.
struct PlainProposal: Sendable {
    let number: Int
    let epoch: Int
    let stamp: Stamp
}

extension ChangeOperation {
    /// The object that the operation links to.
    ///
    /// Random work puts links into no creation and no new embedded object together with other links.
    var target: ObjectAddress? {
        switch action {
        case .set(_, let value), .listInsert(_, _, _, let value), .listSet(_, _, let value): value.target
        case .setInsert(_, let value), .mapSet(_, _, let value): value.target
        case .create(let given, _): given.values.compactMap(\.target).first
        case .embeddedNew(_, _, let cells): cells.values.compactMap(\.target).first
        default: nil
        }
    }
}
