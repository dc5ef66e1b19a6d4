import EventModel
import EventProofs
import Synchronization

/// What is asked of the log, with whatever comes of it.
typealias LogQuestion = @Sendable (StoredMerkleTree<any Error>) throws -> any Sendable
/// What came of a question.
typealias LogAnswer = Result<any Sendable, any Error>

/// The log as an acknowledged commit had it, which no failover takes back.
final class ConfirmedLog: Sendable {
    private let head = Mutex<MerkleFrontier?>(nil)

    /// Notes what a commit had that standbys have confirmed.
    func note(_ log: MerkleFrontier) { head.withLock { $0 = log } }

    /// Returns whether it is this one, and no other of its size either.
    func includes(_ log: MerkleFrontier) -> Bool { head.withLock { $0 == log } }
}

extension SharedCommit<LogQuestion, LogAnswer> {
    /// Answers from the log once standbys have it, all who ask together by one commit.
    static func confirming(
        _ configuration: PostgreSQLConfiguration,
        _ confirmed: ConfirmedLog,
        _ timer: any EventTimer
    ) -> SharedCommit {
        SharedCommit(
            ConnectionLane(address: configuration.address, name: "daybook.confirming"),
            limits: Limits(
                maximumWaiting: configuration.maximumWaiting,
                waitNanoseconds: configuration.waitNanoseconds,
                groupCount: configuration.maximumWaiting,
                groupBytes: 0
            ),
            timer: timer
        ) { questions, connection in
            var answers: [LogAnswer] = []
            let head = try connection.acknowledged(within: configuration.readingPatience) {
                let log = PostgreSQLPartitionLog(connection: connection)
                let head = try log.frontier()
                let tree = log.tree(head)
                answers = questions.map { question in LogAnswer { try question(tree) } }
                try log.acknowledge()
                return head
            }
            if let head { confirmed.note(head) }
            return answers
        }
    }
}
