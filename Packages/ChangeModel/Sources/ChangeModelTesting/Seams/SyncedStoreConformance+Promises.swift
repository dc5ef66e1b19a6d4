import ChangeModel
import EventModel

extension SyncedStoreConformance {
    private static let binding = FileBinding(history: .sample(1), file: 1, salt: [1, 2, 3])

    func binding(_ subject: Subject) throws -> String? {
        guard try subject.store.syncState().binding == nil else { return "A new file has one." }
        try subject.store.bind(Self.binding)
        try subject.store.bind(Self.binding)
        guard try subject.store.syncState().binding == Self.binding else { return "It is not kept." }
        let others = [
            (FileBinding(history: .sample(2), file: 1, salt: [1, 2, 3]), SyncFailure.historyChanged),
            (FileBinding(history: .sample(1), file: 2, salt: [1, 2, 3]), .fileInUse),
            (FileBinding(history: .sample(1), file: 1, salt: [9]), .fileInUse),
        ]
        for (other, failure) in others where !throwsError(.failed(failure), { try subject.store.bind(other) }) {
            return "Another one was not refused with \(failure)."
        }
        return try subject.store.syncState().binding == Self.binding ? nil : "Another one was kept."
    }

    func pendingInOrder(_ subject: Subject) throws -> String? {
        for age in 1...3 { try subject.commit([age == 1 ? person.create() : person.set("age", .int(Int64(age)))]) }
        let all = try subject.store.pendingChanges(after: 0, limit: .max)
        guard all.map(\.number) == [1, 2, 3] else { return "All are \(all.map(\.number))." }
        guard try subject.store.pendingChanges(after: 0, limit: 0) == [all[0]] else { return "One is too large." }
        let two = all[1].body.count + all[2].body.count
        guard try subject.store.pendingChanges(after: 1, limit: two) == Array(all[1...]) else {
            return "Two do not fit."
        }
        guard try subject.store.pendingChanges(after: 1, limit: two - 1) == [all[1]] else { return "Too many fit." }
        let state = try subject.store.syncState()
        guard state.nextNumber == 4, state.pendingChanges == 3 else { return "The state counts \(state)." }
        return state.pendingBytes == two + all[0].body.count ? nil : "The state has \(state.pendingBytes) bytes."
    }

    func corrected(_ subject: Subject) throws -> String? {
        for age in 1...3 { try subject.commit([age == 1 ? person.create() : person.set("age", .int(Int64(age)))]) }
        try subject.store.noteSent(through: 1)
        let before = try subject.store.pendingChanges(after: 0, limit: .max)
        let reading = before[2].reading
        let milliseconds = reading.wall.microseconds / 1000 + 86_400_000
        let correction = StampCorrection(serverMilliseconds: milliseconds, asked: reading, answered: reading)
        try subject.store.correctClocks(correction)
        let after = try subject.store.pendingChanges(after: 0, limit: .max)
        guard after[0] == before[0] else { return "The sent one has other bytes." }
        let clocks = try after.map { try Change.clock(in: $0.body) }
        guard clocks[1].milliseconds >= milliseconds - 60_000 else { return "The others have their old times." }
        guard clocks[0] < clocks[1], clocks[1] < clocks[2] else { return "The times are not in order." }
        try subject.commit([person.set("age", 9)])
        let next = try subject.store.pendingChanges(after: 3, limit: .max).map { try Change.clock(in: $0.body) }
        return next.allSatisfy { $0 > clocks[2] } && next.count == 1 ? nil : "The next commit is not later."
    }

    func acknowledged(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.commit([person.create(["age": 1])])
        try subject.store.acknowledge(through: 1, chain: Digest.mixing([1]))
        try subject.store.acknowledge(through: 0, chain: .sample)
        let state = try subject.store.syncState()
        guard state.acknowledged == 1, state.chain == Digest.mixing([1]) else { return "It is not noted." }
        guard state.pendingChanges == 1 else { return "The change is gone." }
        guard throwsError(.gap(expected: 2, found: 2), { try subject.store.acknowledge(through: 2, chain: .sample) })
        else { return "A number that no commit has was taken." }
        _ = try subject.store.integrate([own(1, 1, [person.create(["age": 1])])])
        guard try subject.store.syncState().pendingChanges == 0 else { return "The change stays behind its entry." }
        return try subject.value(person, "age") == 1 ? nil : "The value is lost."
    }

