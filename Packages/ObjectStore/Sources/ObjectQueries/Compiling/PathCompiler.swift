import EventModel

/// Turns paths into columns and subselects, joining the tables that they lead through.
struct PathCompiler {
    /// One property on the way of a path, with the class that has it.
    struct Step {
        let owner: ClassShape
        let property: PropertyShape
        /// The links that are followed from their target; the property only says what they lead to then.
        var backlink: QuerySchema.Backlink?
    }

    /// How many names a path may have; each may need two tables, of which SQLite joins at most 64.
    private static let maximumCount = 24

    let schema: QuerySchema
    /// The classes whose objects decide what a query finds.
    private(set) var classNames: Set<String> = []
    private var elementCount = 0

    init(schema: QuerySchema) {
        self.schema = schema
    }

    /// Checks a path name by name.
    mutating func steps(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> [Step] {
        guard path.components.count <= Self.maximumCount else {
            throw .tooComplex(
                className: shape.name,
                reason: "a path has \(path.components.count) names, at most \(Self.maximumCount) are possible"
            )
        }
        var steps: [Step] = []
        var owner = shape
        for (index, component) in path.components.enumerated() {
            let step = try step(component, from: owner, of: path)
            let property = step.property
            steps.append(step)
            classNames.insert(owner.name)
            if let backlink = step.backlink { classNames.insert(backlink.origin) }
            guard index < path.components.count - 1 else { break }
            guard property.kind == .link || property.kind == .embedded else {
                throw .invalidPath(
                    path: path.description,
                    className: shape.name,
                    reason: "'\(component)' is not a link, so nothing can follow it"
                )
            }
            owner = try schema.target(of: property)
        }
        return steps
    }

    private func step(
        _ component: String,
        from owner: ClassShape,
        of path: PropertyPath
    ) throws(QueryError) -> Step {
        if let property = owner.property(named: component) { return Step(owner: owner, property: property) }
        let backlinks = schema.backlinks(of: owner.name)
        guard let backlink = backlinks.first(where: { $0.name == component }) else {
            throw .unknownProperty(
                path: path.description,
                component: component,
                className: owner.name,
                suggestion: component.closest(in: owner.properties.map(\.name) + backlinks.map(\.name))
            )
        }
        let property = PropertyShape(name: component, kind: .link, collection: .list, targetClass: backlink.origin)
        return Step(owner: owner, property: property, backlink: backlink)
    }

    /// The column of a path that leads to one value.
    mutating func operand(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> Operand {
        guard let last = try single(path, from: scope.shape).last else { return object(in: scope) }
        let alias = try target(path.components.dropLast(), in: &scope)
        var result = value(
            column: "\(alias).\(schema.column(last.property, of: last.owner))",
            type: "\(alias).\(StorageNames.typeColumn(last.property))",
            of: last.property,
            isOptional: last.property.isOptional || path.components.count > 1,
            path: path,
            scope: scope
        )
        result.isIndexed = path.components.count == 1 && schema.isIndexed(last.property, of: scope.shape)
        return result
    }

    /// The object of a scope itself, as a link to it; the value of a scope that goes over values.
    func object(in scope: TableScope) -> Operand {
        if let element = scope.element {
            return value(
                column: "\(scope.alias).\(StorageNames.value)",
                type: "\(scope.alias).\(StorageNames.valueType)",
                of: element,
                isOptional: element.isOptional,
                path: .itself,
                scope: scope
            )
        }
        return Operand(
            sql: SQL("\(scope.alias).\(StorageNames.key)"),
            stored: SQL("\(scope.alias).\(StorageNames.key)"),
            kind: .link,
            isOptional: false,
            targetClass: scope.shape.name,
            path: "self",
            className: scope.shape.name
        )
    }

    /// The elements that a path leads to through at least one collection.
    mutating func elements(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> ElementScope {
        let steps = try steps(path, from: scope.shape)
        guard let index = steps.firstIndex(where: { $0.property.collection != .none }) else {
            throw .invalidPath(
                path: path.description,
                className: scope.shape.name,
                reason: "it leads to one value, so ANY, NONE and aggregates cannot be used"
            )
        }
        let step = steps[index]
        let ownerKey = try key(path.components[..<index], in: &scope)
        elementCount += 1
        let collection = try CollectionTable(step, alias: StorageNames.quoted("e\(elementCount)"), schema: schema)
        var result = ElementScope(
            collection,
            ownerKey: SQL(ownerKey),
            operand: value(
                column: collection.value,
                type: collection.valueType,
                of: step.property,
                isOptional: step.property.isOptional,
                path: path,
                scope: scope
            )
        )
        result.isIndexed = step.property.kind == .link
        guard index + 1 < steps.count else { return result }

        let target = try schema.target(of: step.property)
        var inner = TableScope(name: "t\(elementCount)", shape: target)
        let rest = PropertyPath(Array(path.components[(index + 1)...]))
        result.join(inner)
        if steps[(index + 1)...].contains(where: { $0.property.collection != .none }) {
            let nested = try elements(rest, in: &inner)
            result.tables += "\(inner.joins) JOIN \(nested.tables)"
            result.narrow(nested.owner)
            result.operand = nested.operand
            result.isIndexed = nested.isIndexed
        } else {
            result.operand = try operand(rest, in: &inner)
            result.tables += inner.joins
            // Behind another link the way back would lead through tables that are joined from this side.
            result.isIndexed = rest.components.count == 1 && schema.isIndexed(steps[index + 1].property, of: target)
        }
        result.operand.path = path.description
        result.operand.className = scope.shape.name
        return result
    }

    /// The objects that a path leads to through exactly one collection, which is its last component.
    mutating func objects(
        _ path: PropertyPath,
        in scope: inout TableScope
    ) throws(QueryError) -> (elements: ElementScope, scope: TableScope) {
        let property = try collection(path, from: scope.shape)
        guard property.kind == .link || property.kind == .embedded else {
            throw .invalidPath(
                path: path.description,
                className: scope.shape.name,
                reason: "its elements are not objects"
            )
        }
        var elements = try elements(path, in: &scope)
        let inner = TableScope(name: "t\(elementCount)", shape: try schema.target(of: property))
        elements.join(inner)
        return (elements, inner)
    }

    /// The property of a path that leads to a collection, but through none.
    mutating func collection(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> PropertyShape {
        try collectionStep(path, from: shape).property
    }

    /// The last step of a path that leads to a collection, but through none.
    mutating func collectionStep(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> Step {
        let steps = try steps(path, from: shape)
        guard let last = steps.last, last.property.collection != .none,
            steps.dropLast().allSatisfy({ $0.property.collection == .none })
        else {
            throw .invalidPath(
                path: path.description,
                className: shape.name,
                reason: "it must lead to a collection, and not through another one"
            )
        }
        return last
    }

    /// Checks a path that leads to one value.
    mutating func single(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> [Step] {
        let steps = try steps(path, from: shape)
        guard let many = steps.first(where: { $0.property.collection != .none }) else { return steps }
        throw .invalidPath(
            path: path.description,
            className: shape.name,
            reason: "'\(many.property.name)' is a collection, so ANY, NONE or an aggregate such as @count is needed"
        )
    }

    /// The property at the end of a path whose other names lead to one value; nil for the object itself.
    mutating func single(
        _ links: some Collection<String>,
        then name: String?,
        from shape: ClassShape
    ) throws(QueryError) -> PropertyShape? {
        guard let name else { return nil }
        let path = PropertyPath(Array(links) + [name])
        let steps = try steps(path, from: shape)
        if let last = steps.last, steps.dropLast().allSatisfy({ $0.property.collection == .none }) {
            return last.property
        }
        throw .invalidPath(
            path: path.description,
            className: shape.name,
            reason: "nothing in brackets can follow a path through a collection"
        )
    }

    /// The values at places of the lists and dictionaries inside a value of any type.
    mutating func nested(
        _ places: some Collection<QueryPredicate.Subscript>,
        in value: Operand
    ) throws(QueryError) -> ElementScope {
        var outer = value
        var result: ElementScope?
        for place in places {
            guard let type = outer.typeSQL, outer.kind == .any else { throw outer.invalid("its type is not known") }
            elementCount += 1
            let collection = CollectionTable(nested: place, alias: StorageNames.quoted("e\(elementCount)"))
            let ownerKey = outer.stored
            outer.sql = SQL(collection.value)
            outer.stored = outer.sql
            outer.typeSQL = SQL(collection.valueType)
            var scope = ElementScope(collection, ownerKey: ownerKey, operand: outer)
            scope.narrow("\(type) IN \(StorageNames.nestedTags)")
            switch place {
            case .key(let key): scope.narrow("\(collection.place) = \(.argument(.string(key)))")
            case .index(let index): scope.narrow(toIndex: index)
            case .any: break
            }
            guard var whole = result else {
                result = scope
                continue
            }
            whole.tables += " JOIN \(scope.tables)"
            whole.narrow(scope.owner)
            whole.operand = outer
            result = whole
        }
        guard let result, places.count <= Self.maximumCount else {
            throw .tooComplex(className: value.className, reason: "it has more than \(Self.maximumCount) brackets")
        }
        return result
    }

    // MARK: - Tables

    /// The alias of the table that links lead to.
    private mutating func target(
        _ links: some Collection<String>,
        in scope: inout TableScope
    ) throws(QueryError) -> String {
        guard let last = try steps(PropertyPath(Array(links)), from: scope.shape).last else { return scope.alias }
        let link = try key(links, in: &scope)
        return try scope.join(Array(links), link: link, target: try schema.target(of: last.property))
    }

    /// The column with the row of the object that links lead to: the last link itself, which needs no join.
    private mutating func key(
        _ links: some Collection<String>,
        in scope: inout TableScope
    ) throws(QueryError) -> String {
        guard let last = try steps(PropertyPath(Array(links)), from: scope.shape).last else {
            return "\(scope.alias).\(StorageNames.key)"
        }
        let alias = try target(Array(links.dropLast()), in: &scope)
        return "\(alias).\(StorageNames.column(last.property))"
    }

    private func value(
        column: String,
        type: String,
        of property: PropertyShape,
        isOptional: Bool,
        path: PropertyPath,
        scope: TableScope
    ) -> Operand {
        Operand(
            sql: SQL(property.kind == .decimal128 ? "\(QueryFunctions.decimalKeyName)(\(column))" : column),
            stored: SQL(column),
            typeSQL: property.kind == .any ? SQL(type) : nil,
            kind: property.kind,
            isOptional: isOptional || property.kind == .any,
            targetClass: property.targetClass,
            path: path.description,
            className: scope.shape.name
        )
    }
}
