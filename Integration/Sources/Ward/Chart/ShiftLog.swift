public import Daybook

/// One run of the demo: a shift of the whole ward.
public final class ShiftLog: Object {
    /// The number of the shift, from 1.
    @Persisted(primaryKey: true) public var _id: Int
    /// When the shift began.
    @Persisted public var began: Date?
    /// When the last nurse signed off; nil when the shift was cut short.
    @Persisted public var ended: Date?
}

extension ShiftLog {
    /// The number of the newest shift; 0 before the first.
    @MainActor
    static func last(in realm: Realm) -> Int {
        realm.objects(ShiftLog.self).sorted(byKeyPath: "_id").last?._id ?? 0
    }

    /// The number of the newest shift that has ended; 0 before the first.
    @MainActor
    static func lastEnded(in realm: Realm) -> Int {
        realm.objects(ShiftLog.self).where { $0.ended != nil }.sorted(byKeyPath: "_id").last?._id ?? 0
    }
}