    func inOrder(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        let first = foreign(1, [person.create(["age": 1])])
        let third = foreign(3, [person.set("age", 3)])
        guard throwsError(.gap(expected: 2, found: 3), { _ = try subject.store.integrate([first, third]) }) else {
            return "A gap was taken."
        }
        guard try subject.store.syncState().position == 0, try subject.value(person, "age") == nil else {
            return "Something of a refused stretch was done."
        }
        let integrated = try subject.store.integrate([first, foreign(2, [person.set("age", 2)])])
        guard integrated.position == 2, try subject.store.syncState().position == 2 else {
            return "The position is wrong."
        }
        guard throwsError(.gap(expected: 3, found: 1), { _ = try subject.store.integrate([first]) }) else {
            return "An entry was taken twice."
        }
        return try subject.value(person, "age") == 2 ? nil : "The value is not that of the last entry."
    }

    func unacknowledged(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.commit([person.create()])
        let entry = own(1, 1, [person.create()])
        return throwsError(.gap(expected: 0, found: 1)) { _ = try subject.store.integrate([entry]) }
            ? nil : "It was taken."
    }

    func rejected(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        _ = try subject.store.integrate([foreign(1, [person.create(["age": 1, "name": "a"])])])
        try subject.commit([person.set("age", 5), person.set("name", "b")])
        try subject.store.acknowledge(through: 1, chain: .sample)
        let pending = try subject.store.pendingChanges(after: 0, limit: .max)
        let change = try Change(number: 1, body: pending.first?.body ?? [])
        guard let index = change.operations.firstIndex(of: person.set("age", 5)) else { return "The change lacks it." }
        var results = [OperationResult](repeating: .asSent, count: change.operations.count)
        results[index] = .refused(.field(rule: 3))
        let entry = own(2, 1, [person.set("name", "b")], results: results, corrections: [person.set("age", 1)])
        let integrated = try subject.store.integrate([entry])
        let expected = Integrated.RejectedWrite(change: 1, index: index, object: person, reason: .field(rule: 3))
        guard integrated.rejected == [expected] else { return "Told is \(integrated.rejected)." }
        guard try subject.value(person, "age") == 1 else { return "It is not undone." }
        return try subject.value(person, "name") == "b" ? nil : "Another write is undone."
    }

    func pendingStays(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        _ = try subject.store.integrate([foreign(1, [person.create(["age": 1, "name": "a"])])])
        try subject.commit([person.set("age", 5)])
        _ = try subject.store.integrate([foreign(2, [person.set("age", 2), person.set("name", "b")])])
        guard try subject.value(person, "name") == "b" else { return "What is not pending was passed over." }
        return try subject.value(person, "age") == 5 ? nil : "The older one is shown."
    }

    func snapshot(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.commit([other.create(["age": 7])])
        guard throwsError(.noSnapshot, { try subject.store.integrate(page([], next: nil)) }) else {
            return "A page was taken that no snapshot waits for."
        }
        try subject.store.beginBootstrap(history: .sample(1), head: 4)
        let cursor = SnapshotCursor(bytes: [1])
        try subject.store.integrate(page([(person, 2, ["age": 1])], next: cursor))
        guard try subject.store.syncState().bootstrap?.cursor == cursor else { return "The cursor is not kept." }
        guard throwsError(.noSnapshot, { try subject.store.endBootstrap() }) else {
            return "It ended without its pages."
        }
        try subject.store.integrate(page([], next: nil))
        try subject.store.endBootstrap()
        let state = try subject.store.syncState()
        guard state.position == 4, state.bootstrap == nil else { return "The state is \(state)." }
        guard try subject.value(person, "age") == 1 else { return "An object is missing." }
        guard try subject.value(other, "age") == 7 else { return "What was pending is gone." }
        return state.pendingChanges == 1 ? nil : "There are \(state.pendingChanges) pending changes."
    }

