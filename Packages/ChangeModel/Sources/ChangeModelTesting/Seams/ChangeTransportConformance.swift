public import ChangeModel
public import EventModel

/// The promises of every `ChangeTransport`, to be checked against live ones and fakes alike.
public struct ChangeTransportConformance {
    private let make: () async throws -> any ChangeTransport
    private let schemaHash: Digest
    private let schema: [UInt8]?
    private let deviceKey: [UInt8]
    private let hash: ChangeChain.Hash
    private let beginning: Digest
    private let signing: (Digest) -> [UInt8]
    private let smallestLimit: Int
    /// How many objects there are where answers are cut: more than fit in the smallest one.
    private var count: Int { smallestLimit == 1 ? 3 : smallestLimit / 8 }

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - schemaHash: The hash of a schema that the server takes, with a class `Person` with an integer key and an
    ///     integer `age`.
    ///   - schema: Its bytes.
    ///   - deviceKey: The key with which the kit presents its files.
    ///   - hash: The hash of chains that the server uses.
    ///   - beginning: The head of the chain of a file without changes.
    ///   - signing: Signs a chain with the key.
    ///   - smallestLimit: The bytes that an answer may have where fewer are asked for; 1 when left out.
    ///   - make: Makes a way to a new, empty realm for each promise.
    public init(
        schemaHash: Digest = .sample,
        schema: [UInt8]? = nil,
        deviceKey: [UInt8] = [1],
        hash: @escaping ChangeChain.Hash = Digest.mixing,
        beginning: Digest = .sample,
        signing: @escaping (Digest) -> [UInt8] = { $0.bytes + $0.bytes },
        smallestLimit: Int = 1,
        make: @escaping () async throws -> any ChangeTransport
    ) {
        self.schemaHash = schemaHash
        self.schema = schema
        self.deviceKey = deviceKey
        self.hash = hash
        self.beginning = beginning
        self.signing = signing
        self.smallestLimit = smallestLimit
        self.make = make
    }

    /// Checks every promise on a realm of its own, and returns those that are broken, as sentences.
    public func brokenPromises() async -> [String] {
        let promises: [(sentence: String, check: (any ChangeTransport) async throws -> String?)] = [
            ("A file is known again, and a copy is not taken for it.", binding),
            ("A batch that is sent twice is taken once.", twice),
            ("A gap is named, and nothing behind it is taken.", gap),
            ("Other bytes under a number that was taken are a conflict.", conflict),
            ("Entries come in order from any position, one at least.", entries),
            ("Another history is named.", history),
            ("Pages have each object once, in order.", pages),
        ]
        var broken: [String] = []
        for promise in promises {
            do {
                if let wrong = try await promise.check(make()) { broken.append("\(promise.sentence) \(wrong)") }
            } catch {
                broken.append("\(promise.sentence) It threw: \(error)")
            }
        }
        return broken
    }

    private func request(_ binding: FileBinding? = nil, acknowledged: Int = 0, made: Int = 9) -> BindRequest {
        BindRequest(
            binding: binding,
            acknowledged: acknowledged,
            made: made,
            schemaHash: schemaHash,
            schema: schema,
            deviceKey: deviceKey
        )
    }

    /// Makes a batch of changes that create one object each.
    private func batch(_ binding: FileBinding, _ ages: [Int64], first: Int = 1) throws -> [UInt8] {
        let changes = ages.enumerated()
            .map { index, age in
                Change.sample(
                    number: first + index,
                    milliseconds: Int64(1000 * (first + index)),
                    operations: [ObjectAddress.sample(Int64(first + index)).create(["age": .int(age)])]
                )
            }
        let chain = ChangeChain(head: beginning, hash: hash)
        return try SignedBatch(ChangeBatch(file: binding.file, changes: changes), after: chain, signing: signing).bytes
    }

    private func failure(_ body: () async throws -> Void) async -> SyncFailure? {
        do {
            try await body()
            return nil
        } catch {
            return if case .failed(let failure) = error as? ChangeModelError { failure } else { nil }
        }
    }
}

// MARK: - Promises

extension ChangeTransportConformance {
    private func binding(_ transport: any ChangeTransport) async throws -> String? {
        let first = try await transport.bind(request())
        let second = try await transport.bind(request())
        guard first.binding.file > 0, first.binding.file != second.binding.file else {
            return "Two files have one number."
        }
        guard try await transport.bind(request(first.binding)).binding == first.binding else {
            return "It got another one."
        }
        _ = try await transport.send(batch(first.binding, [1, 2]))
        guard try await transport.bind(request(first.binding)).acknowledged == 2 else {
            return "The server does not say what it has."
        }
        let copy = FileBinding(history: first.binding.history, file: first.binding.file, salt: second.binding.salt)
        guard await failure({ _ = try await transport.bind(request(copy)) }) == .fileInUse else {
            return "Another salt was taken."
        }
        guard await failure({ _ = try await transport.bind(request(first.binding, made: 1)) }) == .fileInUse else {
            return "A copy that made less than the server has was taken."
        }
        let restored = await failure { _ = try await transport.bind(request(first.binding, acknowledged: 3)) }
        return restored == .historyChanged ? nil : "A file that knows more than the server was taken."
    }

