package import ChangeModel
import SyncServer

extension SQLiteRealmState {
    /// Returns when a collection was cleared the last time.
    package func clearing(of collection: CellAddress) -> Stamp? {
        keeping(or: nil) {
            guard let object = try row(of: collection.object)?.number else { return nil }
            return try statements.first(.clearing) {
                try $0.bind(object, OrderedBytes.of(collection.path))
            } _: {
                try Self.stamp(try $0.blob(0))
            }
        }
    }

    /// Keeps when a collection was cleared.
    package func setClearing(_ stamp: Stamp, of collection: CellAddress) {
        keeping(or: ()) {
            let object = try number(of: collection.object)
            try statements.run(.keepClearing) { statement in
                try statement.bind(object, OrderedBytes.of(collection.path))
                try statement.bind(Self.bytes(stamp), at: 3)
            }
        }
    }

    /// Returns an element of a list.
    package func element(_ id: ElementID, of list: CellAddress) -> ListElement? {
        keeping(or: nil) {
            guard let object = try row(of: list.object)?.number else { return nil }
            return try statements.first(.element) { statement in
                try statement.bind(object, OrderedBytes.of(list.path))
                try statement.bind(Int64(id.bits), at: 3)
            } _: {
                try RealmPacking.element(try $0.blob(0), id)
            }
        }
    }

    /// Keeps an element of a list.
    package func setElement(_ element: ListElement, _ id: ElementID, of list: CellAddress) {
        keeping(or: ()) {
            let object = try number(of: list.object)
            try statements.run(.keepElement) { statement in
                try statement.bind(object, OrderedBytes.of(list.path))
                try statement.bind(Int64(id.bits), at: 3)
                try statement.bind(RealmPacking.pack(element), at: 4)
            }
        }
    }
}

// MARK: - Places

extension SQLiteRealmState {
    /// Adds a place to a list.
    package func addPlace(_ place: ListPlace, to list: CellAddress) {
        keeping(or: ()) {
            let object = try number(of: list.object)
            try statements.run(.addPlace) { statement in
                try statement.bind(object, OrderedBytes.of(list.path))
                try statement.bind(Self.bytes(place.stamp), at: 3)
                try statement.bind(Self.bytes(place.anchor), at: 4)
                try statement.bind(Int64(place.element.bits), at: 5)
                try statement.bind(place.number, at: 6)
            }
        }
    }

    /// Returns a place by its name.
    package func place(_ name: Stamp, of list: CellAddress) -> ListPlace? {
        place(.place, of: list) { try $0.bind(Self.bytes(name), at: 3) }
    }

    /// Returns the first place with an anchor.
    package func firstPlace(anchoredTo anchor: Stamp?, of list: CellAddress) -> ListPlace? {
        place(.firstPlace, of: list) { try $0.bind(Self.bytes(anchor), at: 3) }
    }

    /// Returns the next place with the same anchor.
    package func nextPlace(after place: ListPlace, of list: CellAddress) -> ListPlace? {
        self.place(.nextPlace, of: list) { statement in
            try statement.bind(Self.bytes(place.anchor), at: 3)
            try statement.bind(Self.bytes(place.stamp), at: 4)
        }
    }

    private func place(
        _ kind: RealmStatement,
        of list: CellAddress,
        _ bind: (PreparedStatement) throws -> Void
    ) -> ListPlace? {
        keeping(or: nil) {
            guard let object = try row(of: list.object)?.number else { return nil }
            return try statements.first(kind) { statement in
                try statement.bind(object, OrderedBytes.of(list.path))
                try bind(statement)
            } _: {
                try ListPlace($0)
            }
        }
    }

    /// The bytes of a stamp; none for the end of a list.
    private static func bytes(_ stamp: Stamp?) -> [UInt8] {
        guard let stamp else { return [] }
        var ordered = OrderedBytes()
        ordered.stamp(stamp)
        return ordered.bytes
    }

    fileprivate static func stamp(_ bytes: [UInt8]) throws(SyncServerError) -> Stamp {
        var reader = OrderedReader(bytes)
        return try reader.stamp()
    }
}

extension ListPlace {
    /// Reads the columns of a place.
    fileprivate init(_ statement: PreparedStatement) throws {
        let anchor = try statement.blob(1)
        guard let bits = UInt64(exactly: try statement.number(2)), let element = ElementID(bits: bits) else {
            throw OrderedReader.damage
        }
        self.init(
            stamp: try SQLiteRealmState.stamp(try statement.blob(0)),
            anchor: anchor.isEmpty ? nil : try SQLiteRealmState.stamp(anchor),
            element: element,
            number: Int(try statement.number(3))
        )
    }
}
