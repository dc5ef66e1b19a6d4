/// A person as a directory of staff has them.
public struct DirectoryPerson: Sendable, Hashable, Codable {
    /// The id that was asked for: an account, or a value that the app records for its user.
    public let id: String
    /// The name.
    public let name: String
    /// What the person is, such as `nurse`; nil when the directory does not say it.
    public let role: String?
    /// Where the person works, such as a ward; nil when the directory does not say it.
    public let unit: String?

    /// Describes a person.
    public init(id: String, name: String, role: String? = nil, unit: String? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.unit = unit
    }
}
