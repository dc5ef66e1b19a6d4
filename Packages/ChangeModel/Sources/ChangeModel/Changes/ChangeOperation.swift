public import EventModel

/// One net operation of a commit on one object.
///
/// Elements are named by their ids and never by an index, so that an operation means the same whatever others did
/// meanwhile. The same operations, taken literally, say in an ``Entry`` what came out.
public struct ChangeOperation: Sendable, Hashable {
    /// What is done; the numbers of the kinds in formats are those of the cases here, from 1.
    public enum Action: Sendable, Hashable {
        /// Creates the object with values that were given and values that came from defaults, which are older than
        /// every write.
        case create(given: Cells, defaults: Cells)
        /// Deletes the object. The links that this clears make no operations.
        case delete
        /// Assigns a value.
        case set(CellPath, CellValue)
        /// Adds to an integer, wrapping on overflow.
        case add(CellPath, Int64)
        /// Inserts an element before the one that the author saw on its right; nil is the end.
        case listInsert(CellPath, ElementID, before: ElementID?, CellValue)
        /// Removes an element.
        case listRemove(CellPath, ElementID)
        /// Assigns the value of an element.
        case listSet(CellPath, ElementID, CellValue)
        /// Moves an element before another one, at the place where the author saw that; nil is the end.
        case listMove(CellPath, ElementID, before: ElementID?)
        /// Removes what is in a list, set or map.
        case clear(CellPath)
        /// Puts a member into a set.
        case setInsert(CellPath, CellValue)
        /// Takes a member out of a set.
        case setRemove(CellPath, CellValue)
        /// Assigns the value of an entry.
        case mapSet(CellPath, ExactText, CellValue)
        /// Removes an entry.
        case mapRemove(CellPath, ExactText)
        /// Assigns a new embedded object with its values.
        case embeddedNew(CellPath, ElementID, Cells)
        /// Assigns a new, empty list or dictionary to a cell of any type.
        case collectionNew(CellPath, Life)
        /// Hands the server an object of an asymmetric class, as canonical Extended JSON.
        ///
        /// It goes into the collection of its class there, and into no realm.
        case post(ExactText)
    }

    /// The object.
    public let object: ObjectAddress
    /// What is done to it.
    public let action: Action

    /// Creates an operation.
    public init(_ object: ObjectAddress, _ action: Action) {
        self.object = object
        self.action = action
    }
}

extension ChangeOperation {
    /// The cell that the operation writes, or the collection that it clears; nil for what is done to a whole object.
    public var path: CellPath? {
        switch action {
        case .create, .delete, .post: nil
        case .set(let path, _), .add(let path, _), .clear(let path): path
        case .embeddedNew(let path, _, _), .collectionNew(let path, _): path
        case .listInsert(let list, let element, _, _), .listRemove(let list, let element),
            .listSet(let list, let element, _), .listMove(let list, let element, _):
            list.appending(.element(element))
        case .setInsert(let set, let member), .setRemove(let set, let member): set.appending(.member(member))
        case .mapSet(let map, let key, _), .mapRemove(let map, let key): map.appending(.key(key))
        }
    }

    /// The document that is posted; nil for what is done to an object of a realm.
    public var posted: ExactText? {
        if case .post(let document) = action { document } else { nil }
    }

    /// Whether the path leads to something that the action can be done to.
    var isWellFormed: Bool {
        switch action {
        case .create, .delete, .post: true
        case .set(let path, _), .add(let path, _): path.isCell
        case .embeddedNew(let path, _, _): path.isCell
        case .collectionNew(let path, let life): path.isCell && life.kind != .embedded
        case .clear(let path): path.isCollection
        default: path?.parent.isCollection == true
        }
    }
}
