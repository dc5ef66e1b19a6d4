extension Realm.Error {
    static func immutablePrimaryKey(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "The primary key of '\(className)' cannot be changed once the object is managed; create another object."
        )
    }

    static func deletedObject(_ className: String) -> Realm.Error {
        Realm.Error(.invalidInput, "An object of '\(className)' was used after it was deleted.")
    }

    static func wrongClass(_ given: String, expected: String, at place: String) -> Realm.Error {
        Realm.Error(.invalidInput, "An object of '\(given)' cannot be stored in '\(place)', which holds '\(expected)'.")
    }

    static func otherRealm(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "An object of '\(className)' belongs to another realm; copy it with 'create(_:value:update:)'."
        )
    }

    static func otherRealmDeletion(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "An object of '\(className)' that this realm does not manage cannot be deleted."
        )
    }

    static func managedEmbedded(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "An embedded object of '\(className)' already has a parent; an embedded object belongs to exactly one."
        )
    }

    static func mismatch(_ value: Any, _ type: _PropertyType, at place: String) -> Realm.Error {
        let given = unwrapped(value).map { "\(Swift.type(of: $0))" } ?? "null"
        return Realm.Error(
            .invalidInput,
            "A value of type '\(given)' cannot be stored in '\(place)', which is '\(type.text)'."
        )
    }

    static func duplicateKey(_ className: String, details: [String]) -> Realm.Error {
        Realm.Error(
            .objectAlreadyExists,
            "An object of '\(className)' with the same primary key exists; pass an update policy to change it.",
            details: details
        )
    }

    static func noKeyLeft(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            """
            No object of '\(className)' can be added, because one had the greatest row key there can be, which was its primary key \
            before a migration; copy the objects into a new file.
            """
        )
    }

    static func tooDeep(_ className: String) -> Realm.Error {
        Realm.Error(
            .invalidInput,
            "The value for '\(className)' is nested deeper than \(ObjectSource.maximumDepth) objects."
        )
    }
}
