import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import Foundation

/// Many connections that wait at a server for the next change of one realm.
///
/// Two requests of a file may wait at once, and a third one takes the place of the oldest, which is answered without an entry. So three
/// are sent for each file: when one of them was answered, the two others wait, which nothing else would say.
final class WaitingReaders {
    /// How many readers of a file may wait.
    private static let places = 2
    /// How long a reader waits, in seconds.
    private static let waitSeconds = 50

    /// What telling all readers took.
    struct Telling {
        /// How long after the change was sent each reader had it at the latest, in nanoseconds, the shortest first.
        let nanoseconds: [Double]
        /// How many bytes each of them had to read.
        let answerBytes: Int
    }

    /// How many readers wait when all of them have arrived.
    let count: Int
    private let files: Int
    /// Lives for as long as its readers.
    private let server: ServerProcess
    private var realm: SampleRealm
    private let crowd: LoopbackCrowd
    private let writer: LoopbackConnection
    /// The number of the newest entry: the first one made the objects.
    private var head = 1
    private var waiting: [Int] = []

    /// Binds files and opens connections, none of which says anything yet.
    ///
    /// - Parameters:
    ///   - count: How many readers are to wait; an even number.
    ///   - server: The server.
    /// - Throws: What the server refuses.
    init(_ count: Int, at server: ServerProcess) throws {
        self.count = count
        self.server = server
        files = count / Self.places
        // The last one writes.
        realm = try SampleRealm(files: files + 1, on: server)
        crowd = LoopbackCrowd(port: server.port)
        writer = try LoopbackConnection(port: server.port)
        for _ in 0..<files * (Self.places + 1) { try crowd.join() }
    }

    /// Asks on each connection what is new without waiting, one after the other, so that each has said and heard something.
    func warmUp() throws {
        for member in 0..<crowd.count {
            try ask(member, waitingSeconds: 0)
            guard try crowd.receive(1, from: CollectionOfOne(member))[0].status == 200 else {
                throw BenchError.notTold
            }
        }
    }

    /// Lets the readers ask for the next change, and returns when the server has them all waiting.
    func arrive() throws {
        waiting = []
        for file in 0..<files {
            let members = (0...Self.places).map { file + $0 * files }
            for member in members { try ask(member, waitingSeconds: Self.waitSeconds) }
            let answers = try crowd.receive(1, from: members)
            guard answers.count == 1, answers[0].status == 200 else { throw BenchError.notTold }
            waiting += members.filter { $0 != answers[0].member }
        }
    }

    /// Sends one change, and waits until every reader has it.
    func tell() throws -> Telling {
        let batch = try realm.batch(1, of: files)
        let start = ContinuousClock.now
        try writer.send(
            "POST",
            "\(SampleRealm.path)/changes",
            token: realm.token,
            type: SyncWire.mediaType,
            headers: SampleRealm.headers,
            body: batch
        )
        let answers = try crowd.receiveAll(from: waiting)
        guard answers.allSatisfy({ $0.status == 200 }), try writer.receive().status == 200 else {
            throw BenchError.notTold
        }
        head += 1
        waiting = []
        return Telling(
            nanoseconds: answers.map { ($0.arrival - start) / .nanoseconds(1) },
            answerBytes: answers.map(\.byteCount).max() ?? 0
        )
    }

    private func ask(_ member: Int, waitingSeconds seconds: Int) throws {
        try crowd.send(
            "GET",
            realm.entriesPath(of: member % files, after: head, waitingSeconds: seconds),
            token: realm.token,
            headers: SampleRealm.headers,
            from: member
        )
    }
}
