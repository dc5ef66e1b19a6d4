import Dispatch
import EventModel
import EventModelTesting
import EventRecordingTesting
import Synchronization
import Testing

@testable import EventRecording

/// A random program that is run against a recorder and against the plain rules alike; a seed repeats it.
///
/// Three instances of the file see versions of their own. Classes `a` and `b` link to each other, `c` to itself; what a
/// property leads to follows from object, property and version, so that both sides know it.
struct RecordingProgram {
    private struct SinkFailure: Error {}

    private static let classes = [
        "a": SampleClass("a", linkingTo: "b"), "b": SampleClass("b", linkingTo: "a"), "c": SampleClass("c"),
    ]
    private static let targetClass = ["a": "b", "b": "a", "c": "c"]
    private static let slots = ["link": SampleClass.linkSlot, "list": SampleClass.listSlot, "map": SampleClass.mapSlot]
    /// Few objects, so that they meet again and again.
    private static let keyCount = 3

    let fixture: RecordingFixture
    /// The journals, in one of three programs.
    let journals: InMemoryScopeJournals?
    /// The next process, when the first one ended with active scopes.
    private(set) var nextProcess: RecordingFixture?
    private(set) var plain: PlainRecording
    /// What completions must be called with, in order.
    private(set) var expectedCompletions: [String] = []
    private let completions = Completions()

