/// The calls of ``Realm/read(_:)`` that are running on an instance.
struct GuardedReads {
    var depth = 0
    var firstError: Realm.Error?
}
