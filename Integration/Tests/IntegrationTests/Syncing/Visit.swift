import Daybook

/// What two devices write to.
final class Visit: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var ward = ""
    @Persisted var notes: List<String>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ id: Int, _ ward: String) {
        self.init()
        _id = id
        self.ward = ward
    }
}
