import AuditServerTesting
import BenchmarkFloors
import ChangeModel
import Daybook
import Deflate
import EventModel
import EventProofs
import Foundation

/// A realm of a server, with the files of one user that were bound to it over HTTP.
struct SampleRealm {
    /// Where the server has the realm.
    static let path = "/api/v1/sync/s_ward"
    /// What every request says.
    static let headers = [SyncWire.versionHeader: "\(SyncWire.version)", "accept": SyncWire.mediaType]
    /// How many people there are.
    static let objectCount = 1000
    /// How many bytes a page of a snapshot has that is asked for, as a device asks.
    private static let pageBytes = 256 << 10

    /// The class of people.
    static let people = SyncSchema([
        SyncSchema.Class(
            "Person",
            key: "_id",
            properties: ["_id": SyncSchema.Property(.int), "score": SyncSchema.Property(.double)]
        )
    ])

    /// The history that its numbers are of.
    let history: HistoryID
    /// The token of the user.
    let token: String
    /// The files in the order in which they were bound; the first one made the objects.
    private(set) var files: [SigningFile]

    /// Signs a user in, binds files, and makes people.
    ///
    /// - Parameters:
    ///   - count: How many files there are.
    ///   - server: The server.
    /// - Throws: What the server refuses.
    init(files count: Int, on server: ServerProcess) throws {
        try self.init(files: count, of: Self.people, on: server)
        let creations = (0..<Self.objectCount)
            .map { ChangeOperation(Self.person($0), .create(given: ["score": .double(0)], defaults: [:])) }
        let answer = try make(creations, on: LoopbackConnection(port: server.port))
        guard answer.head == 1 else { throw BenchError.wrongAnswer }
    }

    /// Signs a user in, and binds files to a realm without objects.
    ///
    /// - Parameters:
    ///   - count: How many files there are.
    ///   - schema: The classes of the realm.
    ///   - server: The server.
    /// - Throws: What the server refuses.
    init(files count: Int, of schema: SyncSchema, on server: ServerProcess) throws {
        let connection = try LoopbackConnection(port: server.port)
        let token = try server.signIn(on: connection)
        let bound = try (0..<count)
            .map { _ in
                let key = DeviceKey()
                let answer = try Self.bind(key, to: schema, with: token, on: connection)
                return (key, answer.binding)
            }
        guard let history = bound.first?.1.history else { throw BenchError.wrongAnswer }
        self.history = history
        self.token = token
        files = try bound.map { try SigningFile(number: $1.file, key: $0) }
    }

    /// Makes objects in one change of the first file.
    @discardableResult
    mutating func make(_ creations: [ChangeOperation], on connection: LoopbackConnection) throws -> SendAnswer {
        try send(try files[0].batch([creations], base: 0), on: connection)
    }

    /// The bytes of the bodies of all pages of a snapshot, as the server sends them to those who take compressed ones.
    func snapshotBytes(on connection: LoopbackConnection) throws -> Int {
        let history = Hexadecimal.text(history.bytes)
        var (bytes, cursor) = (0, "")
        repeat {
            let packed = try connection.exchange(
                "GET",
                "\(Self.path)/objects?history=\(history)\(cursor)&bytes=\(Self.pageBytes)",
                token: token,
                headers: Self.headers.merging(["accept-encoding": Deflate.coding]) { $1 }
            )
            bytes += packed.count
            let inflater = try Inflater(packed, limit: ChangeLimits.pageBytes)
            var page: [UInt8] = []
            while let piece = try inflater.next() { page += piece }
            cursor = try SnapshotPage(bytes: page).next.map { "&after=\($0.text)" } ?? ""
        } while !cursor.isEmpty
        return bytes
    }

    /// The address of one of the objects.
    static func person(_ number: Int) -> ObjectAddress {
        ObjectAddress("Person", .int(Int64(number % objectCount)))
    }

    /// Makes a batch of changes of one property of one object each, which a file sends next.
    ///
    /// - Parameters:
    ///   - count: How many changes it has.
    ///   - file: The index of the file.
    /// - Returns: The bytes.
    /// - Throws: What signing throws.
    mutating func batch(_ count: Int, of file: Int) throws -> [UInt8] {
        let first = files[file].lastChange
        let changes = (0..<count)
            .map { change in
                let number = (first + change) * 7919 + file * 13
                return [ChangeOperation(Self.person(number), .set("score", .double(Double(number))))]
            }
        return try files[file].batch(changes, base: 1)
    }

    /// Sends a batch and waits for the answer.
    @discardableResult
    func send(_ batch: [UInt8], on connection: LoopbackConnection) throws -> SendAnswer {
        let answer = try connection.exchange(
            "POST",
            "\(Self.path)/changes",
            token: token,
            type: SyncWire.mediaType,
            headers: Self.headers,
            body: batch
        )
        return try SendAnswer(bytes: answer)
    }

    /// The path at which a file asks for entries.
    func entriesPath(of file: Int, after position: Int, waitingSeconds seconds: Int) -> String {
        let history = Hexadecimal.text(history.bytes)
        return "\(Self.path)/changes?file=\(files[file].number)&after=\(position)&history=\(history)&wait=\(seconds)"
    }

    private static func bind(
        _ key: DeviceKey,
        to schema: SyncSchema,
        with token: String,
        on connection: LoopbackConnection
    ) throws -> BindAnswer {
        let request = BindRequest(
            schemaHash: schema.hash(ChangeChain.sha256),
            schema: schema.encoded,
            deviceKey: key.publicKey
        )
        let answer = try connection.exchange(
            "POST",
            "\(path)/bind",
            token: token,
            type: SyncWire.mediaType,
            headers: headers,
            body: request.encoded
        )
        return try BindAnswer(bytes: answer)
    }
}
