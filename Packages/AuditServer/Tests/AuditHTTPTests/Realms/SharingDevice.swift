import ChangeModel
import ChangeModelTesting
import EventModel
import EventProofs
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import SyncServer

/// A device of a user that shares a realm, as the routes see it: it binds, signs and sends.
struct SharingDevice {
    /// A schema with the class that changes of tests are of.
    static let schema = SyncSchema([
        SyncSchema.Class(
            "Person",
            key: "_id",
            properties: ["_id": SyncSchema.Property(.int), "name": SyncSchema.Property(.string, isOptional: true)]
        )
    ])

    let client: any TestClientProtocol
    let value: String
    var headers: HTTPFields
    private let key: DeviceKey
    private(set) var binding: FileBinding?
    private var chain = ChangeChain(head: .sample, hash: { FileLedger.hash($0) })
    private(set) var made = 0

    /// Takes a realm, to which nothing is bound yet.
    init(
        _ client: any TestClientProtocol,
        _ value: String = "s_ward-3",
        as headers: HTTPFields,
        key: DeviceKey = DeviceKey()
    ) throws {
        self.client = client
        self.key = key
        self.value = value
        self.headers = headers
        self.headers[try #require(HTTPField.Name(SyncWire.versionHeader))] = "1"
        self.headers[.contentType] = SyncWire.mediaType
    }

    var path: String { "/api/v1/sync/\(value)" }

    /// What it says of itself.
    func request(_ schema: SyncSchema? = Self.schema) -> BindRequest {
        BindRequest(
            binding: binding,
            acknowledged: made,
            made: made,
            schemaHash: (schema ?? Self.schema).hash { FileLedger.hash($0) },
            schema: schema?.encoded,
            deviceKey: key.publicKey
        )
    }

    func post(_ route: String, _ bytes: [UInt8]) async throws -> TestResponse {
        try await client.execute(
            uri: "\(path)/\(route)",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: bytes)
        )
    }

    /// Binds the file.
    @discardableResult
    mutating func bind(_ schema: SyncSchema? = Self.schema) async throws -> BindAnswer {
        let response = try await post("bind", request(schema).encoded)
        try #require(response.status == .ok)
        let answer = try BindAnswer(bytes: Array(response.body.readableBytesView))
        binding = answer.binding
        return answer
    }

    /// Makes the bytes of a batch of one change, and goes on as if it was taken.
    mutating func batch(_ operations: [ChangeOperation]) throws -> [UInt8] {
        let file = try #require(binding).file
        let change = Change.sample(number: made + 1, milliseconds: Int64(made + 1), operations: operations)
        let key = key
        let signed = try SignedBatch(ChangeBatch(file: file, changes: [change]), after: chain) { head in
            (try? key.signature(of: head)) ?? []
        }
        chain = chain.appending(signed)
        made += 1
        return signed.bytes
    }

    /// Sends a change.
    @discardableResult
    mutating func send(_ operations: ChangeOperation...) async throws -> SendAnswer {
        let response = try await post("changes", batch(operations))
        try #require(response.status == .ok)
        return try SendAnswer(bytes: Array(response.body.readableBytesView))
    }

    /// Asks for entries.
    func entriesResponse(after position: Int, wait: Int = 0, _ query: String = "") async throws -> TestResponse {
        let binding = try #require(binding)
        let history = Hexadecimal.text(binding.history.bytes)
        return try await client.get(
            "\(path)/changes?file=\(binding.file)&after=\(position)&history=\(history)&wait=\(wait)\(query)",
            as: headers
        )
    }

    /// The entries behind a position.
    func entries(after position: Int, wait: Int = 0) async throws -> [Entry] {
        let response = try await entriesResponse(after: position, wait: wait)
        try #require(response.status == .ok)
        return try EntriesAnswer(bytes: Array(response.body.readableBytesView)).entries
    }

    /// Asks for a page of objects.
    func objectsResponse(_ query: String = "") async throws -> TestResponse {
        let history = Hexadecimal.text(try #require(binding).history.bytes)
        return try await client.get("\(path)/objects?history=\(history)\(query)", as: headers)
    }
}
