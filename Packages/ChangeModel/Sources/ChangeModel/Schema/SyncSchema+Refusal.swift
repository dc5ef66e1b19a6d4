import EventModel

extension SyncSchema {
    /// Returns why an operation does not fit the schema; nil if it does.
    ///
    /// It looks at the operation alone: whether the object is there, or a life is the one that it should be, is asked by
    /// the rules.
    ///
    /// - Returns: ``OperationRefusal/schema`` for a class or property that is not there, a value of another kind, a null
    ///   where none may be, a link to another class, and ``OperationRefusal/tooLarge`` for a key or value above
    ///   ``ChangeLimits``.
    /// - Complexity: O(*n*) in the steps of the path and the cells.
    public func refusal(of operation: ChangeOperation) -> OperationRefusal? {
        guard let type = classes[operation.object.className], !type.isEmbedded, let key = type.key,
            let shape = type.properties[key], shape.takes(operation.object.key)
        else { return .schema }
        if let document = operation.posted {
            guard operation.isWithinLimits else { return .tooLarge }
            return type.isAsymmetric && takes(document, of: type, key: operation.object.key) ? nil : .schema
        }
        guard !type.isAsymmetric, operation.isWellFormed, fits(operation.action, key: key, of: type) else {
            return .schema
        }
        return operation.isWithinLimits ? nil : .tooLarge
    }

    private func fits(_ action: ChangeOperation.Action, key: ExactText, of type: Class) -> Bool {
        switch action {
        case .create(let given, let defaults):
            return fits(given, of: type, without: key) && fits(defaults, of: type, without: key)
        case .delete: return true
        case .post: return false
        default: break
        }
        // A primary key never changes.
        guard let path = action.target, path.steps.first != .property(key) else { return false }
        switch (action, place(at: path, in: type)) {
        case (.set(_, .life), _): return false
        case (.set(_, let value), .cell(let shape)?): return fits(value, shape)
        case (.add, .cell(let shape)?): return shape.kind == .int || shape.kind == .any
        case (.embeddedNew(_, _, let cells), .cell(let shape)?):
            guard shape.kind == .embedded, let inner = shape.target.flatMap({ classes[$0] }) else { return false }
            return fits(cells, of: inner, without: nil)
        case (.collectionNew(_, let life), .cell(let shape)?): return shape.kind == .any && life.kind != .embedded
        case (.listInsert(_, _, _, let value), .collection(let shape, .list)?),
            (.listSet(_, _, let value), .collection(let shape, .list)?),
            (.mapSet(_, _, let value), .collection(let shape, .dictionary)?),
            (.setInsert(_, let value), .collection(let shape, .set)?),
            (.setRemove(_, let value), .collection(let shape, .set)?):
            return fits(value, shape)
        case (.listInsert(_, _, _, let value), .nested(let shape)?), (.listSet(_, _, let value), .nested(let shape)?),
            (.mapSet(_, _, let value), .nested(let shape)?):
            return fits(value, shape)
        case (.listRemove, .nested?), (.listMove, .nested?), (.mapRemove, .nested?), (.clear, .nested?): return true
        case (.listRemove, .collection(_, .list)?), (.listMove, .collection(_, .list)?): return true
        case (.mapRemove, .collection(_, .dictionary)?), (.clear, .collection?): return true
        default: return false
        }
    }

    private func fits(_ cells: ChangeOperation.Cells, of type: Class, without key: ExactText?) -> Bool {
        cells.allSatisfy { name, value in
            guard name != key, let shape = type.properties[name], shape.collection == .none else { return false }
            return fits(value, shape)
        }
    }

    /// Whether a value is one that a cell of a type may hold.
    private func fits(_ value: CellValue, _ shape: Property) -> Bool {
        switch (value, shape.kind) {
        case (.null, .any): true
        case (.null, _): shape.isOptional
        case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string): true
        case (.data, .data), (.date, .date), (.objectId, .objectId), (.uuid, .uuid): true
        case (.decimal128, .decimal128): true
        case (.link(let target), .link): target.className == shape.target && isLinkable(target)
        case (.anyLink(let target), .any): isLinkable(target)
        case (.life(let life), .embedded): life.kind == .embedded
        case (.life(let life), .any): life.kind != .embedded
        case (.link, .any): false
        case (_, .any): true
        default: false
        }
    }

    /// Whether an address can be that of an object that links may lead to.
    private func isLinkable(_ target: ObjectAddress) -> Bool {
        guard let type = classes[target.className], !type.isEmbedded, !type.isAsymmetric,
            let shape = type.key.flatMap({ type.properties[$0] })
        else { return false }
        return shape.takes(target.key)
    }
}

// MARK: - Paths

extension SyncSchema {
    /// What a path leads to.
    private enum Place {
        /// A cell that holds one value.
        case cell(Property)
        /// A collection and what its elements are.
        case collection(Property, PropertyShape.Collection)
        /// The inside of a list or dictionary in a value of any type.
        case nested(Property)
    }

    /// Walks a path through embedded classes and values of any type; nil where it leads to nothing that can be there.
    private func place(at path: CellPath, in type: Class) -> Place? {
        var type = type
        var place: Place?
        for step in path.steps {
            switch (step, place) {
            case (.property(let name), nil):
                guard let shape = type.properties[name] else { return nil }
                place = shape.collection == .none ? .cell(shape) : .collection(shape, shape.collection)
            case (.element, .collection(let shape, .list)?), (.key, .collection(let shape, .dictionary)?),
                (.member, .collection(let shape, .set)?):
                place = .cell(shape)
            // Whether the nested collection is a list or a dictionary, its life says, and not the schema.
            case (.element, .nested(let shape)?), (.key, .nested(let shape)?): place = .cell(shape)
            case (.life, .cell(let shape)?) where shape.kind == .any: place = .nested(shape)
            case (.life, .cell(let shape)?):
                guard shape.kind == .embedded, let inner = shape.target.flatMap({ classes[$0] }) else { return nil }
                type = inner
                place = nil
            default: return nil
            }
        }
        return place
    }
}

extension SyncSchema.Property {
    /// Whether a primary key of this type may have a value.
    fileprivate func takes(_ key: PrimaryKey) -> Bool {
        switch (key, kind) {
        case (.null, _): isOptional
        case (.int, .int), (.string, .string), (.objectId, .objectId), (.uuid, .uuid): true
        default: false
        }
    }
}

extension ChangeOperation.Action {
    /// The cell or collection that the action names, without the element, key or member.
    fileprivate var target: CellPath? {
        switch self {
        case .create, .delete, .post: nil
        case .set(let path, _), .add(let path, _), .clear(let path), .embeddedNew(let path, _, _): path
        case .collectionNew(let path, _), .listInsert(let path, _, _, _), .listRemove(let path, _): path
        case .listSet(let path, _, _), .listMove(let path, _, _), .setInsert(let path, _): path
        case .setRemove(let path, _), .mapSet(let path, _, _), .mapRemove(let path, _): path
        }
    }
}
