import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SyncTransport
import SyncTransportTesting
import Synchronization

/// A server that takes everything and publishes its log, until a test makes it lie or fail.
final class ServerWithLog: Sendable {
    struct State {
        /// The entries of sealed partitions, and others.
        var entries: [PartitionLogEntry] = []
        var log: SampleLog
        var published: SampleLog.Published?
        /// What is answered in place of the truth, by the end of the address.
        var overrides: [String: HTTPResponse] = [:]
        /// Whether what was sealed is published at once.
        var publishesAtOnce = true
        var logKey: String?
        var signer = SampleSigner()
        /// What the server states of its keys.
        var successions: [String] = []
        /// The server's clock.
        var now = EventInstant(microseconds: 1_700_000_000_000_000)
        var paths: [String] = []
        /// What was registered, by the claims' keys: the first counts.
        var registrations: [[UInt8]: String] = [:]
        /// Opened by the next question for the checkpoint.
        var looks: TestGate?
    }

    let state: Mutex<State>
    var signer: SampleSigner { state.withLock { $0.signer } }

    init(origin: ExactText = SampleLog.origin, seed: UInt8 = 1) throws {
        let log = try SampleLog(origin: origin, seed: seed)
        state = Mutex(State(log: log, logKey: "\(log.signer.verifierKey)"))
    }

    var policy: WitnessPolicy { get throws { try state.withLock { try $0.log.policy } } }
    var published: SampleLog.Published? { state.withLock { $0.published } }
    /// The paths of all requests since the last call.
    func takePaths() -> [String] {
        state.withLock { state in
            defer { state.paths = [] }
            return state.paths
        }
    }

    /// Appends entries of others and publishes.
    func grow(by count: Int) throws {
        try state.withLock { state in
            for _ in 0..<count {
                state.append(Self.seal(of: Sample.partition(UInt32(1_000 + state.entries.count))), "x")
            }
            try state.publish()
        }
    }

    /// Changes the entries behind everybody's back and publishes what is left.
    func rewrite(_ change: (inout [PartitionLogEntry]) -> Void) throws {
        try state.withLock { state in
            change(&state.entries)
            try state.publish()
        }
    }

    /// Takes other keys, with which the log goes on.
    ///
    /// - Parameters:
    ///   - seed: What the log's new key is made of.
    ///   - isStated: Whether the server says so.
    /// - Returns: The statement.
    /// - Throws: What signing throws.
    @discardableResult
    func rotate(seed: UInt8, isStated: Bool = true) throws -> KeySuccession {
        try state.withLock { state in
            let signers = [state.signer, SampleSigner()]
            let logs = [state.log, try SampleLog(state.log.entries, seed: seed)]
            let keys = try zip(signers, logs)
                .map { signer, log in
                    try ServerKeys(
                        receipts: signer.publicKey,
                        log: log.signer.verifierKey.publicKey,
                        trail: SampleSigner().publicKey
                    )
                }
            let before = try KeyHistory(texts: state.successions).present
            let succession = try KeySuccession(
                from: before ?? keys[0],
                to: keys[1],
                at: state.now,
                signedBy: signers.map { try $0.noteSigner }
            )
            state.signer = signers[1]
            state.log = logs[1]
            state.logKey = "\(logs[1].signer.verifierKey)"
            if isStated { state.successions.append(succession.text) }
            if !state.entries.isEmpty { try state.publish() }
            return succession
        }
    }

    /// Takes other keys with which the log goes on, while receipts still come that the key before signed.
    func rotate(seed: UInt8, growingBy count: Int, during work: () async -> Void) async throws {
        let old = signer
        try rotate(seed: seed)
        try grow(by: count)
        let new = signer
        state.withLock { $0.signer = old }
        await work()
        state.withLock { $0.signer = new }
    }

    func override(_ path: String, with response: HTTPResponse?) {
        state.withLock { $0.overrides[path] = response }
    }

    var client: ScriptedHTTPClient { ScriptedHTTPClient { try self.answer($0) } }

