import ObjectStore

/// Classes as they were when a key that is an integer had a column: here because it may be null.
enum OldOffice {
    static let types: [ObjectBase.Type] = [Clerk.self, Desk.self, Room.self, Label.self]

    class Clerk: Object {
        @Persisted(primaryKey: true) var id: Int?
        @Persisted(indexed: true) var name: String
        @Persisted var chief: Clerk?
        @Persisted var team: List<Clerk>
        @Persisted var circle: MutableSet<Clerk>
        @Persisted var byName: Map<String, Clerk?>
        @Persisted var marks: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var payload: AnyRealmValue
        @Persisted var payloads: List<AnyRealmValue>
        @Persisted var nested: AnyRealmValue
        @Persisted var desk: Desk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Desk: EmbeddedObject {
        @Persisted var label: String
        @Persisted var user: Clerk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Room: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var users: List<Clerk>
        @Persisted var anything: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Label: Object {
        @Persisted var title: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// The same classes with a key that is the row key.
enum NewOffice {
    static let types: [ObjectBase.Type] = [Clerk.self, Desk.self, Room.self, OldOffice.Label.self]

    class Clerk: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var chief: Clerk?
        @Persisted var team: List<Clerk>
        @Persisted var circle: MutableSet<Clerk>
        @Persisted var byName: Map<String, Clerk?>
        @Persisted var marks: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var payload: AnyRealmValue
        @Persisted var payloads: List<AnyRealmValue>
        @Persisted var nested: AnyRealmValue
        @Persisted var desk: Desk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Desk: EmbeddedObject {
        @Persisted var label: String
        @Persisted var user: Clerk?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Room: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var users: List<Clerk>
        @Persisted var anything: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
