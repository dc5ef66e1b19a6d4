public import ChangeModel
import EventModel
public import EventModelTesting

/// Writes what a person might write who looks at a realm: random operations on what is there.
///
/// Equal seeds write the same. The realm has a few objects with a property of every kind: numbers, a counter, links, an
/// embedded object, a value of any type, and lists, sets and maps of numbers, links and embedded objects.
public struct RandomWork: Sendable {
    /// Where the numbers come from.
    public var random: SeededGenerator
    /// The objects that are written to.
    public let objects: [ObjectAddress]
    /// What is written to.
    let focus: Focus
    private var elements = 0

    /// Starts the work of a seed.
    public init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        focus = Focus.allCases[Int(seed % UInt64(Focus.allCases.count))]
        objects = (1...focus.objects).map { ObjectAddress.sample(Int64($0)) }
    }

    /// What a seed writes to: where little is written to, much meets.
    enum Focus: CaseIterable {
        case everything
        case oneList
        case links
        case lives

        var objects: Int {
            switch self {
            case .everything: 3
            case .oneList, .lives: 1
            case .links: 2
            }
        }
    }

    /// Returns the operations of one commit: one to three, each on what the ones before it left.
    ///
    /// - Parameter contents: What the author sees.
    /// - Returns: The operations, which nobody has done yet.
    public mutating func operations(on contents: RealmContents) -> [ChangeOperation] {
        var operations: [ChangeOperation] = []
        var seen = contents
        for _ in 0..<1 + random.below(3) {
            let operation = operation(on: seen, after: operations)
            operations.append(operation)
            seen.apply(operation)
        }
        return operations
    }

    private mutating func operation(on seen: RealmContents, after: [ChangeOperation]) -> ChangeOperation {
        let object = pick(objects) ?? .sample()
        guard seen.objects[object] != nil else { return ChangeOperation(object, creation()) }
        // A creation and a deletion in one commit are gone from it.
        let isNew = after.contains { operation in
            if case .create = operation.action { operation.object == object } else { false }
        }
        if !isNew, random.once(in: focus == .links ? 4 : 10) { return ChangeOperation(object, .delete) }
        return ChangeOperation(object, edit(of: object, in: seen))
    }

    private mutating func creation() -> ChangeOperation.Action {
        var given: ChangeOperation.Cells = [:]
        var defaults: ChangeOperation.Cells = [:]
        for name in ["a", "b", "n"] as [ExactText] {
            if random.once(in: 3) { defaults[name] = number() } else { given[name] = number() }
        }
        if random.once(in: 3) { given["link"] = .link(pick(objects) ?? .sample()) }
        return .create(given: given, defaults: defaults)
    }

    /// Makes a number that is easily read.
    mutating func number() -> CellValue { .int(Int64(random.below(100))) }

    /// Makes an id; no two of one seed are equal.
    mutating func element() -> ElementID {
        elements += 1
        return ElementID(bits: (random.next() >> 17) << 16 | UInt64(elements & 0xFFFF)) ?? .sample(elements)
    }

    /// Picks one of some; nil of none.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice? {
        choices.isEmpty ? nil : choices[random.below(choices.count)]
    }
}

extension InMemoryRealmState {
    /// Takes a change that nobody can refuse, as its author sees it at once.
    public mutating func takeOwn(_ change: Change, of file: UInt32) {
        do {
            _ = try accept(change, of: file, user: 1, received: .sample, digest: .sample)
        } catch {
            preconditionFailure("The author of a change knows its number: \(error)")
        }
    }
}
