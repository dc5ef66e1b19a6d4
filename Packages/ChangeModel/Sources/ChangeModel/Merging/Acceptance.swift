/// One change on its way through the rules: what came out so far.
struct Acceptance {
    let change: Change
    let file: UInt32
    /// The number in the server's order that the change gets.
    let number: Int
    /// The time under which it is taken.
    let clock: HybridClock
    let rules: RuleSet
    /// What became of the operations so far.
    var results: [OperationResult] = []
    /// What changed so far.
    var literals: [ChangeOperation] = []

    init(change: Change, file: UInt32, number: Int, clock: HybridClock, rules: RuleSet) {
        self.change = change
        self.file = file
        self.number = number
        self.clock = clock
        self.rules = rules
    }

    /// The stamp of an operation.
    func stamp(_ index: Int) -> Stamp { Stamp(clock, file: file, index: UInt32(clamping: index)) }

    /// Does all operations, or refuses all of an atomic change of which one is refused.
    mutating func run(
        in state: inout some RealmState,
        refusing: (Int, ChangeOperation) -> OperationRefusal?
    ) {
        let refused = change.operations.enumerated()
            .map { index, operation in
                operation.isWellFormed ? refusing(index, operation) : .schema
            }
        if change.isAtomic, let reasons = refusalsOfAll(in: state, refused) {
            results = reasons.map { .refused($0) }
            return
        }
        for (index, operation) in change.operations.enumerated() {
            if let reason = refused[index] {
                results.append(.refused(reason))
            } else {
                results.append(perform(operation, stamp(index), in: &state))
            }
        }
    }

    private mutating func perform(
        _ operation: ChangeOperation,
        _ stamp: Stamp,
        in state: inout some RealmState
    ) -> OperationResult {
        // It is in no realm, so that there is nothing to compare it with.
        guard operation.posted == nil else { return .asSent }
        var existence = state.existence(of: operation.object)
        let verdict = propose(operation.action, stamp, &existence)
        switch (operation.action, verdict) {
        case (_, .refused(let reason)):
            state.setExistence(existence, of: operation.object)
            return .refused(reason)
        case (.create(let given, let defaults), _):
            state.setExistence(existence, of: operation.object)
            return create(operation.object, given, defaults, stamp, isNew: verdict == .changes, in: &state)
        case (.delete, _):
            return delete(operation.object, existence, isDeath: verdict == .changes, in: &state)
        default:
            return edit(operation, stamp, in: &state) ? .asSent : .superseded
        }
    }

    private mutating func edit(
        _ operation: ChangeOperation,
        _ stamp: Stamp,
        in state: inout some RealmState
    ) -> Bool {
        let object = operation.object
        switch operation.action {
        case .create, .delete, .post: return false
        case .set(let path, let value): return assign(value, to: CellAddress(object, path), stamp, in: &state)
        case .add(let path, let number): return add(number, to: CellAddress(object, path), stamp, in: &state)
        case .listInsert(let list, let id, let right, let value):
            return insert(id, before: right, value, into: CellAddress(object, list), stamp, in: &state)
        case .listRemove(let list, let id): return remove(id, from: CellAddress(object, list), in: &state)
        case .listSet(let list, let id, let value):
            return assign(value, to: CellAddress(object, list.appending(.element(id))), stamp, in: &state)
        case .listMove(let list, let id, let right):
            return move(id, before: right, in: CellAddress(object, list), stamp, of: &state)
        case .clear(let path): return clear(CellAddress(object, path), stamp, in: &state)
        case .setInsert(let set, let member):
            return assign(member, to: CellAddress(object, set.appending(.member(member))), stamp, in: &state)
        case .setRemove(let set, let member):
            return assign(nil, to: CellAddress(object, set.appending(.member(member))), stamp, in: &state)
        case .mapSet(let map, let key, let value):
            return assign(value, to: CellAddress(object, map.appending(.key(key))), stamp, in: &state)
        case .mapRemove(let map, let key):
            return assign(nil, to: CellAddress(object, map.appending(.key(key))), stamp, in: &state)
        case .embeddedNew(let path, let id, let cells):
            return embed(id, cells, at: CellAddress(object, path), stamp, in: &state)
        case .collectionNew(let path, let life):
            return assign(.life(life), to: CellAddress(object, path), stamp, in: &state)
        }
    }

    /// Adds what changed for everybody.
    mutating func tell(_ object: ObjectAddress, _ action: ChangeOperation.Action) {
        literals.append(ChangeOperation(object, action))
    }
}
