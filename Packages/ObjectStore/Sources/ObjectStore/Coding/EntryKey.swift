/// The key of a map's entry.
struct EntryKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }
}
