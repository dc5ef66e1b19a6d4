public import EventModel

/// The rules that every ``/EventModel/ScopeJournalStore`` keeps, to be run against live stores and fakes alike.
///
/// ```swift
/// let kit = ScopeJournalConformance { InMemoryScopeJournals() }
/// #expect(kit.brokenRules() == [])
/// ```
public struct ScopeJournalConformance<Store: ScopeJournalStore> {
    private let make: () throws -> Store

    /// Creates the kit.
    ///
    /// - Parameter make: Makes a new, empty store for each rule.
    public init(make: @escaping () throws -> Store) {
        self.make = make
    }

    /// Runs every rule on a store of its own and returns those that are broken, as sentences.
    public func brokenRules() -> [String] {
        let rules: [(sentence: String, check: (Store) throws -> String?)] = [
            ("Blocks are found and read in the order in which they were appended.", order),
            ("A block is read while others are appended.", readingBesideAppending),
            ("An erased block is neither found nor read, and the others stay.", erasing),
            ("A removed journal is not left behind.", removing),
            ("A journal that its owner still has is not left behind.", owned),
            ("A journal that was dropped is left behind once, with its blocks, and takes more.", leftBehind),
            ("Journals are left behind oldest first, and ids increase.", oldestFirst),
            ("Everybody can read how the journals of others begin, and changes nothing.", beginnings),
            ("A journal exists until it is removed, whoever has it.", existing),
            ("What a journal has protected, it opens again, also after its owner is gone.", sealing),
            ("A realm has one address, and another realm another one.", addresses),
        ]
        return rules.compactMap { rule in
            do {
                return try rule.check(make()).map { "\(rule.sentence) \($0)" }
            } catch {
                return "\(rule.sentence) It threw: \(error)"
            }
        }
    }

    // MARK: - Rules

    private static var samples: [[UInt8]] {
        [[1], [2, 2], [UInt8](repeating: 3, count: 300_000), Array("four".utf8)]
    }

    private func order(_ store: Store) throws -> String? {
        let journal = try store.begin()
        guard try journal.blocks().isEmpty else { return "A new journal has blocks." }
        let appended = try Self.samples.map { try journal.append($0) }
        guard try journal.blocks() == appended else { return "The places differ." }
        return try appended.map(journal.read) == Self.samples ? nil : "The contents differ."
    }

    private func readingBesideAppending(_ store: Store) throws -> String? {
        let journal = try store.begin()
        var appended: [ScopeJournalBlock] = []
        for (index, sample) in Self.samples.enumerated() {
            appended.append(try journal.append(sample))
            let earlier = index / 2
            guard try journal.read(appended[earlier]) == Self.samples[earlier] else { return "The contents differ." }
        }
        return nil
    }

    private func erasing(_ store: Store) throws -> String? {
        let journal = try store.begin()
        let appended = try Self.samples.map { try journal.append($0) }
        try journal.erase(appended[1])
        try journal.erase(appended[2])
        guard try journal.blocks() == [appended[0], appended[3]] else { return "The places differ." }
        do {
            _ = try journal.read(appended[2])
            return "It was read."
        } catch {
            return try journal.read(appended[3]) == Self.samples[3] ? nil : "The contents differ."
        }
    }

    private func removing(_ store: Store) throws -> String? {
        do {
            let journal = try store.begin()
            _ = try journal.append([1])
            try journal.remove()
        }
        return try store.leftBehind().isEmpty ? nil : "It is."
    }

    private func owned(_ store: Store) throws -> String? {
        let journal = try store.begin()
        _ = try journal.append([1])
        return try withExtendedLifetime(journal) { try store.leftBehind().isEmpty ? nil : "It is." }
    }

    private func leftBehind(_ store: Store) throws -> String? {
        do {
            let journal = try store.begin()
            for sample in Self.samples { _ = try journal.append(sample) }
        }
        let found = try store.leftBehind()
        guard found.count == 1, let journal = found.first else { return "\(found.count) journals were found." }
        guard try store.leftBehind().isEmpty else { return "It was given out twice." }
        guard try journal.blocks().map(journal.read) == Self.samples else { return "The contents differ." }
        let more = try journal.append([5])
        guard try journal.read(more) == [5], try journal.blocks().last == more else { return "It took no more." }
        try journal.remove()
        return try store.leftBehind().isEmpty ? nil : "It stayed after it was removed."
    }

    private func beginnings(_ store: Store) throws -> String? {
        let journals = try (0..<3).map { _ in try store.begin() }
        for (number, journal) in journals.dropLast().enumerated() {
            for block in 0..<2 { _ = try journal.append([UInt8(number), UInt8(block)]) }
        }
        guard try store.firstBlocks(besides: []).sorted(by: { $0[0] < $1[0] }) == [[0, 0], [1, 0]] else {
            return "Blocks are missing, or wrong."
        }
        guard try store.firstBlocks(besides: [journals[0]]) == [[1, 0]] else { return "A known one is not left out." }
        let more = try journals[1].append([1, 2])
        guard try journals[1].read(more) == [1, 2] else { return "The owner cannot append." }
        try journals[1].remove()
        return try store.firstBlocks(besides: [journals[0]]).isEmpty ? nil : "One that was removed still begins."
    }

    private func existing(_ store: Store) throws -> String? {
        let unknown = try store.exists(ObjectId(high: 1, low: 1))
        let id: ObjectId
        do {
            let journal = try store.begin()
            try journal.synchronize()
            id = journal.id
            guard try store.exists(id) else { return "A new one does not." }
        }
        guard !unknown, try store.exists(id) else { return "One that was dropped does not, or another one does." }
        for journal in try store.leftBehind() { try journal.remove() }
        return try store.exists(id) ? "It does afterwards." : nil
    }

    private func sealing(_ store: Store) throws -> String? {
        var sealed: [[UInt8]] = []
        do {
            let journal = try store.begin()
            // Blocks and protected bytes come in turns.
            for sample in [[]] + Self.samples {
                sealed.append(try journal.seal(sample))
                _ = try journal.append(sample + [1])
            }
            guard try sealed.map(journal.open) == [[]] + Self.samples else { return "The bytes differ." }
        }
        guard let journal = try store.leftBehind().first else { return "The journal is not left behind." }
        guard try sealed.reversed().map(journal.open) == Self.samples.reversed() + [[]] else {
            return "The bytes differ afterwards."
        }
        sealed.append(try journal.seal([9]))
        return try sealed.map(journal.open).last == [9] ? nil : "It protects no more."
    }

    private func addresses(_ store: Store) throws -> String? {
        let (first, second) = (store.address(of: "/data/a.realm"), store.address(of: "/data/b.realm"))
        guard first == store.address(of: "/data/a.realm") else { return "It changes." }
        return first.name != second.name && first.place != second.place ? nil : "They are \(first) and \(second)."
    }

    private func oldestFirst(_ store: Store) throws -> String? {
        var ids: [ObjectId] = []
        do {
            let journals = try (0..<3).map { _ in try store.begin() }
            for journal in journals { _ = try journal.append([1]) }
            ids = journals.map(\.id)
        }
        guard ids == ids.sorted() else { return "The ids are \(ids)." }
        return try store.leftBehind().map(\.id) == ids ? nil : "The order differs."
    }
}
