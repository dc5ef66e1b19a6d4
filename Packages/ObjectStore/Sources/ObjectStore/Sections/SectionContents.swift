import Foundation

/// What a handler of sections compares: keys and elements at one version.
struct SectionContents<Key: Hashable, Element: RealmCollectionValue> {
    /// The elements of each section.
    enum Elements {
        /// The rows of objects.
        case rows([[Int64]])
        case values([[Element._Identity]])
    }

    let keys: [Key]
    let elements: Elements

    /// Compares these contents with older ones.
    ///
    /// - Parameters:
    ///   - old: What the handler knows.
    ///   - changed: The objects that changed in themselves.
    /// - Returns: What a handler is called with; nil when there is no difference.
    func event(from old: SectionContents, _ changed: ChangedKeys) -> SectionEvent? {
        let sections = Self.numbers(old.keys, keys)
        let difference = ListDifference(from: sections.old, to: sections.new)
        let (oldRows, newRows) = Self.rows(old.elements, elements)
        var event = SectionEvent()
        event.sectionsToDelete = IndexSet(difference.deletions)
        event.sectionsToInsert = IndexSet(difference.insertions)
        // What is left in both is the same sections in the same order.
        var new = keys.indices.lazy.filter { !event.sectionsToInsert.contains($0) }.makeIterator()
        for section in old.keys.indices {
            guard !event.sectionsToDelete.contains(section), let newSection = new.next() else {
                event.deletions += oldRows[section].indices.map { [section, $0] }
                continue
            }
            let rows = ListDifference(from: oldRows[section], to: newRows[newSection])
            event.deletions += rows.deletions.map { [section, $0] }
            event.insertions += rows.insertions.map { [newSection, $0] }
            guard !changed.isEmpty else { continue }
            event.modifications += rows.modifications(in: oldRows[section]) { changed.contains($0) }
                .map { [section, $0] }
        }
        for section in event.sectionsToInsert {
            event.insertions += newRows[section].indices.map { [section, $0] }
        }
        event.insertions.sort()
        return event.isEmpty ? nil : event
    }

    /// Both as numbers that are equal where the elements are.
    private static func rows(_ old: Elements, _ new: Elements) -> (old: [[Int64]], new: [[Int64]]) {
        switch (old, new) {
        case (.rows(let old), .rows(let new)): return (old, new)
        case (.values(let old), .values(let new)):
            let numbers = numbers(old.flatMap(\.self), new.flatMap(\.self))
            return (split(numbers.old, like: old), split(numbers.new, like: new))
        case (.rows(let old), .values(let new)): return (old, new.map { $0.map { _ in 0 } })
        case (.values(let old), .rows(let new)): return (old.map { $0.map { _ in 0 } }, new)
        }
    }

    private static func numbers<Value: Hashable>(_ old: [Value], _ new: [Value]) -> (old: [Int64], new: [Int64]) {
        var known: [Value: Int64] = [:]
        func number(_ value: Value) -> Int64 {
            if let number = known[value] { return number }
            let number = Int64(known.count)
            known[value] = number
            return number
        }
        return (old.map(number), new.map(number))
    }

    private static func split(_ numbers: [Int64], like sections: [[some Any]]) -> [[Int64]] {
        var rest = numbers[...]
        return sections.map { section in
            defer { rest = rest.dropFirst(section.count) }
            return Array(rest.prefix(section.count))
        }
    }
}

/// What happened to sections: paths of a section and an element in it.
struct SectionEvent {
    var deletions: [IndexPath] = []
    var insertions: [IndexPath] = []
    var modifications: [IndexPath] = []
    var sectionsToInsert = IndexSet()
    var sectionsToDelete = IndexSet()

    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
            && sectionsToDelete.isEmpty
    }

    /// What of it happened to one section, which had one index and has another one; nil when it is nothing.
    func part(_ old: Int?, _ new: Int?) -> SectionEvent? {
        var part = SectionEvent()
        if let old {
            part.deletions = deletions.filter { $0[0] == old }
            part.modifications = modifications.filter { $0[0] == old }
            if sectionsToDelete.contains(old) { part.sectionsToDelete = [old] }
        }
        if let new {
            part.insertions = insertions.filter { $0[0] == new }
            if sectionsToInsert.contains(new) { part.sectionsToInsert = [new] }
        }
        return part.isEmpty ? nil : part
    }
}
