import AuditServer
import EventModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events of a server, read over HTTP with an auditor's token.
struct RemoteEventArchive: EventArchive {
    private let server: URL
    private let token: String
    private let session: URLSession

    /// Names a server.
    ///
    /// - Throws: ``CommandError/malformedServer(_:)`` when the text is no address of one.
    init(server text: String, token: String, session: URLSession = URLSession(configuration: .ephemeral)) throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
            throw CommandError.malformedServer(text)
        }
        server = url
        self.token = token
        self.session = session
    }

    func partitions() async throws -> [ArchivedPartition] {
        try await records()
            .map { record in
                ArchivedPartition(
                    partition: record.partition.value,
                    count: record.count,
                    root: record.root,
                    sealed: record.seal != nil,
                    losses: record.seal?.losses ?? [],
                    app: record.app,
                    user: record.user,
                    received: record.received.description,
                    path: nil,
                    seal: record.seal
                )
            }
    }

    func strays() async throws -> [String] { [] }

    func events(_ filter: EventFilter, _ body: (EventLine) throws -> Void) async throws {
        var query: [String: String] = ["limit": "10000"]
        query["partition"] = filter.partition?.value
        query["activity"] = filter.activity
        query["event"] = filter.event
        query["since"] = filter.since?.description
        query["until"] = filter.until?.description
        try await pages("events", query) { page in
            for line in try lines(EventLine.self, in: page) { try body(line) }
        }
    }

    func verify(_ body: (VerifiedPartition, _ total: Int) throws -> Void) async throws {
        let records = try await records()
        for record in records {
            var audit = PartitionAudit(partition: record.partition)
            try await read(record.partition, through: .max, into: &audit)
            // Events may have arrived meanwhile, so what they are compared with is asked for after them.
            let path = "partitions/\(record.partition)"
            let proof = try decode(DurabilityProof.self, from: try await get(path, [:]).body)
            if proof.durableThrough > audit.lastSequence {
                try await read(record.partition, through: proof.durableThrough, into: &audit)
            }
            audit.finish(count: proof.durableThrough, root: proof.root, seal: record.seal)
            try body(
                VerifiedPartition(
                    partition: record.partition,
                    events: audit.count,
                    losses: record.seal?.losses ?? [],
                    problems: audit.problems
                ),
                records.count
            )
        }
    }

    func schema() async throws -> EventSchema {
        try decode(EventSchema.self, from: try await get("schema", [:]).body)
    }
}

// MARK: - Requests

extension RemoteEventArchive {
    private struct Refusal: Decodable {
        let message: String
    }

    /// Reads the leaves behind those that were audited.
    private func read(_ partition: PartitionID, through end: UInt64, into audit: inout PartitionAudit) async throws {
        var query = ["limit": "10000", "after": "\(audit.lastSequence)"]
        repeat {
            let (page, next) = try await get("partitions/\(partition)/leaves", query)
            for leaf in try lines(StoredLeaf.self, in: page) where leaf.sequence <= end { audit.add(leaf) }
            query["after"] = audit.lastSequence < end ? next : nil
        } while query["after"] != nil
    }

    private func records() async throws -> [PartitionRecord] {
        var records: [PartitionRecord] = []
        try await pages("partitions", [:]) { page in
            records += try decode([PartitionRecord].self, from: page)
        }
        return records
    }

    /// Reads page after page until a page says that it is the last.
    private func pages(_ path: String, _ query: [String: String], _ body: (Data) throws -> Void) async throws {
        var query = query
        repeat {
            let (page, next) = try await get(path, query)
            try body(page)
            query["after"] = next
        } while query["after"] != nil
    }

    private func get(_ path: String, _ query: [String: String]) async throws -> (body: Data, next: String?) {
        var components = URLComponents()
        components.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        // A plus sign would be read as a space on the other side, and an empty query needs no question mark.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        let base = path.split(separator: "/")
            .reduce(server.appendingPathComponent("api/v1")) {
                $0.appendingPathComponent(String($1))
            }
        let text = base.absoluteString + (query.isEmpty ? "" : "?\(components.percentEncodedQuery ?? "")")
        guard let url = URL(string: text) else { throw CommandError.malformedServer(text) }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")

        let (body, response): (Data, URLResponse)
        do {
            (body, response) = try await session.data(for: request)
        } catch let error as URLError {
            throw CommandError.unreachable(server: server.absoluteString, reason: Self.reason(error))
        }
        guard let answer = response as? HTTPURLResponse else {
            throw CommandError.malformedAnswer(server: server.absoluteString)
        }
        guard answer.statusCode == 200 else {
            let message = try decode(Refusal.self, from: body).message
            throw CommandError.refused(status: answer.statusCode, message: message)
        }
        return (body, answer.value(forHTTPHeaderField: AuditService.nextCursorHeader))
    }

    private func lines<T: Decodable>(_ type: T.Type, in page: Data) throws -> [T] {
        try page.split(separator: 0x0A).map { try decode(type, from: Data($0)) }
    }

    private func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw CommandError.malformedAnswer(server: server.absoluteString)
        }
    }

    private static func reason(_ error: URLError) -> String {
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed: "nobody listens there"
        case .timedOut: "it does not answer in time"
        default: "the connection failed (code \(error.errorCode))"
        }
    }
}
