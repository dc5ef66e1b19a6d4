import Foundation
public import LogPublishing
import Synchronization

/// A bucket of a store of objects in memory, as far as a log needs one; tests take it away, have it fail, and see what it was asked.
///
/// It checks no signatures; `Tools/lib/bucket.py` is a store that does, and that others wrote.
public final class SampleBucket: BucketTransport {
    /// How a request fails.
    public enum Fault: Sendable, CaseIterable {
        /// Nothing arrives.
        case away
        /// It is answered that there is no room.
        case refused
        /// It is done, and the answer is lost.
        case lost
    }

    /// What it does with conditions.
    public enum Conditions: Sendable, CaseIterable {
        /// It heeds them.
        case heeded
        /// It answers that it does not know them.
        case refused
        /// It does as if they were not there.
        case ignored
    }

    /// That it does not answer.
    struct Away: Error, CustomStringConvertible {
        let description = "nobody is there"
    }

    /// An object, and how it is served.
    public struct Object: Sendable, Hashable {
        /// Its bytes.
        public let bytes: [UInt8]
        /// Its type.
        public let contentType: String?
        /// How long whoever has it may keep it.
        public let cacheControl: String?
    }

    /// A request, with the name that it is about; that of a list is its prefix.
    public struct Asked: Sendable, Hashable {
        /// What was done.
        public let method: String
        /// The name.
        public let name: String
    }

    private struct State {
        var objects: [String: Object] = [:]  // TEXT: names of ours, in ASCII.
        var asked: [Asked] = []
        var snapshots: [[String: Object]] = []  // TEXT: as above.
        var faults: [Int: Fault] = [:]
        var answers: [OutsideResponse] = []
    }

    /// The beginning of its path.
    private let root: String
    private let conditions: Conditions
    private let state = Mutex(State())

    /// Makes an empty bucket.
    public init(_ name: String = "our-log", conditions: Conditions = .heeded) {
        root = "/\(name)/"
        self.conditions = conditions
    }

    // MARK: What it has

    /// All objects, by their names.
    public var objects: [String: Object] {  // TEXT: as above.
        get { state.withLock { $0.objects } }
        set { state.withLock { $0.objects = newValue } }
    }

    /// What it was asked, from the first on.
    public var asked: [Asked] { state.withLock { $0.asked } }

    /// What it had whenever a checkpoint was put, or something was removed.
    public var snapshots: [[String: Object]] { state.withLock { $0.snapshots } }  // TEXT: as above.

    /// Forgets what it was asked and had.
    public func forget() { state.withLock { ($0.asked, $0.snapshots) = ([], []) } }

    /// Puts something there as somebody else who has a key.
    public func put(_ bytes: [UInt8]?, as name: String) {
        state.withLock {
            $0.objects[name] = bytes.map { Object(bytes: $0, contentType: nil, cacheControl: nil) }
        }
    }

    // MARK: What goes wrong

    /// Has the request fail before which there were so many.
    public func fail(at place: Int, _ fault: Fault) { state.withLock { $0.faults[place] = fault } }

    /// Has it give these answers first, without thinking.
    public func say(_ answers: [OutsideResponse]) { state.withLock { $0.answers += answers } }

    // MARK: Answering

    /// Answers a request, or does not.
    public func exchange(_ request: BucketRequest, limit: Int) async throws -> OutsideResponse {
        guard let url = URLComponents(string: request.url) else { return OutsideResponse(status: 400) }
        return try answer(to: request.method, url, request.body) { name in
            request.headers.first { $0.name == name }?.value
        }
    }

    func answer(
        to method: BucketRequest.Method,
        _ url: URLComponents,
        _ body: [UInt8],
        header: (String) -> String?
    ) throws -> OutsideResponse {
        let prefix = url.queryItems?.first { $0.name == "prefix" }?.value
        let name = url.path.hasPrefix(root) ? String(url.path.dropFirst(root.count)) : nil
        return try state.withLock { state in
            let place = state.asked.count
            state.asked.append(Asked(method: method.rawValue, name: prefix ?? name ?? url.path))
            let fault = state.faults[place]
            if fault == .away { throw Away() }
            if fault == .refused { return Self.refusal(503, "SlowDown") }
            if !state.answers.isEmpty { return state.answers.removeFirst() }
            guard let name else { return Self.refusal(404, "NoSuchBucket") }
            guard header("authorization") != nil else { return Self.refusal(403, "AccessDenied") }
            let answer: OutsideResponse
            switch method {
            case .get: answer = Self.get(name, prefix, state)
            case .put:
                let object = Object(
                    bytes: body,
                    contentType: header("content-type"),
                    cacheControl: header("cache-control")
                )
                answer = put(object, name, [header("if-none-match"), header("if-match")], &state)
            case .delete:
                state.objects[name] = nil
                state.snapshots.append(state.objects)
                answer = OutsideResponse(status: 204)
            }
            if fault == .lost { throw Away() }
            return answer
        }
    }

    private static func get(_ name: String, _ prefix: String?, _ state: State) -> OutsideResponse {
        if let prefix {
            let keys = state.objects.keys.filter { $0.hasPrefix(prefix) }.sorted().map { "<Key>\($0)</Key>" }
            let list = "<ListBucketResult><Prefix>\(prefix)</Prefix>\(keys.joined())</ListBucketResult>"
            return OutsideResponse(status: 200, contentType: "application/xml", body: Array(list.utf8))
        }
        guard let object = state.objects[name] else { return refusal(404, "NoSuchKey") }
        return OutsideResponse(
            status: 200,
            contentType: object.contentType,
            entityTag: tag(of: object),
            body: object.bytes
        )
    }

    private func put(
        _ object: Object,
        _ name: String,
        _ asked: [String?],
        _ state: inout State
    ) -> OutsideResponse {
        if conditions == .refused, asked != [nil, nil] { return Self.refusal(501, "NotImplemented") }
        if conditions == .heeded {
            let there = state.objects[name].map { Self.tag(of: $0) }
            if asked[0] != nil && there != nil { return Self.refusal(412, "PreconditionFailed") }
            if let tag = asked[1], tag != there { return Self.refusal(412, "PreconditionFailed") }
        }
        state.objects[name] = object
        if name.hasSuffix("checkpoint"), !name.contains("time-stamps") { state.snapshots.append(state.objects) }
        return OutsideResponse(status: 200, entityTag: Self.tag(of: object))
    }

    private static func tag(of object: Object) -> String {
        "\"\(object.bytes.count)-\(object.bytes.reduce(5381 as UInt64) { $0 &* 33 &+ UInt64($1) })\""
    }

    private static func refusal(_ status: Int, _ code: String) -> OutsideResponse {
        OutsideResponse(
            status: status,
            contentType: "application/xml",
            body: Array("<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>".utf8)
        )
    }
}
