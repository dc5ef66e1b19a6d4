/// What the handler of a collection is called with.
enum CollectionEvent: Equatable {
    case initial
    case update(deletions: [Int], insertions: [Int], modifications: [Int])
}

/// A handler of one collection, which is called with positions.
typealias CollectionObservation = ContentsObservation<ObservedSource.Contents>

extension ObservedSource.Contents: ObservedContents {
    static var initial: CollectionEvent { .initial }

    static func read(_ source: ObservedSource, after old: Self?) throws(Realm.Error) -> Self {
        try source.contents() ?? old?.empty ?? .rows([])
    }

    /// No elements of the same kind.
    private var empty: Self {
        switch self {
        case .rows: .rows([])
        case .values: .values([])
        }
    }

    func event(
        from old: Self,
        _ source: ObservedSource,
        _ changed: ChangedElements
    ) throws(Realm.Error) -> CollectionEvent? {
        let (oldKeys, newKeys) = Self.keys(old, self)
        let difference = ListDifference(from: oldKeys, to: newKeys, pairing: source.isAssignable)
        var modifications = difference.replacements
        if case .values(let values) = old {
            let linking = try changed.linking(values)
            if !linking.isEmpty {
                let numbers = Set(zip(values, oldKeys).filter { linking.contains($0.0) }.map(\.1))
                modifications = difference.modifications(in: oldKeys) { numbers.contains($0) }
            }
        } else if !changed.rows.isEmpty {
            modifications = difference.modifications(in: oldKeys) { changed.rows.contains($0) }
        }
        guard !difference.isEmpty || !modifications.isEmpty else { return nil }
        return .update(
            deletions: difference.deletions,
            insertions: difference.insertions,
            modifications: modifications
        )
    }

    /// Both as numbers that are equal where the elements are.
    private static func keys(_ old: Self, _ new: Self) -> ([Int64], [Int64]) {
        switch (old, new) {
        case (.rows(let old), .rows(let new)): return (old, new)
        case (.values(let old), .values(let new)):
            var numbers: [StoredValue: Int64] = [:]
            func number(_ value: StoredValue) -> Int64 {
                if let number = numbers[value] { return number }
                numbers[value] = Int64(numbers.count)
                return Int64(numbers.count - 1)
            }
            return (old.map(number), new.map(number))
        case (.rows(let old), .values): return (old, [])
        case (.values, .rows(let new)): return ([], new)
        }
    }
}
