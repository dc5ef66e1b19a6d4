import EventModel

/// Turns paths into columns and subselects, joining the tables that they lead through.
struct PathCompiler {
    /// One property on the way of a path, with the class that has it.
    struct Step {
        let owner: ClassShape
        let property: PropertyShape
    }

    let schema: QuerySchema
    private var elementCount = 0

    init(schema: QuerySchema) {
        self.schema = schema
    }

    /// Checks a path name by name.
    func steps(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> [Step] {
        var steps: [Step] = []
        var owner = shape
        for (index, component) in path.components.enumerated() {
            let properties = owner.properties
            guard
                let property = properties.first(where: { $0.name == component })
                    ?? properties.first(where: { $0.columnName == component })
            else {
                throw .unknownProperty(
                    path: path.description,
                    component: component,
                    className: owner.name,
                    suggestion: component.closest(in: properties.map(\.name))
                )
            }
            steps.append(Step(owner: owner, property: property))
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

    /// The column of a path that leads to one value.
    func operand(_ path: PropertyPath, in scope: inout TableScope) throws(QueryError) -> Operand {
        guard let last = try single(path, from: scope.shape).last else { return object(in: scope) }
        let alias = try target(path.components.dropLast(), in: &scope)
        return value(
            column: "\(alias).\(StorageNames.column(last.property))",
            type: "\(alias).\(StorageNames.typeColumn(last.property))",
            of: last.property,
            isOptional: last.property.isOptional || path.components.count > 1,
            path: path,
            scope: scope
        )
    }

    /// The object of a scope itself, as a link to it.
    func object(in scope: TableScope) -> Operand {
        Operand(
            sql: SQL("\(scope.alias).\(StorageNames.key)"),
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
        let collection = steps[index]
        let ownerKey = try key(path.components[..<index], in: &scope)
        elementCount += 1
        let element = StorageNames.quoted("e\(elementCount)")
        let table = StorageNames.table(collection.owner.name, collection.property)
        var result = ElementScope(
            tables: "\(table) AS \(element)",
            owner: "\(element).\(StorageNames.owner) = \(ownerKey)",
            alias: element,
            operand: value(
                column: "\(element).\(StorageNames.value)",
                type: "\(element).\(StorageNames.valueType)",
                of: collection.property,
                isOptional: collection.property.isOptional,
                path: path,
                scope: scope
            )
        )
        guard index + 1 < steps.count else { return result }

        let target = try schema.target(of: collection.property)
        var inner = TableScope(name: "t\(elementCount)", shape: target)
        let rest = PropertyPath(Array(path.components[(index + 1)...]))
        result.join(inner)
        if steps[(index + 1)...].contains(where: { $0.property.collection != .none }) {
            let nested = try elements(rest, in: &inner)
            result.tables += "\(inner.joins) JOIN \(nested.tables)"
            result.owner += " AND \(nested.owner)"
            result.operand = nested.operand
        } else {
            result.operand = try operand(rest, in: &inner)
            result.tables += inner.joins
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
    func collection(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> PropertyShape {
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
        return last.property
    }

    /// Checks a path that leads to one value.
    func single(_ path: PropertyPath, from shape: ClassShape) throws(QueryError) -> [Step] {
        let steps = try steps(path, from: shape)
        guard let many = steps.first(where: { $0.property.collection != .none }) else { return steps }
        throw .invalidPath(
            path: path.description,
            className: shape.name,
            reason: "'\(many.property.name)' is a collection, so ANY, NONE or an aggregate such as @count is needed"
        )
    }

    // MARK: - Tables

    /// The alias of the table that links lead to.
    private func target(
        _ links: some Collection<String>,
        in scope: inout TableScope
    ) throws(QueryError) -> String {
        guard let last = try steps(PropertyPath(Array(links)), from: scope.shape).last else { return scope.alias }
        let link = try key(links, in: &scope)
        return scope.join(Array(links), link: link, target: try schema.target(of: last.property))
    }

    /// The column with the row of the object that links lead to: the last link itself, which needs no join.
    private func key(
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
            typeSQL: property.kind == .any ? SQL(type) : nil,
            kind: property.kind,
            isOptional: isOptional || property.kind == .any,
            targetClass: property.targetClass,
            path: path.description,
            className: scope.shape.name
        )
    }
}
