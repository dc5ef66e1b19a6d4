import AuditModel
import EventModel
import EventProofs
import PostgreSQLStore

extension FailoverCheck {
    /// Recomputes the log from its entries, and compares it with what was acknowledged and which heads were given away.
    func auditLog(_ store: PostgreSQLEventStore, _ promises: Promises) async throws -> String {
        var problems: [String] = []
        var tree = MerkleTree()
        var logged: Set<PartitionID> = []
        while true {
            let page = try await answer { [tree] in try await store.logEntries(from: tree.count, limit: 1000) }
            if page.isEmpty { break }
            for entry in page {
                if entry.index != tree.count { problems.append("the entry \(tree.count) of the log is missing") }
                if !logged.insert(entry.partition).inserted {
                    problems.append("\(entry.partition) is twice in the log")
                }
                tree.append(entry.leaf)
            }
        }
        let found = try await answer {
            try await store.withLog(durably: true) { LogHead(size: $0.count, root: try $0.root(at: $0.count)) }
        }
        if found.size != tree.count || found.root != tree.root(at: tree.count) {
            problems.append("the log has another root than its entries")
        }
        for head in promises.heads where head.size > tree.count || tree.root(at: head.size) != head.root {
            problems.append("the log does not go on from a head of \(head.size) entries that was given away")
        }
        let sealed = promises.all.values.filter(\.isSealed)
        for proof in sealed where !logged.contains(proof.partition) {
            problems.append("\(proof.partition) was acknowledged with its seal and is not in the log")
        }
        let story = "log: \(sealed.count) acknowledged seals in \(tree.count) entries, \(promises.heads.count) heads"
        return problems.first.map { "FAILED \(story); \(problems.count) problems: \($0)" } ?? "ok \(story) are true"
    }
}
