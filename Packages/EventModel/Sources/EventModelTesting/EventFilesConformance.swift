public import EventModel

/// The rules that every ``/EventModel/EventFiles`` keeps beyond those of a sink, for live files and fakes alike.
public struct EventFilesConformance<Files: EventFiles> {
    private let make: (EventEncryptionKey?) throws -> Files

    /// Creates the kit.
    ///
    /// - Parameter make: Opens new, empty files with a key for each rule.
    public init(make: @escaping (EventEncryptionKey?) throws -> Files) {
        self.make = make
    }

    /// Runs every rule on files of its own and returns those that are broken, as sentences.
    public func brokenRules() async -> [String] {
        let rules: [(sentence: String, check: () async throws -> String?)] = [
            ("Files that were opened with a key are shared with that key alone.", key),
            ("Files that were opened without a key are shared without one alone.", noKey),
            ("A change is announced after an append, and changes that nobody took are one.", changes),
            ("Closing ends the stream of changes, and a later one has ended.", endOfChanges),
            ("Nothing can be appended to closed files.", closed),
            ("Events are taken after a partition was closed, also one without new events.", emptySeal),
        ]
        var broken: [String] = []
        for rule in rules {
            do {
                if let difference = try await rule.check() { broken.append("\(rule.sentence) \(difference)") }
            } catch {
                broken.append("\(rule.sentence) It threw: \(error)")
            }
        }
        return broken
    }

    // MARK: - Rules

    private func isShared(_ files: Files, with key: EventEncryptionKey?) -> Bool {
        do {
            try files.requireKey(key)
            return true
        } catch {
            return false
        }
    }

    private func key() throws -> String? {
        let key = try Self.encryptionKey(7)
        let files = try make(key)
        if !isShared(files, with: key) { return "The same key was refused." }
        if isShared(files, with: try Self.encryptionKey(8)) { return "Another key was accepted." }
        return isShared(files, with: nil) ? "No key was accepted." : nil
    }

    private func noKey() throws -> String? {
        let files = try make(nil)
        if !isShared(files, with: nil) { return "No key was refused." }
        return isShared(files, with: try Self.encryptionKey(7)) ? "A key was accepted." : nil
    }

    private func changes() async throws -> String? {
        let files = try make(nil)
        var changes = files.changes().makeAsyncIterator()
        for number in 1...3 { _ = try files.append([Self.event(number)]) }
        if await changes.next() == nil { return "The stream ended." }
        try files.close()
        // Closing may be a change, too; what must not be there are three of them.
        var count = 0
        while await changes.next() != nil { count += 1 }
        return count > 1 ? "There were \(count) more." : nil
    }

    private func endOfChanges() async throws -> String? {
        let files = try make(nil)
        var before = files.changes().makeAsyncIterator()
        try files.close()
        var behind = files.changes().makeAsyncIterator()
        while await before.next() != nil {}
        return await behind.next() == nil ? nil : "A stream of closed files had an element."
    }

    private func closed() throws -> String? {
        let files = try make(nil)
        try files.close()
        do {
            _ = try files.append([Self.event(1)])
        } catch {
            return nil
        }
        return "An event was taken."
    }

    private func emptySeal() throws -> String? {
        let files = try make(nil)
        try files.seal()
        _ = try files.append([Self.event(1)])
        for _ in 0..<2 { try files.seal() }
        let count = try files.append([Self.event(2)]).count
        return count == 1 ? nil : "Of the event behind it, \(count) were stored."
    }

    private static func encryptionKey(_ byte: UInt8) throws -> EventEncryptionKey {
        try EventEncryptionKey([UInt8](repeating: byte, count: EventEncryptionKey.byteCount))
    }

    private static func event(_ number: Int) -> AuditEvent {
        let clock = ClockReading(
            wall: EventInstant(microseconds: Int64(number)),
            monotonicNanoseconds: UInt64(number),
            boot: Boot(high: 1, low: 1)
        )
        return AuditEvent(
            id: ObjectId(high: 0, low: UInt32(number)),
            clock: clock,
            activity: "event \(number)"
        )
    }
}
