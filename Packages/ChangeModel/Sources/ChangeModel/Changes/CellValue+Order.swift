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

    /// The number of texts.
    static let textTag: UInt8 = 6
    /// The number of data.
    static let dataTag: UInt8 = 7

    /// The number of the kind, in formats too; it is never given another meaning.
    var tag: UInt8 {
        switch self {
        case .null: 0
        case .bool(let value): value ? 2 : 1
        case .int: 3
        case .float: 4
        case .double: 5
        case .string: Self.textTag
        case .data: Self.dataTag
        case .date: 8
        case .objectId: 9
        case .uuid: 10
        case .decimal128: 11
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
