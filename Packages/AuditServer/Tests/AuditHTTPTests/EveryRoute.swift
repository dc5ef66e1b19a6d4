import AuditServerTesting
import EventModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

/// Asks every route that reads, with addresses and queries that have something to show of a device's events.
struct EveryRoute: Sendable {
    /// The routes that have nothing to show here: no export, review, token or realm was made, and no administrator asks.
    private static let silent: Set<String> = [
        "/api/v1/apps/{app}/users", "/api/v1/apps/{app}/users/{user}/sessions", "/api/v1/exports",
        "/api/v1/exports/{export}",
        "/api/v1/exports/{export}/files/{file}", "/api/v1/partitions/{partition}",
        "/api/v1/reviews/{review}/signatures", "/api/v1/tokens", "/api/v1/devices/statements",
        "/api/v1/devices/registrations",
        "/api/v1/sync/{value}/changes",
        "/api/v1/sync/{value}/objects",
        // Of the published log, see below.
        "/api/v1/log/proof",
    ]

    /// The published log is files of seals alone, which `PublishedLogRoutesTests` compares byte by byte; these servers have no folder for it.
    private static let publishedLog = "/log/"

    private let device: SampleDevice
    private let server: TestServer
    private let paths: [String]

    /// Takes the routes of a server, which has an index of its own.
    init(_ server: TestServer, _ device: SampleDevice) throws {
        self.device = device
        self.server = server
        paths = try server.service.routes().rows.filter { $0.method == "GET" }.map(\.path)
        try #require(Set(queries.keys).union(Self.silent).isSubset(of: paths))
        try #require(paths.count > 40)
    }

    /// What routes are asked with besides nothing.
    private var queries: [String: [String]] {
        let own = "&person=\(SampleDevice.owner.user)"
        return [
            "/api/v1/search": ["?text=bonn", "?class=Patient&key=p1"], "/api/v1/search/new": [],
            "/api/v1/search/values": SearchValue.Kind.allCases.map { "?of=\($0.rawValue)" },
            "/api/v1/events": ["?partition=\(device.partition.value)"], "/api/v1/events/new": [],
            "/api/v1/reconstruct": ["?class=Patient&key=p1\(own)", "?class=Note&key=n1\(own)"],
            "/api/v1/log/inclusion": ["?partition=\(device.partition.value)&size=1"],
            "/api/v1/log/consistency": ["?from=1&to=1"], "/api/v1/retention": ["?count=yes"],
            "/api/v1/names": ["?text=zq7", "?text=bonn", "?class=Patient&key=p1", "?class=Note&key=n1"],
            "/api/v1/people": ["?id=ada&id=zq7"],
            "/api/v1/notes": ["?app=ward-app&class=Patient&key=p1"],
        ]
    }

    /// The addresses of a route, with what its parts stand for.
    private func addresses(_ path: String) -> [String] {
        let parts = [
            "partition": [device.partition.value], "sequence": device.events.indices.map { "\($0 + 1)" },
            "app": ["ward-app"], "part": ["console.js", "ui"], "file": ["api.js"],
            "event": device.events.map { $0.id.stringValue },
            "erasure": ["1"],
        ]
        return path.split(separator: "/")
            .reduce([""]) { found, part in
                let isName = part.hasPrefix("{") || part.hasPrefix(":")
                let name = part.trimmingCharacters(in: CharacterSet(charactersIn: ":{}"))
                let values = isName ? parts[name] ?? ["x"] : [String(part)]
                return found.flatMap { start in values.map { "\(start)/\($0)" } }
            }
            .map { $0.isEmpty ? "/" : $0 }
    }

    /// Asks all of them, several at once, and records an issue for a route that is not one of the silent ones and has no answer.
    ///
    /// - Returns: The addresses whose answers hold what is looked for, in order.
    func ask(
        _ client: any TestClientProtocol,
        as askers: [HTTPFields],
        where holds: @escaping @Sendable (TestResponse) -> Bool
    ) async throws -> [String] {
        var queries = queries
        queries["/api/v1/search/new"] = ["?last=\(try await server.cursorAtStart(of: "search/new"))"]
        queries["/api/v1/events/new"] = ["?after=\(try await server.cursorAtStart(of: "events/new"))"]
        return try await withThrowingTaskGroup(of: (found: [String], silent: String?).self) { [queries] group in
            for path in paths {
                group.addTask {
                    var found: [String] = []
                    var isAnswered = false
                    for uri in addresses(path)
                        .flatMap({ address in ([""] + queries[path, default: []]).map { address + $0 } })
                    {
                        for headers in askers {
                            let response = try await client.get(uri, as: headers)
                            // The one that leads to the console has nothing else to say.
                            isAnswered = isAnswered || response.status == (path == "/" ? .seeOther : .ok)
                            if holds(response) { found.append(uri) }
                        }
                    }
                    return (found, isAnswered ? nil : path)
                }
            }
            var (found, silent): ([String], Set<String>) = ([], [])
            for try await answer in group {
                found += answer.found
                if let path = answer.silent, !path.hasPrefix(Self.publishedLog) { silent.insert(path) }
            }
            #expect(silent.subtracting(Self.silent) == [])
            return found.sorted()
        }
    }
}
