public import ChangeModel
public import EventModel
import Synchronization

/// The server's side of one realm in memory: an honest one, which checks chains and no signatures.
public final class InMemoryRealmServer: Sendable {
    /// What is known of a file.
    struct File {
        let salt: [UInt8]
        /// The head of the chain before the first change and behind each one.
        var chain: [Digest] = [.sample]
        /// The digests of the changes.
        var digests: [Digest] = []
    }

    struct State {
        var history: HistoryID
        var realm = InMemoryRealmState()
        var files: [UInt32: File] = [:]
        var entries: [[UInt8]] = []
        var floor = 0
        var changed: [ObjectAddress: Int] = [:]
        var milliseconds: Int64
        var waiting: [AsyncStream<Void>.Continuation] = []
        var posted: [PostedObject] = []
    }

    /// An object of an asymmetric class that was posted.
    public struct PostedObject: Sendable, Hashable {
        /// The file that it came from.
        public let file: UInt32
        /// Its class and primary key.
        public let object: ObjectAddress
        /// What it holds.
        public let document: ExactText
    }

    let state: Mutex<State>
    private let refusing: @Sendable (ChangeOperation) -> OperationRefusal?

    /// Creates a realm without entries.
    ///
    /// - Parameters:
    ///   - history: The name of its history.
    ///   - milliseconds: The server's time, in milliseconds since 1970.
    ///   - refusing: Returns why an operation may not be done; nil if it may.
    public init(
        history: HistoryID = .sample(1),
        milliseconds: Int64 = 1_000_000_000_000,
        refusing: @escaping @Sendable (ChangeOperation) -> OperationRefusal? = { _ in nil }
    ) {
        state = Mutex(State(history: history, milliseconds: milliseconds))
        self.refusing = refusing
    }

    /// What the realm holds.
    public var contents: RealmContents { state.withLock { RealmContents($0.realm) } }

    /// The number of the newest entry.
    public var head: Int { state.withLock(\.realm.head) }

    /// What was posted, in the order in which it was taken.
    public var posted: [PostedObject] { state.withLock(\.posted) }

    /// Gives the realm another history, as a server does that was restored from a backup.
    public func restore(as history: HistoryID) { state.withLock { $0.history = history } }

    /// Forgets the entries up to a number.
    public func raiseFloor(to floor: Int) { state.withLock { $0.floor = max($0.floor, floor) } }
}

// MARK: - Answers

extension InMemoryRealmServer {
    /// Gives a new file its number, and knows an old one again.
    public func bind(_ request: BindRequest) throws(ChangeModelError) -> BindAnswer {
        try state.withLock { state throws(ChangeModelError) in
            let binding: FileBinding
            if let known = request.binding {
                guard known.history == state.history else { throw .failed(.historyChanged) }
                // A server that has less than it said was put back to an earlier time.
                guard let file = state.files[known.file], file.digests.count >= request.acknowledged,
                    state.realm.head >= request.position
                else { throw .failed(.historyChanged) }
                guard file.salt == known.salt, request.made >= file.digests.count else { throw .failed(.fileInUse) }
                binding = known
            } else {
                let number = UInt32(state.files.count + 1)
                let salt = Digest.mixing([UInt8(truncatingIfNeeded: number)]).bytes
                state.files[number] = File(salt: salt)
                binding = FileBinding(history: state.history, file: number, salt: salt)
            }
            return BindAnswer(
                binding: binding,
                head: state.realm.head,
                floor: state.floor,
                acknowledged: state.files[binding.file]?.digests.count ?? 0,
                serverMilliseconds: state.milliseconds
            )
        }
    }

    /// Takes all changes of a batch that it does not have, or none.
    public func send(_ bytes: [UInt8]) throws(ChangeModelError) -> SendAnswer {
        let batch = try SignedBatch(bytes: bytes)
        let changes = try batch.batch.changes
        let (answer, waiting) = try state.withLock { state throws(ChangeModelError) in
            guard var file = state.files[batch.file], batch.first > 0 else { throw .failed(.forbidden) }
            guard batch.first <= file.digests.count + 1 else { throw .failed(.gap(expected: file.digests.count + 1)) }
            let before = ChangeChain(head: file.chain[batch.first - 1], hash: Digest.mixing)
            guard before.appending(batch).head == batch.chain else { throw .failed(.conflict) }
            var copy = state
            var clocks: [Int: HybridClock] = [:]
            for (change, body) in zip(changes, batch.bodies) {
                let digest = Digest.mixing(Array(body))
                if change.number <= file.digests.count {
                    guard file.digests[change.number - 1] == digest else { throw .failed(.conflict) }
                    continue
                }
                file.digests.append(digest)
                file.chain.append(
                    ChangeChain(head: file.chain[change.number - 1], hash: Digest.mixing).appending(body).head
                )
                let clock = try copy.take(change, of: batch.file, digest, refusing)
                if clock != change.clock { clocks[change.number] = clock }
            }
            copy.files[batch.file] = file
            let waiting = copy.waiting
            copy.waiting = []
            state = copy
            let answer = SendAnswer(acknowledged: file.digests.count, head: state.realm.head, clocks: clocks)
            return (answer, waiting)
        }
        for reader in waiting { reader.finish() }
        return answer
    }

    /// Returns entries, as many as fit, but one at least.
    public func entries(after position: Int, history: HistoryID, limit bytes: Int) throws(ChangeModelError)
        -> EntriesAnswer
    {
        try state.withLock { state throws(ChangeModelError) in
            guard history == state.history else { throw .failed(.historyChanged) }
            guard position >= state.floor else { throw .failed(.tooOld(floor: state.floor)) }
            var answer = EntriesAnswer(head: state.realm.head)
            var left = bytes
            for entry in state.entries.dropFirst(position) {
                guard entry.count <= left || answer.encoded.isEmpty else { break }
                left -= entry.count
                answer.encoded.append(entry)
            }
            return answer
        }
    }

    /// Returns a stream that ends when there is an entry behind a position.
    func arrivals(after position: Int) -> AsyncStream<Void> {
        // Nothing is ever yielded: the end is the message.
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isThere = state.withLock { state in
            if state.realm.head <= position { state.waiting.append(reader) }
            return state.realm.head > position
        }
        if isThere { reader.finish() }
        return stream
    }

    /// Ends the waiting of all readers.
    func elapse() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in waiting { reader.finish() }
    }
}

extension InMemoryRealmServer.State {
    /// Gives a change its number.
    fileprivate mutating func take(
        _ change: Change,
        of file: UInt32,
        _ digest: Digest,
        _ refusing: (ChangeOperation) -> OperationRefusal?
    ) throws(ChangeModelError) -> HybridClock {
        let entry = try realm.accept(
            change,
            of: file,
            user: file,
            received: EventInstant(microseconds: milliseconds * 1000),
            digest: digest,
            refusing: { refusing($1) }
        )
        guard let entry else { return change.clock }
        for literal in entry.literals { changed[literal.object] = entry.number }
        entries.append(entry.encoded)
        for (operation, result) in zip(change.operations, entry.results) {
            guard let document = operation.posted, result == .asSent else { continue }
            posted.append(.init(file: file, object: operation.object, document: document))
        }
        return entry.clock
    }
}

extension HistoryID {
    /// The name of a history in a test: sixteen times the same byte.
    public static func sample(_ byte: UInt8 = 1) -> HistoryID {
        guard let history = HistoryID(repeatElement(byte, count: byteCount)) else {
            preconditionFailure("A history has \(byteCount) bytes.")
        }
        return history
    }
}
