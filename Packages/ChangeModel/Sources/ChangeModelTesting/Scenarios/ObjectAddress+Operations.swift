public import ChangeModel
public import EventModel

/// Operations in the words of a scenario.
extension ObjectAddress {
    /// Creates the object.
    public func create(
        _ given: ChangeOperation.Cells = [:],
        defaults: ChangeOperation.Cells = [:]
    ) -> ChangeOperation {
        ChangeOperation(self, .create(given: given, defaults: defaults))
    }

    /// Deletes the object.
    public func delete() -> ChangeOperation { ChangeOperation(self, .delete) }

    /// Assigns a value.
    public func set(_ path: CellPath, _ value: CellValue) -> ChangeOperation {
        ChangeOperation(self, .set(path, value))
    }

    /// Adds to an integer.
    public func add(_ number: Int64, to path: CellPath) -> ChangeOperation { ChangeOperation(self, .add(path, number)) }

    /// Inserts an element, by a small number of its own, before another one or at the end.
    public func insert(
        _ id: Int,
        _ value: CellValue,
        into list: CellPath = "list",
        before right: Int? = nil
    ) -> ChangeOperation {
        ChangeOperation(self, .listInsert(list, .sample(id), before: right.map(ElementID.sample), value))
    }

    /// Removes an element.
    public func remove(_ id: Int, from list: CellPath = "list") -> ChangeOperation {
        ChangeOperation(self, .listRemove(list, .sample(id)))
    }

    /// Assigns the value of an element.
    public func set(element id: Int, of list: CellPath = "list", _ value: CellValue) -> ChangeOperation {
        ChangeOperation(self, .listSet(list, .sample(id), value))
    }

    /// Moves an element before another one, or to the end.
    public func move(_ id: Int, in list: CellPath = "list", before right: Int? = nil) -> ChangeOperation {
        ChangeOperation(self, .listMove(list, .sample(id), before: right.map(ElementID.sample)))
    }

    /// Clears a collection.
    public func clear(_ path: CellPath) -> ChangeOperation { ChangeOperation(self, .clear(path)) }

    /// Puts a member into a set.
    public func put(_ member: CellValue, into set: CellPath = "set") -> ChangeOperation {
        ChangeOperation(self, .setInsert(set, member))
    }

    /// Takes a member out of a set.
    public func take(_ member: CellValue, outOf set: CellPath = "set") -> ChangeOperation {
        ChangeOperation(self, .setRemove(set, member))
    }

    /// Assigns the value of an entry.
    public func set(key: ExactText, of map: CellPath = "map", _ value: CellValue) -> ChangeOperation {
        ChangeOperation(self, .mapSet(map, key, value))
    }

    /// Removes an entry.
    public func remove(key: ExactText, from map: CellPath = "map") -> ChangeOperation {
        ChangeOperation(self, .mapRemove(map, key))
    }

    /// Assigns a new embedded object.
    public func embed(_ life: Int, at path: CellPath, _ cells: ChangeOperation.Cells) -> ChangeOperation {
        ChangeOperation(self, .embeddedNew(path, .sample(life), cells))
    }

    /// Assigns a new collection to a value of any type.
    public func begin(_ life: Int, _ kind: Life.Kind, at path: CellPath) -> ChangeOperation {
        ChangeOperation(self, .collectionNew(path, Life(.sample(life), kind)))
    }
}

extension CellPath {
    /// The inside of the life with a small number.
    public func inside(_ life: Int) -> CellPath { appending(.life(.sample(life))) }

    /// The property of the life with a small number.
    public func inside(_ life: Int, _ property: ExactText) -> CellPath { inside(life).appending(.property(property)) }

    /// The element with a small number.
    public func element(_ id: Int) -> CellPath { appending(.element(.sample(id))) }

    /// The entry with a key.
    public func key(_ key: ExactText) -> CellPath { appending(.key(key)) }
}
