import EventModel

extension CellValue: Comparable {
    /// Orders by kind, then numbers by size and everything else by bytes.
    ///
    /// It is an order for looking up and for repeatable results, not one that people are shown. Numbers with a fraction
    /// are compared by their bits, so that it is total.
    public static func < (left: CellValue, right: CellValue) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.int(let left), .int(let right)): left < right
        case (.float(let left), .float(let right)): left.bitPattern < right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern < right.bitPattern
        case (.string(let left), .string(let right)): left < right
        case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
        case (.date(let left), .date(let right)): left.bitPattern < right.bitPattern
        case (.objectId(let left), .objectId(let right)): left < right
        case (.uuid(let left), .uuid(let right)): left < right
        case (.decimal128(let left), .decimal128(let right)): (left.high, left.low) < (right.high, right.low)
        case (.link(let left), .link(let right)), (.anyLink(let left), .anyLink(let right)): left < right
        case (.life(let left), .life(let right)):
            (left.id.bits, left.kind.rawValue) < (right.id.bits, right.kind.rawValue)
        default: left.tag < right.tag
        }
    }

    /// The numbers of the kinds that a ``PlainValue`` has, too.
    enum PlainTag {
        static let null: UInt8 = 0
        static let no: UInt8 = 1
        static let yes: UInt8 = 2
        static let int: UInt8 = 3
        static let float: UInt8 = 4
        static let double: UInt8 = 5
        static let text: UInt8 = 6
        static let data: UInt8 = 7
        static let date: UInt8 = 8
        static let objectId: UInt8 = 9
        static let uuid: UInt8 = 10
        static let decimal128: UInt8 = 11
    }

    /// The number of the kind, in formats too; it is never given another meaning.
    var tag: UInt8 {
        switch self {
        case .null: PlainTag.null
        case .bool(let value): value ? PlainTag.yes : PlainTag.no
        case .int: PlainTag.int
        case .float: PlainTag.float
        case .double: PlainTag.double
        case .string: PlainTag.text
        case .data: PlainTag.data
        case .date: PlainTag.date
        case .objectId: PlainTag.objectId
        case .uuid: PlainTag.uuid
        case .decimal128: PlainTag.decimal128
        case .link: 12
        case .anyLink: 16
        case .life(let life):
            switch life.kind {
            case .list: 13
            case .dictionary: 14
            case .embedded: 15
            }
        }
    }
}
