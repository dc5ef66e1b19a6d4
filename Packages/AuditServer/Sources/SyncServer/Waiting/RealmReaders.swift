import EventModel

/// The readers that are in a hub, and what each waits for.
///
/// Pure: the owner resumes whoever it is handed.
struct RealmReaders {
    /// Why a reader goes on.
    enum Wake {
        /// Something new is durable.
        case news
        /// It waited as long as it may.
        case timeIsOver
        /// Its task was cancelled.
        case cancelled
    }

    typealias Continuation = CheckedContinuation<Wake, Never>

    private struct File: Hashable {
        let realm: RealmName
        let reader: RealmHub.Reader
    }

    private struct Reader {
        let file: File
        /// The tick at which it waited long enough.
        let deadline: UInt64
        /// What happened while it did not wait; what came first, but for news, stays.
        var pending: Wake?
        var continuation: Continuation?
    }

    private var readers: [UInt64: Reader] = [:]
    private var realms: [RealmName: Set<UInt64>] = [:]
    /// Who has the places of a file, the oldest first.
    private var files: [File: [UInt64]] = [:]
    private var users: [ExactText: Int] = [:]
    private var lastNumber: UInt64 = 0
    private var ticks: UInt64 = 0
    private var isTicking = false
    /// Whether nobody waits any more.
    private var isEnded = false

    /// How many readers there are.
    var count: Int { readers.count }

    /// Lets a reader in, in the place of the oldest one of its file where all of these are taken.
    ///
    /// - Returns: Its number, and whoever waited in its place; nil when there are too many.
    mutating func enter(
        _ realm: RealmName,
        _ reader: RealmHub.Reader,
        seconds: Int,
        _ limits: RealmHub.Limits
    ) -> (number: UInt64, former: Continuation?)? {
        let file = File(realm: realm, reader: reader)
        guard readers.count < limits.readers, users[reader.user, default: 0] < limits.readersOfUser else { return nil }
        lastNumber += 1
        readers[lastNumber] = Reader(file: file, deadline: ticks + UInt64(seconds))
        if seconds == 0 || isEnded { readers[lastNumber]?.pending = .timeIsOver }
        realms[realm, default: []].insert(lastNumber)
        users[reader.user, default: 0] += 1
        files[file, default: []].append(lastNumber)
        guard let places = files[file], places.count > limits.readersOfFile else { return (lastNumber, nil) }
        files[file]?.removeFirst()
        return (lastNumber, wake(places[0], .timeIsOver))
    }

    /// Forgets a reader.
    mutating func leave(_ number: UInt64) {
        guard let reader = readers.removeValue(forKey: number) else { return }
        realms[reader.file.realm]?.remove(number)
        if realms[reader.file.realm]?.isEmpty == true { realms[reader.file.realm] = nil }
        files[reader.file]?.removeAll { $0 == number }
        if files[reader.file]?.isEmpty == true { files[reader.file] = nil }
        let user = reader.file.reader.user
        users[user, default: 1] -= 1
        if users[user] == 0 { users[user] = nil }
    }

    /// Lets a reader wait, unless something happened already; then that is returned.
    mutating func wait(_ number: UInt64, _ continuation: Continuation) -> Wake? {
        guard let reader = readers[number] else { return .cancelled }
        if let pending = reader.pending {
            if case .news = pending { readers[number]?.pending = nil }
            return pending
        }
        readers[number]?.continuation = continuation
        return nil
    }

    /// Notes that a realm has something new, and returns who waits for it.
    mutating func announce(_ realm: RealmName) -> [Continuation] {
        (realms[realm] ?? []).compactMap { wake($0, .news) }
    }

    /// Notes that a reader was cancelled, and returns it if it waits.
    mutating func cancel(_ number: UInt64) -> Continuation? { wake(number, .cancelled) }

    /// Ends the waiting of all, also of those who come later, and returns who waits.
    mutating func end() -> [Continuation] {
        isEnded = true
        return readers.keys.compactMap { wake($0, .timeIsOver) }
    }

    /// Begins to count seconds; false if that is done already.
    mutating func beginTicking() -> Bool {
        defer { isTicking = true }
        return !isTicking
    }

    /// Counts a second, and returns who waited long enough and whether anybody is left.
    mutating func tick() -> (over: [Continuation], goesOn: Bool) {
        ticks += 1
        let over = readers.filter { $0.value.deadline <= ticks }.keys.compactMap { wake($0, .timeIsOver) }
        isTicking = !readers.isEmpty
        return (over, isTicking)
    }

    private mutating func wake(_ number: UInt64, _ wake: Wake) -> Continuation? {
        guard var reader = readers[number] else { return nil }
        if let continuation = reader.continuation {
            reader.continuation = nil
            readers[number] = reader
            return continuation
        }
        // News pass; that the time is over, or the task cancelled, stays so.
        if reader.pending == nil { reader.pending = wake }
        if case .news = reader.pending { reader.pending = wake }
        readers[number] = reader
        return nil
    }
}
