/// The contents of one person of the benchmarks; ours and the floor store the same.
public struct SamplePerson: Sendable, Hashable {
    /// The primary key.
    public let key: Int
    /// A name of some twelve letters.
    public let name: String
    /// A number that differs from the key.
    public let employeeId: Int
    /// A number from 0 to 99.9, spread evenly.
    public let score: Double
    /// A short text for two people of three.
    public let userId: String?
    /// True for every other person.
    public let isActive: Bool

    /// Creates the person with a key.
    public init(_ key: Int) {
        self.key = key
        name = "Person \(key)"
        employeeId = 1_000_000 + key
        score = Double(key * 7919 % 1000) / 10
        userId = key.isMultiple(of: 3) ? nil : "user-\(key)"
        isActive = key.isMultiple(of: 2)
    }

    /// Returns the people with the keys from 0 on.
    ///
    /// - Complexity: O(*n*) in the count.
    public static func people(count: Int) -> [SamplePerson] { (0..<count).map { SamplePerson($0) } }
}
