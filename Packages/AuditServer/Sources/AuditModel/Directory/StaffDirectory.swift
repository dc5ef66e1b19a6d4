import EventModel

/// Who the users of an app are: names, roles and wards, as an operator exports them from the system that has them.
///
/// A directory says who somebody is today. What an event recorded for its user stays beside it.
public struct StaffDirectory: Sendable {
    /// Nobody is named.
    public static let none = StaffDirectory()
    /// The most ids of a directory.
    package static let maximumCount = 200_000

    private let people: [ExactText: DirectoryPerson]
    /// The folded words of each name, for who looks for a person by name.
    private let words: [(words: [FoldedWord], id: ExactText)]

    private init() { (people, words) = ([:], []) }

    /// Takes people over; of two with one id, the later one.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` when there are more ids than 200,000, or one is empty or has more than 256 bytes.
    package init(_ all: [DirectoryPerson]) throws(AuditServerError) {
        guard all.count <= Self.maximumCount else {
            throw .rejected(reason: "a directory has \(Self.maximumCount) ids at most")
        }
        var people: [ExactText: DirectoryPerson] = [:]
        for person in all {
            let name = LabelText.whole(LabelText.tidy(person.name))
            // A name of nothing but invisible signs would leave a line without a person.
            guard (1...256).contains(person.id.utf8.count), !name.isEmpty else {
                throw .rejected(reason: "each person has a name, and an id of 1 to 256 bytes")
            }
            people[ExactText(person.id)] = DirectoryPerson(
                id: person.id,
                name: name,
                role: person.role.map { LabelText.whole(LabelText.tidy($0)) },
                unit: person.unit.map { LabelText.whole(LabelText.tidy($0)) }
            )
        }
        self.people = people
        words = people.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            .map { (FoldedWord.all(in: $0.name), ExactText($0.id)) }
    }

    /// Whether nobody is named.
    public var isEmpty: Bool { people.isEmpty }

    /// How many ids there are.
    public var count: Int { people.count }

    /// Returns the person with an id; nil when the directory does not know it.
    package func person(_ id: String) -> DirectoryPerson? { people[ExactText(id)] }

    /// Returns people whose names have words that begin so, sorted by name.
    ///
    /// - Complexity: O(*n*) in the people.
    package func people(named text: String, limit: Int) -> [DirectoryPerson] {
        let asked = FoldedWord.all(in: text)
        if asked.isEmpty { return [] }
        var found: [DirectoryPerson] = []
        for entry in words where found.count < limit {
            let fits = asked.allSatisfy { word in entry.words.contains { word.begins($0) } }
            if fits, let person = people[entry.id] { found.append(person) }
        }
        return found
    }
}
