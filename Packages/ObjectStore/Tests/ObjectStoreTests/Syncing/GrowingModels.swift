import ObjectStore

/// A program of the first version.
enum FirstProgram {
    final class GrowingNote: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id: Int
        @Persisted var title: String
    }

    static let types: [ObjectBase.Type] = [GrowingNote.self]
}

/// The next version of the program: more properties of every sort, and more classes.
enum SecondProgram {
    final class GrowingNote: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id: Int
        @Persisted var title: String
        @Persisted(indexed: true) var priority = 3
        @Persisted var due: Int?
        @Persisted var made: ObjectId
        @Persisted var tags: List<String>
        @Persisted var marks: MutableSet<Int>
        @Persisted var scores: Map<String, Int>
        @Persisted var place: GrowingPlace?
        @Persisted var places: List<GrowingPlace>
        @Persisted var author: GrowingAuthor?
        @Persisted var anything: AnyRealmValue
    }

    final class GrowingPlace: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted var city: String
        @Persisted var notes: List<String>
    }

    final class GrowingAuthor: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id: String
        @Persisted var born: Int
        @Persisted var notes: List<GrowingNote>
    }

    static let types: [ObjectBase.Type] = [GrowingNote.self, GrowingPlace.self, GrowingAuthor.self]
}

/// Programs that declare what others did as something else.
enum OtherPrograms {
    enum Text {
        final class GrowingNote: Object {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted(primaryKey: true) var id: Int
            @Persisted var title: Int
        }
    }

    enum Optional {
        final class GrowingNote: Object {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted(primaryKey: true) var id: Int
            @Persisted var title: String?
        }
    }

    enum Key {
        final class GrowingNote: Object {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted var id: Int
            @Persisted(primaryKey: true) var title: String
        }
    }

    enum NewKey {
        final class GrowingNote: Object {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted(primaryKey: true) var name: String
            @Persisted var title: String
        }
    }

    enum Embedded {
        final class GrowingNote: EmbeddedObject {
            override class func shouldIncludeInDefaultSchema() -> Bool { false }

            @Persisted var id: Int
            @Persisted var title: String
        }
    }
}
