import Daybook
import EventModelTesting
import EventRecordingTesting
import Testing

/// A random program on a real realm with real event files, run against the plain rules alike; a seed repeats it.
///
/// Three instances of the realm, two of them on queues of their own, see versions of their own. Files roll over.
struct StoreProgram {
    /// The ids that targets can have; few, so that they meet again and again.
    static let targetIDs = 1...5
    static let holderIDs = 1...2

    let recorded: RecordedRealm
    let clock: ManualClock
    private let others: [OtherInstance]
    /// The holders of each instance, obtained before anything is recorded.
    private var holders: [[Holder]] = []

    var plain = PlainRecording()
    /// What the realm held at each version.
    var worlds: [Int: PlainContents] = [:]
    var versions = [1, 1, 1]
    var lastVersion = 1
    var generator: SeededGenerator

    private var scopes: [Int: Events.Scope] = [:]
    private var scopeCount = 0

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        clock = ManualClock(start: EventInstant(microseconds: 0))
        recorded = try RecordedRealm(
            recording: InjectedRecording(clock: clock, limits: PartitionLimits(partitionBytes: 4096))
        )
        var world = PlainContents()
        try recorded.realm.write { [realm = recorded.realm] in
            for id in Self.targetIDs.dropLast() {
                realm.add(Target(id))
                world.addTarget(id, value: id * 10)
            }
            for id in Self.holderIDs {
                realm.create(Holder.self, value: ["_id": id])
                world.holders[id] = PlainContents.PlainHolder()
            }
        }
        worlds[1] = world
        recorded.realm.autorefresh = false
        others = try (0..<2).map { [realm = recorded.realm] _ in try OtherInstance(of: realm) }
        for instance in 0..<3 {
            holders.append(on(instance) { Array($0.objects(Holder.self).sorted(byKeyPath: "_id")) })
        }
    }

    /// Runs some steps, then ends what is active and waits until everything is stored.
    mutating func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        for number in scopes.keys.sorted() { commit(number) }
        recorded.recorder.waitUntilIdle()
    }

    // MARK: - Instances

    /// Does something with one of the three instances, on its thread.
    func on<Result>(_ instance: Int, _ body: (Realm) throws -> Result) rethrows -> Result {
        instance == 0 ? try body(recorded.realm) : try others[instance - 1].run(body)
    }

    /// A holder as one instance has it.
    func holder(_ id: Int, in instance: Int) -> Holder { holders[instance][id - 1] }

    /// What an instance sees.
    func world(of instance: Int) -> PlainContents { worlds[versions[instance]] ?? PlainContents() }

    mutating func capture(_ kind: PlainCapture.Kind) {
        plain.capture(PlainCapture(kind, at: clock.now().wall))
    }

    func name(_ className: String, _ id: Int, in instance: Int) -> PlainCapture.Name {
        PlainCapture.Name(className, id, version: versions[instance])
    }

    // MARK: - Steps

    private mutating func step() throws {
        clock.advance(microseconds: Int64(1 + generator.below(3)))
        let instance = generator.below(3)
        switch generator.below(100) {
        case 0..<18: readOne(instance)
        case 18..<28: query(instance)
        case 28..<33: readAll(instance)
        case 33..<55: follow(instance)
        case 55..<70: try transact(instance)
        case 70..<80: begin(instance)
        case 80..<87: if let number = scopes.keys.sorted().randomElement(using: &generator) { commit(number) }
        case 87..<89: cancel()
        case 89..<92: custom(instance)
        case 92..<94: updateMetadata()
        default:
            on(instance) { realm in
                realm.refresh()
                _ = realm.objects(Target.self).count
            }
            versions[instance] = lastVersion
        }
    }

    // MARK: - Scopes, custom events, metadata

    private mutating func begin(_ instance: Int) {
        guard scopes.count < 3 else { return }
        scopeCount += 1
        let activity = "scope \(scopeCount)"
        plain.beginScope(scopeCount, activity: activity)
        scopes[scopeCount] = on(instance) { $0.events?.beginScope(activity: activity) }
    }

    private mutating func commit(_ number: Int) {
        guard let scope = scopes.removeValue(forKey: number) else { return }
        plain.commitScope(number, at: clock.now().wall)
        scope.commit { error in
            if let error { Issue.record(error) }
        }
    }

    private mutating func cancel() {
        guard let number = scopes.keys.sorted().randomElement(using: &generator) else { return }
        plain.cancelScope(number)
        scopes.removeValue(forKey: number)?.cancel()
    }

    private mutating func custom(_ instance: Int) {
        let data = generator.once(in: 2) ? "data \(generator.below(1000))" : nil
        plain.recordEvent(activity: "custom", eventType: "type", data: data, at: clock.now().wall)
        on(instance) { $0.events?.recordEvent(activity: "custom", eventType: "type", data: data) }
    }

    private mutating func updateMetadata() {
        let metadata = generator.once(in: 3) ? [:] : ["user": "\(generator.below(5))", "ward": "é"]
        plain.updateMetadata(metadata)
        recorded.events.updateMetadata(metadata)
    }
}
