import EventModel

/// A bucket of a store of objects that speaks S3, as far as a log needs one.
///
/// What never changes is never put in the place of something: not by us, whoever we are by now.
struct LogBucket: Sendable {
    /// An object as it was read.
    struct Object: Sendable, Hashable {
        let bytes: [UInt8]
        /// What says that it is still this one; nil where the store does not say.
        let tag: String?
    }

    /// How an object is served to whoever reads the bucket over HTTP.
    struct Service: Sendable {
        let contentType: String
        let cacheControl: String

        /// What stays as it is, as tiles.
        static func constant(_ contentType: String = "application/octet-stream") -> Service {
            Service(contentType: contentType, cacheControl: "public, max-age=31536000, immutable")
        }

        /// What is another text tomorrow.
        static let changing = Service(contentType: "text/plain; charset=utf-8", cacheControl: "no-cache")
    }

    /// Why a request did not do what it should.
    struct Failure: Error, Sendable {
        let concern: LogBucketConcern
    }

    /// How many bytes an answer may have that is no object, such as one that says what is wrong.
    private static let maximumWords = 65_536
    /// How many bytes a list of the partial tiles in one place may have: there are 255 at most.
    private static let maximumList = 1_048_576

    private let settings: LogBucketSettings
    private let transport: any BucketTransport
    private let clock: any EventClock
    private let signing: RequestSigning

    init(_ settings: LogBucketSettings, transport: any BucketTransport, clock: any EventClock) {
        self.settings = settings
        self.transport = transport
        self.clock = clock
        signing = RequestSigning(settings.credentials, region: settings.region)
    }

    // MARK: Reading

    /// Reads an object; nil when there is none.
    ///
    /// - Parameters:
    ///   - name: Its name, behind the prefix.
    ///   - limit: How many bytes it may have.
    /// - Returns: The object.
    /// - Throws: ``Failure``; `CancellationError`.
    func object(_ name: String, limit: Int) async throws -> Object? {
        let answer = try await ask(.get, name, limit: max(limit, Self.maximumWords))
        if answer.status == 404, [nil, "NoSuchKey"].contains(Self.code(answer)) { return nil }
        guard answer.status == 200 else { throw Self.failure(answer) }
        return Object(bytes: answer.body, tag: answer.entityTag.flatMap { Self.isPlain($0) ? $0 : nil })
    }

    /// Lists the widths of the partial tiles in a place.
    ///
    /// - Parameter folder: The path of a partial tile without its width, with a slash at its end.
    /// - Returns: The widths.
    /// - Throws: As ``object(_:limit:)``.
    func widths(in folder: String) async throws -> [Int] {
        let prefix = settings.prefix + folder
        let query: [BucketRequest.Field] = [
            .init("list-type", "2"), .init("max-keys", "1000"), .init("prefix", prefix),
        ]
        let answer = try await ask(.get, nil, query: query, limit: Self.maximumList)
        guard answer.status == 200 else { throw Self.failure(answer) }
        let text = String(decoding: answer.body, as: UTF8.self)
        // Names of ours have nothing that XML would write in another way.
        return text.split(separator: "<Key>", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                let name = part.prefix { $0 != "<" }
                guard name.hasPrefix(prefix), let width = Int(name.dropFirst(prefix.count)) else { return nil }
                return "\(prefix)\(width)" == name ? width : nil
            }
    }

    // MARK: Writing

    /// Puts an object that never changes, unless there is one.
    ///
    /// - Parameters:
    ///   - bytes: Its bytes.
    ///   - name: Its name, behind the prefix.
    ///   - service: How it is served.
    /// - Returns: Whether it is there with these bytes; what is there with others stays.
    /// - Throws: As ``object(_:limit:)``.
    func keep(_ bytes: [UInt8], as name: String, _ service: Service) async throws -> Bool {
        let answer = try await put(bytes, as: name, service, [.init("if-none-match", "*")])
        if Self.isDone(answer) { return true }
        switch answer.status {
        case 412:
            // Whoever removed it in between has it put again the next time.
            guard let there = try await object(name, limit: bytes.count) else { throw Self.failure(answer) }
            return there.bytes == bytes
        case 501:
            // A store that knows no conditions; then it is looked at first.
            if let there = try await object(name, limit: bytes.count) { return there.bytes == bytes }
            let plain = try await put(bytes, as: name, service, [])
            guard Self.isDone(plain) else { throw Self.failure(plain) }
            return true
        default: throw Self.failure(answer)
        }
    }