    private var generator: SeededGenerator
    private var scopes: [Int: Events.Scope] = [:]
    private var ended: [Int: Events.Scope] = [:]
    private var scopeCount = 0
    private var customCount = 0
    private var versions = [1, 1, 1]
    private var lastVersion = 1
    private let threads: [DispatchQueue]
    /// The instances, each with a ring of its own in most programs.
    private let instances: [FakeStore]
    private let timer = ManualTimer()
    /// Where the realm is in sync, in every second program.
    private let place: (@Sendable (UInt64) -> SyncReference)?

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        let recordsEmptyQueries = generator.once(in: 4)
        let metadata = generator.once(in: 2) ? ["user": "first"] : [:]
        threads = generator.once(in: 4) ? (0..<3).map { DispatchQueue(label: "thread \($0)") } : []
        journals = generator.once(in: 3) ? InMemoryScopeJournals() : nil
        place = generator.once(in: 2) ? Self.place : nil
        fixture = try RecordingFixture(
            EventConfiguration(metadata: metadata, recordsEmptyQueries: recordsEmptyQueries),
            journals: journals,
            timer: timer,
            place: place
        )
        let store = fixture.store
        let hasRings = !generator.once(in: 4)
        instances = (0..<3).map { _ in hasRings ? store.instance() : store }
        // What was left behind is recovered in the background; it must not come to see the journal of this process.
        fixture.recorder.waitUntilIdle()
        plain = PlainRecording(metadata: metadata, recordsEmptyQueries: recordsEmptyQueries)
    }

    /// Where a realm that syncs is at a version; until version 4 the server has not named it.
    private static func place(_ version: UInt64) -> SyncReference {
        let version = Int(version)
        let file = version < 4 ? nil : SyncReference.File(history: Array(repeating: 7, count: 16), number: 3)
        return SyncReference(file: file, position: version * 7, change: version * 2, changeCount: version % 3)
    }

    /// What must be stored, a line each.
    var expectedLines: [String] { plain.events.map { $0.line(place) } }

    /// The events that are stored by the process, and by the next one if it ended.
    var stored: [AuditEvent] { fixture.sink.events + (nextProcess?.sink.events ?? []) }

    /// Runs some steps, then ends what is active, or the process, and waits until everything is stored.
    mutating func run(steps: Int) throws {
        for _ in 0..<steps { onSomeThread { $0.step() } }
        if let journals, generator.once(in: 2) {
            try endProcess(journals)
            return
        }
        for number in scopes.keys.sorted() {
            fixture.clock.advance(microseconds: 1)
            commit(number)
        }
        fixture.recorder.waitUntilIdle()
    }

    /// What completions were called with, in order.
    var calledCompletions: [String] { completions.all }

    private mutating func onSomeThread(_ body: (inout RecordingProgram) -> Void) {
        guard !threads.isEmpty else { return body(&self) }
        threads[generator.below(threads.count)].sync { body(&self) }
    }

    // MARK: - Steps

    private var now: EventInstant { fixture.clock.now().wall }

    private mutating func step() {
        fixture.clock.advance(microseconds: Int64(1 + generator.below(3)))
        switch generator.below(100) {
        case 0..<26: read()
        case 26..<30: if journals != nil { letTimePass() } else { read() }
        case 30..<42: query()
        case 42..<64: follow()
        case 64..<72: write()
        case 72..<75: emptyTransaction()
        case 75..<84: begin()
        case 84..<90: if let number = scopes.keys.sorted().randomElement(using: &generator) { commit(number) }
        case 90..<92: cancel()
        case 92..<93: endAgain()
        case 93..<96: custom()
        case 96..<98: updateMetadata()
        case 98: reopen()
        case 99: letTimePass()
        default: versions[generator.below(3)] = lastVersion
        }
    }

    private mutating func someClass() -> String { ["a", "b", "c"][generator.below(3)] }

    private mutating func someObject(of instance: Int? = nil) -> PlainCapture.Name {
        let version = versions[instance ?? generator.below(3)]
        return PlainCapture.Name(someClass(), generator.below(Self.keyCount), version: version)
    }

    private func sample(_ name: String) -> SampleClass { Self.classes[name] ?? SampleClass(name) }

    private func capture(_ kind: PlainCapture.Kind, in plain: inout PlainRecording) {
        plain.capture(PlainCapture(kind, at: now))
    }

    private mutating func read() {
        let instance = generator.below(3)
        // A ring is open from the second read in turn on; now and then it is filled.
        let count = generator.once(in: 50) ? ReadRing.capacity + 10 : 1 + generator.below(4)
        for _ in 0..<count {
            let object = someObject(of: instance)
            capture(.read(object), in: &plain)
            instances[instance].read(sample(object.className), Int64(object.key), version: UInt64(object.version))
            fixture.clock.advance(microseconds: 1)
        }
    }

    private mutating func query() {
        let object = someObject()
        let keys = (0..<Self.keyCount).shuffled(using: &generator).prefix(generator.below(Self.keyCount + 1))
        capture(.query(className: object.className, keys: Array(keys), version: object.version), in: &plain)
        fixture.store.query(
            sample(object.className),
            keys.map { Int64($0) },
            version: UInt64(object.version)
        )
    }

    private mutating func follow() {
        let parent = someObject()
        let property = ["link", "list", "map"][generator.below(3)]
        let target = Self.targetClass[parent.className] ?? parent.className
        var keys = [(parent.key * 2 + parent.version) % Self.keyCount]
        if property != "link" { keys.append((parent.key + property.utf8.count) % Self.keyCount) }
        let all = keys.map { PlainCapture.Name(target, $0, version: parent.version) }
        let index = generator.below(all.count)
        capture(.follow(from: parent, property: property, to: all[index], all: all), in: &plain)
        fixture.store.follow(
            sample(parent.className),
            Int64(parent.key),
            slot: Self.slots[property] ?? 0,
            to: sample(target),
            keys.map { Int64($0) },
            at: index,
            version: UInt64(parent.version)
        )
    }

    private mutating func write() {
        let instance = generator.below(3)
        let (className, key) = (someClass(), generator.below(Self.keyCount))
        let before = lastVersion
        lastVersion += 1
        versions[instance] = lastVersion
        // One transaction in five has no net change.
        let isEmpty = generator.once(in: 5)
        if !isEmpty { capture(.write("\(className) m\(key)", version: lastVersion), in: &plain) }
        fixture.store.write(sample(className), modifying: isEmpty ? [] : [Int64(key)], version: UInt64(before))
    }

    private mutating func emptyTransaction() {
        versions[generator.below(3)] = lastVersion
        capture(.emptyWrite, in: &plain)
        let version = UInt64(lastVersion)
        fixture.store.commit(CommitChanges(versionBefore: version, versionAfter: version, classes: []))
    }

    // MARK: - Scopes

    private mutating func begin() {
        guard scopes.count < 4 else { return }
        scopeCount += 1
        plain.beginScope(scopeCount, activity: "scope \(scopeCount)")
        scopes[scopeCount] = fixture.events.beginScope(activity: "scope \(scopeCount)")
    }

    private mutating func commit(_ number: Int) {
        guard let scope = scopes.removeValue(forKey: number) else { return }
        let count = plain.commitScope(number, at: now) ?? 0
        // Failures are for this scope alone when nothing else waits; a first one is made good, a second one is not.
        let failures = count > 0 && generator.once(in: 8) ? 1 + generator.below(2) : 0
        if failures > 0 {
            fixture.recorder.waitUntilIdle()
            fixture.sink.failNextAppends(with: Array(repeating: SinkFailure(), count: failures))
        }
        if failures == 2 { plain.loseLast(count) }
        expectedCompletions.append("scope \(number): \(failures == 2 ? "SinkFailure" : "stored")")
        scope.commit(completion: completions.note("scope \(number)"))
        if failures > 0 { fixture.recorder.waitUntilIdle() }
        ended[number] = scope
    }

    private mutating func cancel() {
        guard let number = scopes.keys.sorted().randomElement(using: &generator) else { return }
        plain.cancelScope(number)
        // Dropping a scope cancels it, too.
        if generator.once(in: 2) {
            scopes[number] = nil
        } else if let scope = scopes.removeValue(forKey: number) {
            scope.cancel()
            ended[number] = scope
        }
    }

    private mutating func endAgain() {
        guard let number = ended.keys.sorted().randomElement(using: &generator), let scope = ended[number] else {
            return
        }
        scope.cancel()
        expectedCompletions.append("again \(number): RecordingError")
        scope.commit(completion: completions.note("again \(number)"))
    }

    // MARK: - Custom events and metadata

    private mutating func custom() {
        customCount += 1
        let eventType = generator.once(in: 2) ? "type" : nil
        let data = generator.once(in: 2) ? "data \(customCount)" : nil
        plain.recordEvent(activity: "custom \(customCount)", eventType: eventType, data: data, at: now)
        expectedCompletions.append("custom \(customCount): stored")
        fixture.events.recordEvent(
            activity: "custom \(customCount)",
            eventType: eventType,
            data: data,
            completion: completions.note("custom \(customCount)")
        )
    }

    private mutating func updateMetadata() {
        let keys = ["user", "ward", "é", "", "activity", String(repeating: "k", count: 64)]
        var metadata: [String: String] = [:]
        for _ in 0..<generator.below(3) { metadata[keys[generator.below(keys.count)]] = "\(generator.below(100))" }
        plain.updateMetadata(metadata)
        fixture.events.updateMetadata(metadata)
    }
}

