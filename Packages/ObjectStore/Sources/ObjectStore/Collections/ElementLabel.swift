import ObjectQueries

/// What tells the elements of one collection apart: a position, or the key of a map's entry.
protocol ElementLabel {
    static var column: String { get }
    /// Whether it is the key of an entry.
    static var isKey: Bool { get }
    /// The table of collections inside values of any type.
    static var nestedTable: String { get }
    /// What such a collection is called, for messages.
    static var nestedWord: String { get }
    init(column: Int32, of statement: Statement)
    func bind(to statement: Statement, at index: Int32)
    /// Whether both are the same position, or keys of the same bytes.
    func isSame(as other: Self) -> Bool
}

extension Int64: ElementLabel {
    static var column: String { StorageNames.position }
    static var isKey: Bool { false }
    static var nestedTable: String { StorageNames.nestedElements }
    static var nestedWord: String { "list" }
    init(column: Int32, of statement: Statement) { self = statement.int(column) }
    func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
    func isSame(as other: Int64) -> Bool { self == other }
}

extension String: ElementLabel {
    static var column: String { StorageNames.entryKey }
    static var isKey: Bool { true }
    static var nestedTable: String { StorageNames.nestedEntries }
    static var nestedWord: String { "dictionary" }
    init(column: Int32, of statement: Statement) { self = statement.text(column) }
    func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
    func isSame(as other: String) -> Bool { _TextIdentity(self) == _TextIdentity(other) }
}
