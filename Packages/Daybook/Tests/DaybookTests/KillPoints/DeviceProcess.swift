import Daybook
import EventModelTesting
import EventPartitionsTesting
import EventRecordingTesting
import Synchronization

/// One process of a device: what a nurse does with an app until it is killed.
final class DeviceProcess {
    private static let person = SampleClass("Person")

    private let device: MortalDevice
    private let fileSystem: FaultInjectingFileSystem
    /// Reported with every object that is read, so that each shows in one event only.
    private let number: Int

    /// Whether all that is stored is on the server before the recorder knows that it is stored.
    private let uploadsAtOnce: Bool

    /// Starts a process that dies in front of a call, or lives as long as its program.
    init(_ device: MortalDevice, number: Int, dyingAt call: Int?, uploadsAtOnce: Bool = false) {
        self.device = device
        self.number = number
        self.uploadsAtOnce = uploadsAtOnce
        fileSystem = FaultInjectingFileSystem(device.disk, passesSyncs: true)
        if let call { fileSystem.die(atCall: call) }
    }

    /// Runs until the end of the program; after the death of the process nothing that it does has an effect.
    ///
    /// - Returns: How many calls it made.
    func run() -> Int {
        defer {
            fileSystem.bury()
            device.notes.endProcess()
        }
        do {
            try work()
        } catch {
            // A process that cannot open its files any more is dead.
        }
        return fileSystem.callCount
    }

    /// Opens the app, which stores what dead processes have left, and closes it.
    func recover() throws {
        let session = try Session(device, fileSystem, uploadsAtOnce: uploadsAtOnce)
        // The next transaction of anybody removes what nobody needs any more.
        device.notes.commit(nil)
        try session.files.close()
    }

    /// Opens another realm of the same account, which must leave alone what only the first one can recover.
    func openAnotherRealm() throws {
        let session = try Session(device, fileSystem, uploadsAtOnce: uploadsAtOnce, realm: "/data/other.realm")
        try session.files.close()
    }

    /// What one opening of the app has.
    private struct Session {
        let device: MortalDevice
        let files: PartitionedEventFiles
        let recorder: Recorder
        let events: Events
        let store: FakeStore
        let timer = ManualTimer()

        init(
            _ device: MortalDevice,
            _ fileSystem: FaultInjectingFileSystem,
            uploadsAtOnce: Bool,
            realm: String? = nil
        ) throws {
            let notes = realm == nil ? device.notes : InMemoryCommitNotes()
            self.device = device
            files = try device.openFiles(fileSystem)
            recorder = try Recorder(
                configuration: EventConfiguration(),
                encoder: FixedEncoder(),
                sink: uploadsAtOnce ? UploadingSink(files: files, device: device) : files,
                journals: ScopeJournalFiles(device.folder, fileSystem: fileSystem, ids: device.ids),
                realm: RealmIdentity(path: realm ?? device.realm, isInMemory: false),
                notes: notes,
                clock: device.clock,
                timer: timer,
                ids: device.ids
            )
            events = Events(recorder: recorder, owner: nil)
            store = FakeStore(observer: recorder, notes: notes) { fileSystem.passes() }
            recorder.waitUntilIdle()
        }

        /// Lets so much time pass that what was captured is journalled.
        func rest() {
            device.clock.advance(microseconds: 100_000)
            timer.advance(nanoseconds: 100_000_000)
            recorder.waitUntilIdle()
        }

        /// Commits a scope that showed these things, and waits.
        func commit(_ scope: Events.Scope, _ shown: [String]) {
            scope.commit { [device] error in
                guard error == nil else { return }
                device.state.withLock { $0.promised.formUnion(shown) }
            }
            recorder.waitUntilIdle()
        }
    }

    private func work() throws {
        let session = try Session(device, fileSystem, uploadsAtOnce: uploadsAtOnce)
        let long = session.events.beginScope(activity: "long")
        read(1, session)
        write(10, session, in: "long")
        session.rest()
        let short = session.events.beginScope(activity: "short")
        read(2, session)
        write(11, session, in: "long", "short")
        session.commit(short, shown("short", 2))
        write(12, session, in: "long")
        let beside = session.events.beginScope(activity: "beside")
        read(3, session)
        session.rest()
        session.commit(beside, shown("beside", 3))
        try upload(session)
        read(4, session)
        write(13, session, in: "long")
        session.commit(long, shown("long", 1, 2, 3, 4))
        try upload(session)
        let cancelled = session.events.beginScope(activity: "cancelled")
        read(5, session)
        session.rest()
        write(14, session, in: "cancelled")
        let dropped = shown("cancelled", 5) + written("cancelled", 14)
        // Once it is called, what was written in the scope may be an event or not until it returns.
        if fileSystem.passes() { device.state.withLock { $0.written.subtract(dropped) } }
        cancelled.cancel()
        if fileSystem.passes() { device.state.withLock { $0.cancelled.formUnion(dropped) } }
        let open = session.events.beginScope(activity: "open")
        read(6, session)
        write(15, session, in: "open")
        session.rest()
        write(16, session, in: "open")
        if fileSystem.passes() { device.state.withLock { $0.promised.formUnion(shown("open", 6)) } }
        // The process ends here without a word: what was captured is the next one's to store.
        fileSystem.bury()
        withExtendedLifetime(open) {}
    }

    private func read(_ object: Int64, _ session: Session) {
        session.store.read(Self.person, Int64(number) * 10 + object)
    }

    /// Writes an object; if that is durable, each of the scopes must have it.
    private func write(_ object: Int64, _ session: Session, in activities: String...) {
        guard session.store.write(Self.person, modifying: [Int64(number) * 100 + object]) else { return }
        device.state.withLock { state in
            for activity in activities { state.written.formUnion(written(activity, Int(object))) }
        }
    }

    private func written(_ activity: String, _ objects: Int...) -> [String] {
        objects.map { "\(activity) Person m\(number * 100 + $0)" }
    }

    private func shown(_ activity: String, _ objects: Int...) -> [String] {
        objects.map { "\(activity) Person:\(number * 10 + $0)" }
    }

    private func upload(_ session: Session) throws {
        try session.files.seal()
        try device.upload(from: session.files)
    }
}

/// Files whose upload is as fast as it can be: a partition is on the server and deleted when its append returns.
private struct UploadingSink: EventSink {
    let files: PartitionedEventFiles
    let device: MortalDevice

    func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        let receipt = try files.append(events)
        do {
            try files.seal()
            try device.upload(from: files)
        } catch {
            // The events are durable; the upload tries again later.
        }
        return receipt
    }

    func note(_ losses: [LossEntry]) { files.note(losses) }

    func enterLosses() { files.enterLosses() }

    func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> { try files.storedEvents(among: ids) }

    func noteDeletions() -> DeletionNoting { files.noteDeletions() }
}