    static func seal(of partition: PartitionID, count: UInt64 = 0, root: Digest = MerkleHash.empty) -> PartitionSeal {
        EventTransportConformance.sampleSeal(partition, count, root)
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        let path = String(request.url.trimmingPrefix("https://audit.example.org/"))
        if path.hasSuffix("/login") { return .session(user: "62b3", access: "A0", refresh: "R0") }
        return try state.withLock { state in
            state.paths.append(path)
            if let response = state.overrides[path.prefix { $0 != "?" }.description] { return response }
            if path == "api/v1/key" {
                let logKey = state.logKey.map { #","logKey":"\#($0)""# } ?? ""
                let key = Hexadecimal.text(state.signer.publicKey)
                let stated = String(decoding: try JSONEncoder().encode(state.successions), as: UTF8.self)
                return .json(200, #"{"publicKey":"\#(key)"\#(logKey),"successions":\#(stated)}"#)
            }
            if path == "api/v1/device-keys" { return try state.register(request.body) }
            if path == "log/checkpoint" {
                state.looks?.arrive()
                guard let published = state.published else { return .refusal(404, .rejected) }
                return HTTPResponse(status: 200, body: published.signed.note.bytes)
            }
            if path.hasPrefix("log/tile/") {
                guard let tile = Tile(path: String(path.dropFirst(4))), let bytes = state.published?.files[tile] else {
                    return .refusal(404, .rejected)
                }
                return HTTPResponse(status: 200, body: bytes)
            }
            if path.hasPrefix("api/v1/log/inclusion") { return try state.inclusion(path) }
            return try take(request.body, &state)
        }
    }

    private func take(_ body: [UInt8], _ state: inout State) throws -> HTTPResponse {
        let stretch = try body.withUnsafeBytes { try PartitionStretch(wireBytes: $0) }
        if let seal = stretch.seal, !state.entries.contains(where: { $0.partition == stretch.partition }) {
            state.append(seal, "62b3")
            if state.publishesAtOnce { try state.publish() }
        }
        return try state.signer.answer(
            DurabilityProof(
                partition: stretch.partition,
                durableThrough: stretch.lastSequence,
                root: stretch.root,
                isSealed: stretch.seal != nil
            ),
            issued: state.now
        )
    }
}

extension ServerWithLog.State {
    mutating func append(_ seal: PartitionSeal, _ user: String) {
        entries.append(
            PartitionLogEntry(
                index: UInt64(entries.count),
                app: "ward",
                user: user,
                received: EventInstant(microseconds: 1_700_000_000_000_000),
                seal: seal
            )
        )
    }

    mutating func publish() throws {
        log.entries = entries.map(\.canonicalBytes)
        published = try log.published()
    }

    fileprivate mutating func register(_ body: [UInt8]) throws -> HTTPResponse {
        let order = try JSONDecoder().decode([String: String].self, from: Data(body))
        let claim = try DeviceKeyClaim(Array((order["claim"] ?? "").utf8))
        if registrations[claim.publicKey] == nil {
            let registration = try DeviceRegistration(claim, receivedAt: now, signedBy: signer.noteSigner)
            registrations[claim.publicKey] = registration.text
        }
        let answer = ["registration": registrations[claim.publicKey] ?? ""]
        return HTTPResponse(status: 200, body: Array(try JSONEncoder().encode(answer)))
    }

    fileprivate func inclusion(_ path: String) throws -> HTTPResponse {
        struct Answer: Encodable {
            let entry: PartitionLogEntry
            let proof: InclusionProof
        }
        let query = URLComponents(string: path)?.queryItems ?? []
        let wanted = query.first { $0.name == "size" }?.value.flatMap { UInt64($0) } ?? UInt64(entries.count)
        let partition = query.first { $0.name == "partition" }?.value
        guard let index = entries.firstIndex(where: { $0.partition.value == partition }), UInt64(index) < wanted else {
            return .refusal(400, .rejected)
        }
        let tree = MerkleTree(leaves: entries.map(\.leaf))
        let entry = entries[index]
        let numbered = PartitionLogEntry(
            index: UInt64(index),
            app: entry.app,
            user: entry.user,
            received: entry.received,
            seal: entry.seal
        )
        let answer = Answer(entry: numbered, proof: tree.inclusionProof(of: UInt64(index), in: wanted))
        return HTTPResponse(status: 200, body: Array(try JSONEncoder().encode(answer)))
    }
}