    /// Puts an object in the place of one that was read.
    ///
    /// - Parameters:
    ///   - there: What was read; nil when there was none.
    ///   - bytes: Its new bytes.
    ///   - name: Its name, behind the prefix.
    ///   - service: How it is served.
    /// - Returns: Whether it is there now; false when another one came in between, where the store notices that.
    /// - Throws: As ``object(_:limit:)``.
    func replace(_ there: Object?, with bytes: [UInt8], as name: String, _ service: Service) async throws -> Bool {
        var condition: [BucketRequest.Field] = [.init("if-none-match", "*")]
        if let there { condition = there.tag.map { [.init("if-match", $0)] } ?? [] }
        var answer = try await put(bytes, as: name, service, condition)
        if answer.status == 501, !condition.isEmpty { answer = try await put(bytes, as: name, service, []) }
        if answer.status == 412 { return false }
        guard Self.isDone(answer) else { throw Self.failure(answer) }
        return true
    }

    /// Removes an object; one that is not there is none.
    ///
    /// - Parameter name: Its name, behind the prefix.
    /// - Throws: As ``object(_:limit:)``.
    func remove(_ name: String) async throws {
        let answer = try await ask(.delete, name, limit: Self.maximumWords)
        guard Self.isDone(answer) || Self.code(answer) == "NoSuchKey" else { throw Self.failure(answer) }
    }

    // MARK: Asking

    private func put(
        _ bytes: [UInt8],
        as name: String,
        _ service: Service,
        _ conditions: [BucketRequest.Field]
    ) async throws -> OutsideResponse {
        let headers: [BucketRequest.Field] = [
            .init("content-type", service.contentType), .init("cache-control", service.cacheControl),
        ]
        return try await ask(.put, name, headers: headers + conditions, body: bytes, limit: Self.maximumWords)
    }

    /// Asks for an object, or, without a name, the bucket.
    private func ask(
        _ method: BucketRequest.Method,
        _ name: String?,
        query: [BucketRequest.Field] = [],
        headers: [BucketRequest.Field] = [],
        body: [UInt8] = [],
        limit: Int
    ) async throws -> OutsideResponse {
        let request = BucketRequest(
            method,
            scheme: settings.scheme,
            host: settings.host,
            path: settings.root + (name.map { settings.prefix + $0 } ?? ""),
            query: query,
            headers: headers,
            body: body
        )
        do {
            return try await transport.exchange(signing.signed(request, at: clock.now().wall), limit: limit)
        } catch {
            // What the end of the server breaks off is nothing of the bucket's.
            try Task.checkCancellation()
            throw Failure(concern: .unreachable(reason: String("\(error)".prefix(200))))
        }
    }

    private static func isDone(_ answer: OutsideResponse) -> Bool { (200...299).contains(answer.status) }

    private static func failure(_ answer: OutsideResponse) -> Failure {
        Failure(concern: .refused(status: answer.status, code: code(answer)))
    }

    /// The store's word for what is wrong, if it is one.
    private static func code(_ answer: OutsideResponse) -> String? {
        let text = String(decoding: answer.body.prefix(4096), as: UTF8.self)
        guard let start = text.firstRange(of: "<Code>") else { return nil }
        let word = text[start.upperBound...].prefix { $0 != "<" }
        return (1...64).contains(word.count) && word.utf8.allSatisfy { isLetter($0) } ? String(word) : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether a tag can go back in a header.
    private static func isPlain(_ tag: String) -> Bool {
        (1...128).contains(tag.utf8.count) && tag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