    private func twice(_ transport: any ChangeTransport) async throws -> String? {
        let binding = try await transport.bind(request()).binding
        let batch = try batch(binding, [1, 2])
        let first = try await transport.send(batch)
        let second = try await transport.send(batch)
        guard first.acknowledged == 2, first.head == 2 else { return "The first answer is \(first)." }
        return second.acknowledged == 2 && second.head == 2 ? nil : "The second answer is \(second)."
    }

    private func gap(_ transport: any ChangeTransport) async throws -> String? {
        let answer = try await transport.bind(request())
        let batch = try batch(answer.binding, [1], first: 2)
        guard await failure({ _ = try await transport.send(batch) }) == .gap(expected: 1) else {
            return "It is not named."
        }
        return try await transport.bind(request(answer.binding)).head == 0 ? nil : "Something was taken."
    }

    private func conflict(_ transport: any ChangeTransport) async throws -> String? {
        let binding = try await transport.bind(request()).binding
        _ = try await transport.send(batch(binding, [1]))
        let other = try batch(binding, [9])
        return await failure { _ = try await transport.send(other) } == .conflict ? nil : "It was taken."
    }

    private func entries(_ transport: any ChangeTransport) async throws -> String? {
        let binding = try await transport.bind(request()).binding
        let history = binding.history
        let empty = try await transport.entries(after: 0, history: history, wait: .zero, limit: 1 << 20)
        guard empty.encoded.isEmpty, empty.head == 0 else { return "A new realm has some." }
        _ = try await transport.send(batch(binding, (1...count).map { Int64($0) }))
        let all = try await transport.entries(after: 0, history: history, wait: .zero, limit: 1 << 20)
        guard try all.entries.map(\.number) == Array(1...count), all.head == count else { return "All are \(all)." }
        let rest = try await transport.entries(after: count - 1, history: history, wait: .seconds(50), limit: 1 << 20)
        guard rest.encoded == [all.encoded[count - 1]] else { return "The last one has other bytes, or is not alone." }
        let some = try await transport.entries(after: 1, history: history, wait: .zero, limit: smallestLimit).encoded
        guard !some.isEmpty, some == Array(all.encoded.dropFirst().prefix(some.count)) else {
            return "Others come than those behind the position."
        }
        let isWithin = some.count == 1 || some.reduce(0) { $0 + $1.count } <= smallestLimit
        return isWithin ? nil : "Of a limit of \(smallestLimit) bytes come \(some.count)."
    }

    private func history(_ transport: any ChangeTransport) async throws -> String? {
        let binding = try await transport.bind(request()).binding
        let other = HistoryID(binding.history.bytes.map { ~$0 }) ?? .sample(1)
        let changed = FileBinding(history: other, file: binding.file, salt: binding.salt)
        let failures = [
            await failure { _ = try await transport.bind(request(changed)) },
            await failure { _ = try await transport.entries(after: 0, history: other, wait: .zero, limit: 1) },
            await failure { _ = try await transport.objects(after: nil, history: other, limit: 1) },
        ]
        return failures == [.historyChanged, .historyChanged, .historyChanged] ? nil : "The failures are \(failures)."
    }

    private func pages(_ transport: any ChangeTransport) async throws -> String? {
        let binding = try await transport.bind(request()).binding
        _ = try await transport.send(batch(binding, (1...count).map { Int64($0) }))
        var objects: [SnapshotObject] = []
        var cursor: SnapshotCursor?
        repeat {
            let page = try await transport.objects(after: cursor, history: binding.history, limit: smallestLimit)
            let isWithin = page.objects.count <= 1 || page.encoded.count <= smallestLimit + SnapshotCursor.maximumBytes
            guard page.head == count, page.objects.count < count, isWithin else { return "A page is \(page)." }
            objects += page.objects
            cursor = page.next
        } while cursor != nil && objects.count <= count
        guard objects.map(\.object) == (1...count).map({ .sample(Int64($0)) }) else {
            return "The objects are \(objects)."
        }
        return objects.map(\.changed) == Array(1...count) ? nil : "They changed at \(objects.map(\.changed))."
    }
}
