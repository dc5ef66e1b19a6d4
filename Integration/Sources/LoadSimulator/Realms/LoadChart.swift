import Daybook

/// What devices of a realm change at once, with a property of each kind.
final class LoadChart: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var name: String?
    @Persisted var visits = 0
    @Persisted var notes: List<String>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: Map<String, Int>
    @Persisted var next: LoadChart?
    @Persisted var others: List<LoadChart>
    @Persisted var bed: LoadBed?
    @Persisted var value: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    convenience init(_ id: Int) {
        self.init()
        _id = id
    }

    /// All that it holds, on one line; two that hold the same say the same.
    var line: String {
        // Arrays, as what a collection of a realm says of itself is not all that it holds.
        let collections = [
            "notes \(Array(notes))", "tags \(Array(tags).sorted())",
            "marks \(marks.map { "\($0.key): \($0.value)" }.sorted() as [String])",
            "others \(Array(others).map(\._id))",
        ]
        let bed = bed.map { "\($0.room)/\($0.floor)" } ?? "-"
        return
            "\(_id) \(name ?? "-") \(visits) \(collections.joined(separator: " ")) next \(next?._id ?? -1) bed \(bed) \(value)"
    }
}

/// What lives in a chart.
final class LoadBed: EmbeddedObject {
    @Persisted var room = ""
    @Persisted var floor = 0

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
