import ObjectStore

extension RealmWindow {
    /// Which objects of a class are asked for, and in which order.
    public struct Selection: Sendable {
        /// The class.
        public var className: String
        /// A condition in the query language, such as `age > 3`; nil for all.
        public var condition: String?
        /// The property to sort by; nil for the order of the file.
        public var order: String?
        /// Whether the largest comes first.
        public var isDescending: Bool
        /// How many objects are left out at the beginning.
        public var offset: Int
        /// How many objects come at most; nil for all.
        public var limit: Int?

        /// Selects objects; without more than a class, all of it.
        public init(
            _ className: String,
            where condition: String? = nil,
            sortedBy order: String? = nil,
            isDescending: Bool = false,
            offset: Int = 0,
            limit: Int? = nil
        ) {
            self.className = className
            self.condition = condition
            self.order = order
            self.isDescending = isDescending
            self.offset = offset
            self.limit = limit
        }
    }

    /// Counts the objects that fulfil a condition, whatever the limit.
    ///
    /// - Parameter selection: Which objects.
    /// - Returns: How many.
    /// - Throws: ``RealmWindowError`` for a class, a condition or an order that the file does not have, and the error of the store when the
    ///   file is damaged.
    public func count(of selection: Selection) throws -> Int { try realm.read { _ in try results(selection).count } }

    /// Reads objects one after the other, so that memory stays flat.
    ///
    /// - Parameters:
    ///   - selection: Which objects.
    ///   - bounds: How much of each object is read; all by default.
    ///   - body: Is called with each.
    /// - Throws: As ``count(of:)``, and what the body throws.
    /// - Complexity: O(*n*) in the count of objects before the end of the selection.
    public func forEachObject(
        of selection: Selection,
        within bounds: WindowBounds = .everything,
        _ body: (WindowObject) throws -> Void
    ) throws {
        let schema = try schema(of: selection.className)
        let results = try results(selection)
        try realm.read { realm in
            var place = 0
            let end = selection.limit.map { selection.offset + $0 } ?? .max
            for object in results {
                guard place < end else { break }
                // What could not be read is not handed out as if it were empty.
                if place >= selection.offset {
                    var reader = ValueReader(bounds)
                    try body(try realm.read { _ in reader.object(object, schema) })
                }
                place += 1
            }
        }
    }

    private func results(_ selection: Selection) throws -> Results<DynamicObject> {
        let schema = try schema(of: selection.className)
        var results = realm.dynamicObjects(selection.className)
        if let condition = selection.condition {
            do {
                results = try results.filter(parsing: condition)
            } catch {
                throw RealmWindowError.badCondition("\(error)")
            }
        }
        guard let order = selection.order else { return results }
        let known = WindowClass(schema, count: 0).properties.filter { $0.isSingle && $0.target == nil }.map(\.name)
        guard known.contains(order) else {
            throw RealmWindowError.missingProperty(order, className: schema.className, known: known)
        }
        return results.sorted(byKeyPath: order, ascending: !selection.isDescending)
    }
}
