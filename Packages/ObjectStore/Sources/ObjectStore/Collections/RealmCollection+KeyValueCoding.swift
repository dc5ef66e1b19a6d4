import EventModel
import ObjectQueries

extension RealmCollection {
    /// Reads a property of every element.
    ///
    /// - Returns: An array of the values in order, nil as an optional; `self` gives the elements.
    /// - Precondition: The class has the property.
    /// - Complexity: O(*n*) in the count of elements.
    public func value(forKey key: String) -> Any? {
        value(forKeyPath: key)
    }

    /// Reads what a path leads to from every element, or computes one value with an operator.
    ///
    /// The operators are `@count`, and before a path `@min`, `@max`, `@sum`, `@avg`, `@unionOfObjects` and
    /// `@distinctUnionOfObjects`.
    ///
    /// - Returns: An array of the values in order, or what the operator computes.
    /// - Precondition: The classes on the way have the properties.
    /// - Complexity: O(*n*) in the count of elements.
    public func value(forKeyPath keyPath: String) -> Any? {
        guard keyPath.hasPrefix("@") else {
            let path = PropertyPath(named: keyPath)
            return map { path.read(from: $0) } as [Any]
        }
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        let path = PropertyPath(named: parts.count > 1 ? parts[1] : "self")
        switch parts[0] {
        case "@count": return count
        case "@min": return computed(.min, path)
        case "@max": return computed(.max, path)
        case "@sum": return computed(.sum, path) ?? 0
        case "@avg": return computed(.average, path)
        case "@unionOfObjects": return map { path.read(from: $0) } as [Any]
        case "@distinctUnionOfObjects": return Array(self).distinct(by: [path]).map { path.read(from: $0) } as [Any]
        default:
            misuse("'\(parts[0])' is no operator; there are @count, @min, @max, @sum, @avg and unions of objects.")
        }
    }

    /// Writes a property of every element, converting the value as `create` does.
    ///
    /// - Precondition: The class has the property, and a transaction is open if the collection is managed. A value that
    ///   cannot be converted dooms the transaction.
    /// - Complexity: O(*n*) in the count of elements.
    public func setValue(_ value: Any?, forKey key: String) {
        // The elements as they are now: what is written may change the order.
        for element in Array(self) {
            guard let object = unwrapped(element).flatMap({ rootObject(of: $0) }) else {
                misuse("'\(key)' was set on a value of type '\(Element.self)', which has no properties.")
            }
            object.setValue(value, forKey: key)
        }
    }

    private func computed(_ aggregate: Aggregate, _ path: PropertyPath) -> Any? {
        Array(self).aggregate(aggregate, path)?.plain
    }
}

extension PropertyPath {
    /// Reads what the path leads to; the last property as it is, so that nil stays an optional.
    fileprivate func read(from element: Any) -> Any {
        guard let last = components.last else { return element }
        guard let owner = value(at: PropertyPath(Array(components.dropLast())), of: element) else {
            return Any?.none as Any
        }
        guard let object = rootObject(of: owner) else {
            misuse("'\(last)' was asked of a value of type '\(type(of: owner))', which has no properties.")
        }
        return object.value(forKey: last) as Any
    }
}

extension Value {
    /// The value of a number or a date, in its Swift type.
    fileprivate var plain: Any? {
        switch self {
        case .int(let number): Int(number)
        case .float(let number): number
        case .double(let number): number
        case .decimal128(let number): number
        case .date(let date): date
        default: nil
        }
    }
}
