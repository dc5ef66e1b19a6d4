import AuditServerTesting
import Daybook

/// Compares what the server has with what the devices recorded, through the routes of an auditor.
struct LoadAudit {
    private struct Record: Decodable {
        let partition: String
        let app: String
        let count: UInt64
        let root: Digest
    }

    private let client: LoopbackClient
    private let token: String

    /// Creates an audit of a server.
    init(server: ServerProcess) throws {
        client = LoopbackClient(port: server.port)
        token = try server.auditorToken()
    }

    /// Finds what is wrong: partitions that are missing or strange, roots that differ, events that are missing or twice.
    ///
    /// - Throws: ``LoadError/auditRefused(status:)``.
    /// - Complexity: O(*n*) in all events.
    func problems(expected: [PartitionID: SimulatedDevice.Expectation]) async throws -> [String] {
        var problems: [String] = []
        var missing = Dictionary(uniqueKeysWithValues: expected.map { ($0.key.value, $0.value.frontier) })
        try await pages("/api/v1/partitions?limit=1000") { body in
            for record in try JSONDecoder().decode([Record].self, from: Data(body)) {
                // What this audit itself asks for is recorded by the server.
                if record.partition.hasPrefix("auditors-") || record.app == StretchAttacker.app { continue }
                guard let frontier = missing.removeValue(forKey: record.partition) else {
                    problems.append("the server has partition \(record.partition), which nobody recorded")
                    continue
                }
                if record.count != frontier.count {
                    problems.append("\(record.partition) has \(record.count) events instead of \(frontier.count)")
                } else if record.root != frontier.root {
                    problems.append("the roots of \(record.partition) differ")
                }
            }
        }
        problems += missing.keys.map { "the server does not have partition \($0)" }

        var ids = Set(expected.values.flatMap(\.ids))
        let count = ids.count
        var listed = 0
        var strangers = 0
        try await pages("/api/v1/events?app=load&limit=10000") { body in
            for line in body.split(separator: 0x0A) {
                listed += 1
                if ids.remove(Self.id(of: line)) == nil { strangers += 1 }
            }
        }
        if strangers > 0 { problems.append("\(strangers) of \(listed) listed events are strange or there twice") }
        if !ids.isEmpty { problems.append("\(ids.count) of \(count) events are missing") }
        await client.close()
        return problems
    }

    /// The id of a line, whose keys are sorted, so that it comes first.
    private static func id(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.dropFirst(#"{"_id":""#.utf8.count).prefix(24), as: UTF8.self)
    }

    private func pages(_ path: String, _ body: ([UInt8]) throws -> Void) async throws {
        var after: String?
        repeat {
            let cursor = after.map { "&after=\($0)" } ?? ""
            let answer = try await client.send(
                HTTPRequest(
                    method: .get,
                    url: "http://127.0.0.1\(path)\(cursor)",
                    headers: ["authorization": "Bearer \(token)"]
                )
            )
            guard answer.status == 200 else { throw LoadError.auditRefused(status: answer.status) }
            try body(answer.body)
            after = answer.headers["daybook-next-cursor"]
        } while after != nil
    }
}
