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
    /// Told with every object that is read, so that each shows in one event only.
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
        defer { fileSystem.bury() }
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

        init(_ device: MortalDevice, _ fileSystem: FaultInjectingFileSystem, uploadsAtOnce: Bool) throws {
            self.device = device
            files = try device.openFiles(fileSystem)
            recorder = try Recorder(
                configuration: EventConfiguration(),
                encoder: FixedEncoder(),
                sink: uploadsAtOnce ? UploadingSink(files: files, device: device) : files,
                journals: ScopeJournalFiles(device.folder, fileSystem: fileSystem, ids: device.ids),
                clock: device.clock,
                timer: timer,
                ids: device.ids
            )
            events = Events(recorder: recorder, owner: nil)
            store = FakeStore(observer: recorder)
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
        session.rest()
        let short = session.events.beginScope(activity: "short")
        read(2, session)
        session.commit(short, shown("short", 2))
        let beside = session.events.beginScope(activity: "beside")
        read(3, session)
        session.rest()
        session.commit(beside, shown("beside", 3))
        try upload(session)
        read(4, session)
        session.commit(long, shown("long", 1, 2, 3, 4))
        try upload(session)
        let cancelled = session.events.beginScope(activity: "cancelled")
        read(5, session)
        session.rest()
        cancelled.cancel()
        if fileSystem.passes() { device.state.withLock { $0.cancelled.formUnion(shown("cancelled", 5)) } }
        let open = session.events.beginScope(activity: "open")
        read(6, session)
        session.rest()
        if fileSystem.passes() { device.state.withLock { $0.promised.formUnion(shown("open", 6)) } }
        // The process ends here without a word: what was captured is the next one's to store.
        fileSystem.bury()
        withExtendedLifetime(open) {}
    }

    private func read(_ object: Int64, _ session: Session) {
        session.store.read(Self.person, Int64(number) * 10 + object)
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
