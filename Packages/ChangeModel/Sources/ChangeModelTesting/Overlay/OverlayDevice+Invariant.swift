import ChangeModel

extension OverlayDevice {
    /// Compares what is kept with what the server has at the device's position.
    ///
    /// - Parameter server: The contents of the server's state there.
    /// - Returns: A sentence for each cell and list that no pending change touches and that differs.
    public func violations(of server: RealmContents) -> [String] {
        if pending.isEmpty {
            return contents.withoutNulls == server.withoutNulls
                ? [] : ["file \(file) has nothing pending and differs at \(position)"]
        }
        return Set(objects.keys).union(server.objects.keys).filter { !isExistencePending($0) }
            .flatMap { object -> [String] in
                guard let mine = objects[object], let theirs = server.objects[object] else {
                    return ["file \(file): one of the two has no \(object) at \(position)"]
                }
                return violations(of: object, mine, theirs)
            }
    }

    private func violations(
        of object: ObjectAddress,
        _ mine: OverlayObject,
        _ theirs: RealmContents.Object
    ) -> [String] {
        let cells = Set(mine.cells.keys).union(theirs.cells.keys)
            .filter { differs($0, mine.cells[$0], theirs.cells[$0]) && !isPending($0, of: object) }
            .filter { theirs.cells[$0]?.target.map(isExistencePending) != true }
        let lists = Set(mine.lists.keys).union(theirs.lists.keys)
            .filter { mine.confirmed($0) != theirs.lists[$0] ?? [] && !isInsidePending($0, of: object) }
        return cells.map { "file \(file): \(object) \($0) differs at \(position)" }
            + lists.map { "file \(file): the list \(object) \($0) differs at \(position)" }
    }

    /// Whether two values of a cell differ; a property that was never written is null, as a column is.
    private func differs(_ path: CellPath, _ mine: CellValue?, _ theirs: CellValue?) -> Bool {
        if case .property = path.steps.last { return mine ?? .null != theirs ?? .null }
        return mine != theirs
    }

    /// Whether a pending change has written a cell, or something that it lies in.
    private func isPending(_ path: CellPath, of object: ObjectAddress) -> Bool {
        operations(on: object)
            .contains { operation in
                if case .listMove = operation.action { return false }
                return operation.path.map { path == $0 || path.isBelow($0) } ?? false
            }
    }

    /// Whether a list lies in something that a pending change has assigned or removed.
    private func isInsidePending(_ list: CellPath, of object: ObjectAddress) -> Bool {
        operations(on: object)
            .contains { operation in
                if case .listMove = operation.action { return false }
                return operation.path.map { list.isBelow($0) } ?? false
            }
    }

    private func operations(on object: ObjectAddress) -> [ChangeOperation] {
        pending.flatMap(\.change.operations).filter { $0.object == object }
    }
}

extension RealmContents {
    /// The contents without properties that are null, which a property that was never written is, too.
    var withoutNulls: RealmContents {
        RealmContents(
            objects: objects.mapValues { object in
                var object = object
                object.cells = object.cells.filter { path, value in
                    if case .property = path.steps.last { value != .null } else { true }
                }
                return object
            }
        )
    }
}
