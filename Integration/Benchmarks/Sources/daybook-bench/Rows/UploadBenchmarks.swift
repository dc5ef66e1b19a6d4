import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Daybook
import EventModel
import Foundation
import Synchronization

import enum Crypto.Curve25519

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client as an app has it: event files, uploader, URL session.
func uploadBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = UploadWork(workload: workload)
    return [
        Benchmark(
            "uploading from event files to a server that discards",
            unit: "MB/s",
            target: .atLeast(150),
            floor: { try await work.bareUploadSpeed() },
            ours: {
                let server = try DiscardingServer(answer: StretchAnswers.answer)
                return try await work.clientSpeed(to: "http://127.0.0.1:\(server.port)")
            }
        ),
        Benchmark(
            "uploading from event files to our server",
            unit: "MB/s",
            target: .atLeast(150),
            floor: { try await work.bareUploadSpeed() },
            ours: {
                try await workload.withFolder { folder in
                    let server = try ServerProcess(in: folder)
                    return try await work.clientSpeed(to: server.url)
                }
            }
        ),
    ]
}

/// The work behind the rows.
private struct UploadWork: Sendable {
    /// How many bytes a request carries, as the uploader's limit has it.
    private static let requestBytes = UploadLimits().maximumStretchBytes
    /// How many requests are under way, as the uploader's limit has it.
    private static let inFlight = UploadLimits().maximumPartitionsInFlight

    /// How many events are appended at once.
    private static let callCount = 1000

    let workload: Workload
    /// How often events are appended.
    private let calls: Int
    /// About how many bytes all events have.
    private let byteCount: Int

    init(workload: Workload) {
        self.workload = workload
        calls = workload.isQuick ? 40 : 80
        byteCount = Self.queries(0, of: SampleEvents(), workload).reduce(0) { $0 + $1.encodedByteCount } * calls
    }

    /// The events of a call, each a query of ten people.
    private static func queries(_ call: Int, of source: SampleEvents, _ workload: Workload) -> [AuditEvent] {
        (0..<callCount)
            .map { number in
                let first = (call * callCount + number) * 10 % workload.people.count
                return source.event(call * callCount + number, about: Array(workload.people[first..<first + 10]))
            }
    }

    /// Megabytes of encoded events a second, from the first look at the files until the last one is proven and deleted.
    func clientSpeed(to url: String) async throws -> Double {
        try await workload.withFolder { folder in
            let app = App(id: "bench", configuration: AppConfiguration(baseURL: url, rootDirectory: folder.path))
            let user = try await app.login(credentials: .anonymous)
            let files = try PartitionedEventFiles(
                EventFolder(root: folder.path, appID: app.id, userID: user.id, prefix: "bench"),
                limits: PartitionLimits(partitionBytes: UInt64(byteCount) / 32),
                policy: StoragePolicy(quota: .unlimited, durability: .system)
            )
            let source = SampleEvents()
            var written = 0
            for call in 0..<calls {
                // Each event is another one: the server looks at one that comes twice in another way.
                let queries = Self.queries(call, of: source, workload)
                written += queries.reduce(0) { $0 + $1.encodedByteCount }
                _ = try files.append(queries)
            }
            try files.seal()
            let uploader = Uploader(source: files, transport: HTTPEventTransport(user: user))
            let time = try await asyncNanoseconds { try await uploader.uploadEverything() }
            guard uploader.statistics.eventsUploaded == UInt64(Self.callCount * calls), try files.partitions().isEmpty
            else { throw BenchError.notUploaded }
            return Double(written) / time * 1000
        }
    }

    /// Megabytes a second that a URL session sends of bodies that are in memory, to a server that discards them.
    func bareUploadSpeed() async throws -> Double {
        let server = try DiscardingServer { _, _ in Array("{}".utf8) }
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/") else { throw BenchError.notUploaded }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 8
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let body = Data(repeating: 7, count: Self.requestBytes)
        let requests = byteCount / Self.requestBytes
        let time = try await asyncNanoseconds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<requests {
                    if number >= Self.inFlight { try await group.next() }
                    group.addTask {
                        var request = URLRequest(url: url)
                        request.httpMethod = "POST"
                        _ = try await session.upload(for: request, from: body)
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(requests * Self.requestBytes) / time * 1000
    }
}

/// The answers of a server that believes whatever it is told, so that the real client goes on.
private enum StretchAnswers {
    private static let key = Curve25519.Signing.PrivateKey()
    private static let user = "65f0c0ffee0000000000cafe"

    static func answer(_ request: String, _ beginning: [UInt8]) -> [UInt8] {
        if request.contains("/login") {
            return Array(
                #"{"userID":"\#(user)","accessToken":"a","refreshToken":"r","expiresInSeconds":1800}"#.utf8
            )
        }
        do {
            return Array(try JSONEncoder().encode(try proof(beginning)))
        } catch {
            return Array("{}".utf8)
        }
    }

    /// Says that everything is durable, and signs it: the table of `PartitionStretch.wireBytes()` in short.
    private static func proof(_ body: [UInt8]) throws -> DurabilityProof? {
        var rest = body.dropFirst(4)
        func number() -> Int? {
            var value = 0
            var shift = 0
            while let byte = rest.popFirst() {
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
        guard let nameCount = number() else { return nil }
        let partition = String(decoding: rest.prefix(nameCount), as: UTF8.self)
        rest = rest.dropFirst(nameCount)
        let first = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8)
        guard let root = Digest(rest.prefix(Digest.byteCount)) else { return nil }
        rest = rest.dropFirst(Digest.byteCount)
        guard let sealCount = number() else { return nil }
        rest = rest.dropFirst(sealCount)
        guard let count = number() else { return nil }
        let id = try PartitionID(partition)
        let through = UInt64(first + count - 1)
        func receipt(_ signature: [UInt8]) -> StorageReceipt {
            StorageReceipt(
                app: "bench",
                user: user,
                partition: id,
                durableThrough: through,
                root: root,
                isSealed: sealCount > 0,
                issued: EventInstant(microseconds: 1_700_000_000_000_000),
                publicKey: Array(key.publicKey.rawRepresentation),
                signature: signature
            )
        }
        return DurabilityProof(
            partition: id,
            durableThrough: through,
            root: root,
            isSealed: sealCount > 0,
            receipt: receipt(Array(try key.signature(for: receipt([]).canonicalBytes)))
        )
    }
}