extension RecordingProgram {
    /// Waits until everything is stored and every journal is quiet.
    func settle() {
        fixture.recorder.waitUntilIdle()
        fixture.recorder.journaling?.sync { _ in }
    }

    /// Lets the time pass after which captures are journalled.
    private func letTimePass() {
        fixture.clock.advance(microseconds: 100_000)
        timer.advance(nanoseconds: 100_000_000)
        settle()
    }

    /// Ends the process when all is journalled that active scopes captured, and begins the next one.
    private mutating func endProcess(_ journals: InMemoryScopeJournals) throws {
        settle()
        letTimePass()
        journals.endProcess()
        plain.endProcess()
        nextProcess = try RecordingFixture(clock: fixture.clock, journals: journals)
        nextProcess?.recorder.waitUntilIdle()
    }

    /// Opens the file once more, with the metadata of an earlier opening or with other metadata.
    private mutating func reopen() {
        let metadata = generator.once(in: 2) ? ["user": "first"] : ["ward": "\(generator.below(2))"]
        plain.reopen(with: metadata)
        do {
            try fixture.recorder.didReopen(with: EventConfiguration(metadata: metadata))
        } catch {
            Issue.record(error)
        }
    }
}

/// What completions were called with, in order.
private final class Completions: Sendable {
    private let called = Mutex<[String]>([])

    var all: [String] { called.withLock { $0 } }

    func note(_ name: String) -> @Sendable ((any Error)?) -> Void {
        { error in
            let outcome = error.map { "\(type(of: $0))" } ?? "stored"
            self.called.withLock { $0.append("\(name): \(outcome)") }
        }
    }
}
