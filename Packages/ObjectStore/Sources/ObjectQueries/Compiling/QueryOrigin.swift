import EventModel

/// The tables that the objects or values of a plan come from, before anything narrows them.
struct QueryOrigin {
    /// The tables behind `FROM`.
    let tables: String
    /// What ties them to the owner of the collection, or to the object that is referred to.
    var conditions: [SQL] = []
    /// The columns that name each row of the origin, in the order that it has by nature.
    let identity: [String]
    /// The scope in which paths are looked up.
    let scope: TableScope
    /// The classes whose objects decide what the origin has.
    let classNames: Set<String>

    /// Finds the origin of a plan.
    init(of plan: QueryPlan, _ schema: QuerySchema) throws(QueryError) {
        switch plan.source {
        case .all: self.init(class: try schema.shape(plan.className))
        case .elements(let owner, let key, let property):
            try self.init(elementsOf: property, schema.shape(owner), key, plan, schema)
        case .nested(let owner, let property, let key, let isDictionary):
            try self.init(nestedIn: property, schema.shape(owner), key, isDictionary: isDictionary, plan)
        case .origins(let key, let property):
            try self.init(referringBy: property, schema.shape(plan.className), key, schema)
        }
    }

    private init(class shape: ClassShape) {
        classNames = [shape.name]
        scope = TableScope(name: "o", shape: shape)
        tables = "\(StorageNames.table(shape.name)) AS \(scope.alias)"
        identity = ["\(scope.alias).\(StorageNames.key)"]
    }

    private init(
        elementsOf name: String,
        _ owner: ClassShape,
        _ row: Int64,
        _ plan: QueryPlan,
        _ schema: QuerySchema
    ) throws(QueryError) {
        var paths = PathCompiler(schema: schema)
        let property = try paths.collection([name], from: owner)
        classNames = paths.classNames
        guard property.targetClass ?? owner.name == plan.className else {
            throw .invalidPath(
                path: name,
                className: owner.name,
                reason: "its elements are not of class '\(plan.className)'"
            )
        }
        let collection = StorageNames.quoted("c")
        let elements = "\(StorageNames.table(owner.name, property)) AS \(collection)"
        conditions = ["\(collection).\(StorageNames.owner) = \(.argument(.int(row)))"]
        identity = ["\(collection).\(Self.place(property))"]
        guard property.targetClass != nil else {
            scope = TableScope(valuesOf: property, name: "c", owner: owner)
            tables = elements
            return
        }
        scope = TableScope(name: "o", shape: try schema.target(of: property))
        let key = "\(scope.alias).\(StorageNames.key)"
        tables = """
            \(elements) JOIN \(StorageNames.table(scope.shape.name)) AS \(scope.alias) \
            ON \(key) = \(collection).\(StorageNames.value)
            """
    }

    private init(
        referringBy name: String,
        _ shape: ClassShape,
        _ target: Int64,
        _ schema: QuerySchema
    ) throws(QueryError) {
        var paths = PathCompiler(schema: schema)
        let steps = try paths.steps([name], from: shape)
        classNames = paths.classNames
        guard let property = steps.last?.property, property.kind == .link || property.kind == .embedded else {
            throw .invalidPath(path: name, className: shape.name, reason: "it is not a link")
        }
        scope = TableScope(name: "o", shape: shape)
        let table = "\(StorageNames.table(shape.name)) AS \(scope.alias)"
        let key = "\(scope.alias).\(StorageNames.key)"
        guard property.collection != .none else {
            tables = table
            conditions = ["\(scope.alias).\(StorageNames.column(property)) = \(.argument(.int(target)))"]
            identity = [key]
            return
        }
        let collection = StorageNames.quoted("c")
        tables = """
            \(StorageNames.table(shape.name, property)) AS \(collection) JOIN \(table) \
            ON \(key) = \(collection).\(StorageNames.owner)
            """
        conditions = ["\(collection).\(StorageNames.value) = \(.argument(.int(target)))"]
        identity = [key, "\(collection).\(Self.place(property))"]
    }

    /// The elements of a list or dictionary inside a value of any type.
    private init(
        nestedIn name: String,
        _ owner: ClassShape,
        _ key: Int64,
        isDictionary: Bool,
        _ plan: QueryPlan
    ) throws(QueryError) {
        guard let property = owner.property(named: name), property.kind == .any, owner.name == plan.className else {
            throw .invalidPath(path: name, className: owner.name, reason: "it holds no values of any type")
        }
        classNames = [owner.name]
        let collection = StorageNames.quoted("c")
        tables = "\(isDictionary ? StorageNames.nestedEntries : StorageNames.nestedElements) AS \(collection)"
        conditions = ["\(collection).\(StorageNames.owner) = \(.argument(.int(key)))"]
        identity = ["\(collection).\(isDictionary ? StorageNames.entryKey : StorageNames.position)"]
        scope = TableScope(valuesOf: property, name: "c", owner: owner)
    }

    /// The column that tells the elements of one collection apart.
    private static func place(_ property: PropertyShape) -> String {
        switch property.collection {
        case .dictionary: StorageNames.entryKey
        case .list: StorageNames.position
        case .set, .none: StorageNames.value
        }
    }
}
