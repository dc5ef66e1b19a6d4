import EventModel

extension ChangeWriter {
    /// Writes how many operations there are, and the operations.
    mutating func operations(_ operations: [ChangeOperation]) {
        count(operations.count)
        for operation in operations { append(operation) }
    }

    /// Writes an operation.
    mutating func append(_ operation: ChangeOperation) {
        byte(operation.action.kind)
        object(operation.object)
        rest(of: operation.action)
    }

    /// Writes what follows the kind and the object.
    mutating func rest(of action: ChangeOperation.Action) {
        switch action {
        case .create(let given, let defaults):
            cells(given)
            cells(defaults)
        case .delete: break
        case .set(let path, let value), .setInsert(let path, let value), .setRemove(let path, let value):
            self.path(path)
            self.value(value)
        case .add(let path, let number):
            self.path(path)
            signed(number)
        case .listInsert(let list, let id, let right, let value):
            path(list)
            element(id)
            element(right)
            self.value(value)
        case .listRemove(let list, let id):
            path(list)
            element(id)
        case .listSet(let list, let id, let value):
            path(list)
            element(id)
            self.value(value)
        case .listMove(let list, let id, let right):
            path(list)
            element(id)
            element(right)
        case .clear(let path): self.path(path)
        case .mapSet(let map, let key, let value):
            path(map)
            text(key)
            self.value(value)
        case .mapRemove(let map, let key):
            path(map)
            text(key)
        case .embeddedNew(let path, let id, let values):
            self.path(path)
            element(id)
            cells(values)
        case .collectionNew(let path, let life):
            self.path(path)
            byte(life.kind.rawValue)
            element(life.id)
        case .post(let document): text(document)
        }
    }
}

extension ChangeOperation.Action {
    static let creationKind: UInt8 = 1
    static let assignmentKind: UInt8 = 3

    /// The number of the kind in formats, which never gets another meaning.
    var kind: UInt8 {
        switch self {
        case .create: Self.creationKind
        case .delete: 2
        case .set: Self.assignmentKind
        case .add: 4
        case .listInsert: 5
        case .listRemove: 6
        case .listSet: 7
        case .listMove: 8
        case .clear: 9
        case .setInsert: 10
        case .setRemove: 11
        case .mapSet: 12
        case .mapRemove: 13
        case .embeddedNew: 14
        case .collectionNew: 15
        case .post: 16
        }
    }
}
