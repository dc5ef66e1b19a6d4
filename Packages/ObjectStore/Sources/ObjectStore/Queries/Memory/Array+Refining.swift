import EventModel
import ObjectQueries

// What the database does for managed collections, done in memory for those of unmanaged objects.
extension Array where Element: RealmCollectionValue {
    /// The elements in the order of paths; the order that was there before decides among equals.
    func sorted(by sort: [QuerySort]) -> [Element] {
        let keys = map { element in sort.map { Value(orderedAt: $0.path, of: element) } }
        return
            indices
            .sorted { left, right in
                for (index, sort) in sort.enumerated() {
                    let (first, second) = (keys[left][index], keys[right][index])
                    if first.isOrdered(before: second) { return sort.ascending }
                    if second.isOrdered(before: first) { return !sort.ascending }
                }
                return left < right
            }
            .map { self[$0] }
    }

    /// The first element of each group that has the same values.
    func distinct(by paths: [PropertyPath]) -> [Element] {
        guard !paths.isEmpty else { return self }
        var seen: Set<[AnyHashable?]> = []
        let links = paths.filter { $0.components.count > 1 }.map { PropertyPath($0.components.dropLast()) }
        // What a path leads to through no object belongs to no group.
        let linked = filter { element in links.allSatisfy { value(at: $0, of: element) != nil } }
        return linked.filter { element in seen.insert(paths.map { Self.key(value(at: $0, of: element)) }).inserted }
    }

    /// Text is the same only when its bytes are; everything else when it is equal.
    private static func key(_ value: Any?) -> AnyHashable? {
        guard let value else { return nil }
        if let text = value as? String { return [UInt8](text.utf8) as AnyHashable }
        return value as? AnyHashable
    }

    /// Computes an aggregate of the values that a path leads to.
    func aggregate(_ aggregate: Aggregate, _ path: PropertyPath) -> Value? {
        var fold = AggregateFold(aggregate)
        for element in self {
            guard let value = value(at: path, of: element) else { continue }
            let converted = Value(persisted: value)
            if Self.isOfAnyType(path, element) {
                // Of values of any type those count that are numbers or dates.
                if let converted { fold.add(converted) }
                continue
            }
            guard let converted else {
                misuse("The \(aggregate.rawValue) of '\(path)' is not possible: it is no number.")
            }
            switch converted {
            case .int, .float, .double, .decimal128: fold.add(converted)
            case .date where aggregate == .min || aggregate == .max: fold.add(converted)
            default: misuse("The \(aggregate.rawValue) of '\(path)' is not possible: it is no number.")
            }
        }
        return fold.result
    }

    /// Whether a path leads to a value that may have any type.
    private static func isOfAnyType(_ path: PropertyPath, _ element: Element) -> Bool {
        guard let last = path.components.last else { return element is AnyRealmValue }
        let owner = value(at: PropertyPath(path.components.dropLast()), of: element) as? ObjectBase
        return owner?.isOfAnyType(last) ?? false
    }
}

/// Reads what a path leads to from an element; nil when a link on the way, or the value, is nil.
///
/// - Precondition: The classes on the way have the properties.
func value(at path: PropertyPath, of element: Any) -> Any? {
    var current = unwrapped(element)
    for component in path.components {
        guard let value = current else { return nil }
        guard let object = value as? ObjectBase else {
            misuse("'\(component)' was asked of a value of type '\(type(of: value))', which has no properties.")
        }
        current = object.value(forKey: component).flatMap { unwrapped($0) }
    }
    return current
}

extension Value {
    fileprivate init(orderedAt path: PropertyPath, of element: Any) {
        let found = ObjectStore.value(at: path, of: element)
        guard let found else {
            self = .null
            return
        }
        switch Value(persisted: found) {
        case nil, .link, .object, .list, .dictionary:
            misuse("A collection cannot be ordered by '\(path)': values of type '\(type(of: found))' have no order.")
        case let value?: self = value
        }
    }
}
