import ChangeModel
import EventModel

/// A scenario in one order of upload.
struct ScenarioRun {
    let order: [Int]
    private(set) var state: InMemoryRealmState
    private(set) var plain: PlainRealm
    private(set) var replica: RealmContents
    private(set) var entries: [Entry] = []

    init(_ order: [Int], of scenario: Scenario) {
        self.order = order
        state = scenario.base
        plain = scenario.plain
        replica = RealmContents(scenario.base)
        var numbers: [Int: Int] = [:]
        for index in order {
            let commit = scenario.commits[index]
            let base = commit.after.flatMap { numbers[$0] } ?? scenario.base.head
            let change = Change(
                number: state.progress(of: commit.file).acknowledged + 1,
                base: base,
                clock: HybridClock(milliseconds: commit.milliseconds),
                operations: commit.operations
            )
            guard let entry = state.take(change, of: commit.file, rules: .all) else {
                preconditionFailure("Commit \(index) of a scenario cannot be made at position \(base).")
            }
            plain.take(change, of: commit.file, milliseconds: .sampleMilliseconds)
            replica.apply(entry)
            numbers[index] = entry.number
            entries.append(entry)
        }
    }

    var contents: RealmContents { RealmContents(state) }

    /// What a device has that begins with the state of the server.
    var fresh: RealmContents {
        var fresh = RealmContents()
        for literal in state.objects.flatMap({ state.snapshot(of: $0) }) { fresh.apply(literal) }
        return fresh
    }
}
