import AuditServerTesting
import Daybook
import EventModelTesting
import TracedRealms

/// One device: the real account, realm file and session over a network that fails.
///
/// Its program is started again and again; a new one knows what is in the files of the one before, and nothing else.
actor SyncingDevice {
    /// What a device has when it has sent and got everything.
    struct Contents: Sendable, Equatable {
        let traces: SettledRealm
        let charts: [String]

        /// What differs from another device's, as a part of a sentence; nil when nothing does.
        func difference(from other: Contents) -> String? {
            if traces != other.traces {
                return traces.position == other.traces.position
                    ? "its traces differ" : "it is at position \(traces.position), not \(other.traces.position)"
            }
            let own = Set(charts).subtracting(other.charts).sorted().prefix(1)
            let others = Set(other.charts).subtracting(charts).sorted().prefix(1)
            return charts == other.charts ? nil : "\(own), not \(others)"
        }
    }

    /// What the devices of a simulation have in common.
    struct World: Sendable {
        let options: RealmLoadOptions
        let server: ServerProcess
        let folder: String
        let counts: LoadCounts
        let room: ForegroundRoom
        let figures: ProcessFigures
    }

    nonisolated let number: Int
    private let partitionValue: String
    private let world: World
    private let client: LoopbackClient
    private let link: DeviceLink
    private var random: SeededGenerator
    private var realm: Realm?
    private var session: SyncSession?
    private var isAway = false
    /// How many transactions were begun, and those whose commit returned.
    private var transactions = 0
    private var promised: Set<String> = []

    /// Makes a device, which has not signed in.
    init(number: Int, partitionValue: String, in world: World) {
        self.number = number
        self.partitionValue = partitionValue
        self.world = world
        let seed = world.options.seed &+ UInt64(number) &* 2
        random = SeededGenerator(seed: seed &+ 1)
        client = LoopbackClient(port: world.server.port)
        link = DeviceLink(
            .realms,
            client: client,
            counts: world.counts,
            seed: seed,
            pauseMilliseconds: world.options.restMilliseconds == 0 ? 0 : 10
        )
    }

    /// Signs a new user in.
    ///
    /// - Throws: What the log-in throws.
    func signIn() async throws { _ = try await app().login(credentials: .anonymous) }

    /// The transactions whose commit returned.
    var committed: Set<String> { promised }

    /// Starts programs, each of which works for some steps, until the time is over or the steps are.
    ///
    /// - Throws: What opening a realm throws, a commit that fails, and a session that ends by itself.
    func work(until end: ContinuousClock.Instant) async throws {
        let options = world.options
        var step = 0
        while step < options.steps, ContinuousClock.now < end {
            await world.room.enter()
            defer { world.room.leave() }
            try await start()
            for _ in 0..<(1 + random.below(12)) where step < options.steps && ContinuousClock.now < end {
                step += 1
                try await takeStep()
                if options.restMilliseconds > 0 {
                    try await Task.sleep(for: .milliseconds(random.below(options.restMilliseconds)))
                }
            }
            try await quit()
        }
    }

    private func takeStep() async throws {
        switch random.below(12) {
        case 0:
            world.counts.did(.away)
            isAway = true
            session?.suspend()
        case 1, 2:
            isAway = false
            session?.resume()
        case 3 where !isAway: try await session?.wait(for: .upload)
        case 4 where !isAway:
            try await session?.wait(for: .download)
            realm?.refresh()
        default: try write()
        }
    }

    private func write() throws {
        guard let realm else { return }
        transactions += 1
        let key = "\(number).\(transactions)"
        let count = random.below(4)
        let place = random.below(8)
        // How much is drawn for a change depends on what others did, and the steps of this device shall not.
        var drawn = SeededGenerator(seed: random.next())
        try realm.write {
            for _ in 0..<count { ChartWork.change(realm, &drawn) }
            RealmTraces.leave(key, at: place, in: realm)
        }
        promised.insert(key)
        world.counts.didRecord(1)
    }
}

// MARK: - Programs

extension SyncingDevice {
    private func app() -> App {
        App(
            id: "load",
            configuration: AppConfiguration(
                baseURL: world.server.url,
                rootDirectory: "\(world.folder)/device-\(number)",
                client: link,
                syncsRealms: true
            )
        )
    }

    /// Starts the program: opens the realm, which syncs then.
    private func start(_ behavior: OpenBehavior = .never) async throws {
        guard let user = app().currentUser else { throw LoadError.signedOut }
        let (counts, number) = (world.counts, number)
        user.syncManager.errorHandler = { error, _ in
            if let error = error as? SyncError, error.code == .writeRejected {
                counts.didUndo(error.compensatingWriteInfo?.count ?? 0)
            } else {
                counts.report("device \(number) was told: \(error)")
            }
        }
        var configuration = user.configuration(partitionValue: partitionValue)
        configuration.objectTypes = RealmTraces.classes + ChartWork.classes
        let realm = try await Realm(configuration: configuration, actor: self, downloadBeforeOpen: behavior)
        self.realm = realm
        session = realm.syncSession
        isAway = false
        link.onReturn { [weak session] in session?.reconnect() }
        world.figures.didOpen()
    }

    /// Ends the program: with what is pending, or when the session has sent it.
    private func quit() async throws {
        world.counts.did(.restart)
        let session = session
        if isAway || random.once(in: 2) { session?.suspend() }
        (realm, self.session) = (nil, nil)
        // A session that is suspended is closed with its last realm; another one when everything is sent, and the next
        // program may come first.
        guard session?.state == .inactive else { return }
        await session?.closed()
        await client.close()
    }
}

// MARK: - In the end

extension SyncingDevice {
    /// Starts the last program, over a network without faults, and sends what is left.
    ///
    /// - Throws: What opening a realm throws, and a session that ends.
    func sendRest() async throws {
        link.repair()
        try await start()
        session?.reconnect()
        try await session?.wait(for: .upload)
    }

    /// Begins as a new device, which has all that the server has.
    ///
    /// - Throws: What the log-in and the opening of a realm throw.
    func begin() async throws {
        link.repair()
        try await signIn()
        try await start(.always)
    }

    /// Gets what is left, and ends the program.
    ///
    /// - Returns: What the realm holds.
    /// - Throws: What the session says that ended.
    func settle() async throws -> Contents {
        guard let realm else { throw LoadError.signedOut }
        try await session?.wait(for: .download)
        realm.refresh()
        let contents = Contents(
            traces: SettledRealm(realm),
            charts: realm.objects(LoadChart.self).sorted(by: \._id).map(\.line)
        )
        let session = session
        (self.realm, self.session) = (nil, nil)
        await session?.closed()
        await client.close()
        return contents
    }
}