    func takenAway(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        _ = try subject.store.integrate([foreign(1, [person.create(["age": 1]), other.create(["age": 2])])])
        try subject.store.beginBootstrap(history: .sample(1), head: 4)
        try subject.store.integrate(page([(person, 4, ["age": 3])], next: nil))
        try subject.store.endBootstrap()
        guard try subject.value(person, "age") == 3 else { return "What the realm has is not as it is there." }
        return try subject.value(other, "age") == nil ? nil : "It is still there."
    }

    func inSnapshot(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.commit([other.create(["age": 7])])
        try subject.commit([other.set("age", 8)])
        try subject.store.noteSent(through: 1)
        try subject.store.acknowledge(through: 1, chain: .sample)
        try subject.store.beginBootstrap(history: .sample(1), head: 4)
        try subject.store.integrate(page([(other, 4, ["age": 7, "name": "theirs"])], next: nil))
        guard try subject.store.syncState().pendingChanges == 2 else { return "It is gone before the snapshot ended." }
        try subject.store.endBootstrap()
        guard try subject.store.pendingChanges(after: 0, limit: .max).map(\.number) == [2] else {
            return "It is pending for ever."
        }
        guard try subject.value(other, "age") == 8 else { return "What was pending after it is gone." }
        return try subject.value(other, "name") == "theirs" ? nil : "What the snapshot had of its object is not shown."
    }

    func madeAnew(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.commit([person.create(["age": 1])])
        try subject.commit([person.set("name", "former")])
        try subject.commit([person.delete()])
        try subject.commit([person.create(["age": 2])])
        try subject.store.beginBootstrap(history: .sample(1), head: 4)
        try subject.store.integrate(page([(person, 4, ["age": 7, "name": "theirs"])], next: nil))
        try subject.store.endBootstrap()
        guard try subject.value(person, "age") == 2 else { return "The new one is gone." }
        let name = try subject.value(person, "name") ?? .null
        return name == .null ? nil : "It has what was written to the former one."
    }

    func newerObject(_ subject: Subject) throws -> String? {
        try subject.store.bind(Self.binding)
        try subject.store.beginBootstrap(history: .sample(1), head: 4)
        try subject.store.integrate(page([(person, 6, ["age": 6])], next: nil))
        try subject.store.endBootstrap()
        _ = try subject.store.integrate([foreign(5, [person.set("age", 5)])])
        guard try subject.value(person, "age") == 6 else { return "An older entry was written." }
        _ = try subject.store.integrate([foreign(6, [person.set("age", 6)])])
        _ = try subject.store.integrate([foreign(7, [person.set("age", 7)])])
        return try subject.value(person, "age") == 7 ? nil : "A newer entry was passed over."
    }
}

// MARK: - Words

extension SyncedStoreConformance {
    private func throwsError(_ error: ChangeModelError, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch let thrown {
            return thrown as? ChangeModelError == error
        }
    }

    private func page(
        _ objects: [(object: ObjectAddress, changed: Int, cells: ChangeOperation.Cells)],
        next: SnapshotCursor?
    ) -> SnapshotPage {
        let objects = objects.map { item in
            SnapshotObject(item.object, changed: item.changed, actions: [.create(given: item.cells, defaults: [:])])
        }
        return SnapshotPage(head: 4, objects: objects, next: next)
    }

    /// An entry of another file that is older than every commit.
    private func foreign(_ number: Int, _ literals: [ChangeOperation]) -> Entry {
        entry(number, ChangeReference(file: 2, number: number), literals)
    }

    /// An entry of a change of the file itself.
    private func own(
        _ number: Int,
        _ change: Int,
        _ literals: [ChangeOperation],
        results: [OperationResult] = [.asSent],
        corrections: [ChangeOperation] = []
    ) -> Entry {
        entry(number, ChangeReference(file: 1, number: change), literals, results: results, corrections: corrections)
    }

    private func entry(
        _ number: Int,
        _ change: ChangeReference,
        _ literals: [ChangeOperation],
        results: [OperationResult] = [],
        corrections: [ChangeOperation] = []
    ) -> Entry {
        Entry(
            number: number,
            change: change,
            user: 1,
            clock: HybridClock(milliseconds: Int64(number)),
            received: .sample,
            results: results,
            literals: literals,
            corrections: corrections,
            digest: .sample
        )
    }
}
