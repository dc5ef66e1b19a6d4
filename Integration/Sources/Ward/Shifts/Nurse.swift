/// Somebody who works on the ward.
public struct Nurse: Sendable, Equatable {
    /// The account that the person signs in with.
    public let username: String
    /// The name on the badge.
    public let name: String

    /// Creates a nurse.
    public init(username: String, name: String) {
        self.username = username
        self.name = name
    }

    /// Who looks at corrections on a device of her own.
    public static let reviewer = Nurse(username: "j.moreau", name: "Jeanne Moreau")

    /// The people of the demo; all invented.
    public static let ward = [
        Nurse(username: "a.keller", name: "Anna Keller"),
        Nurse(username: "m.okafor", name: "Michael Okafor"),
        Nurse(username: "s.lindqvist", name: "Sara Lindqvist"),
    ]
}
