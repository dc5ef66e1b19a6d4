import BenchmarkFloors
import ChangeModel
import EventModel

/// The values of a delivery, which differ as those of an app do.
struct SampleDelivery {
    /// The class as a device declares it.
    static let schema = SyncSchema([
        SyncSchema.Class(
            "Delivery",
            key: "_id",
            properties: [
                "_id": .init(.int), "street": .init(.string), "city": .init(.string), "parcels": .init(.int),
                "weight": .init(.double), "isPaid": .init(.bool), "due": .init(.date), "note": .init(.string),
                "floor": .init(.int), "driver": .init(.string, isOptional: true),
            ]
        )
    ])

    private static let streets = [
        "Oak", "Mill", "Church", "Station", "High", "Park", "Victoria", "Green", "Manor", "Kings", "Queens", "New",
        "Grange",
        "North", "South", "West", "East", "London", "York", "Windsor", "Albert", "Mary", "George", "School",
        "Springfield",
    ]
    private static let cities = [
        "Leeds", "Sheffield", "Bradford", "Liverpool", "Manchester", "Bristol", "Wakefield", "Cardiff", "Coventry",
        "Leicester",
        "Sunderland", "Belfast", "Newcastle", "Brighton", "Hull", "Plymouth", "Stoke", "Wolverhampton", "Derby",
        "Swansea",
    ]
    private static let notes = [
        "", "Ring twice.", "Leave with the neighbours at number 4.", "Beware of the dog.", "Side entrance.",
        "Not before ten.", "Call from the gate.", "", "Third bell from the top.", "",
    ]

    private let key: Int
    private var random: UInt64

    /// Makes the values of a key, always the same.
    init(_ key: Int) {
        self.key = key
        random = UInt64(key) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
    }

    /// A number below another one.
    private mutating func below(_ limit: Int) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int(random % UInt64(limit))
    }

    private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

    /// The operation that makes the object.
    var creation: ChangeOperation {
        var values = self
        let cells: ChangeOperation.Cells = [
            "street": .string(ExactText("\(values.below(200) + 1) \(values.one(of: Self.streets)) Road")),
            "city": .string(ExactText(values.one(of: Self.cities))),
            "parcels": .int(Int64(values.below(7) + 1)),
            "weight": .double(Double(values.below(300) + 1) / 10),
            "isPaid": .bool(values.below(2) == 0),
            "due": .date(Double(1_700_000_000 + values.below(10_000_000))),
            "note": .string(ExactText(values.one(of: Self.notes))),
            "floor": .int(Int64(values.below(12))),
            "driver": values.below(3) == 0 ? .null : .string(ExactText("driver-\(values.below(400))")),
        ]
        return ChangeOperation(ObjectAddress("Delivery", .int(Int64(key))), .create(given: cells, defaults: [:]))
    }
}
