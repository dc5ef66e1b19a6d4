import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: refusals and repeats")
struct RefusalScenarioTests {
    private var state = InMemoryRealmState()

    init() {
        state.takeOwn(.sample(milliseconds: 1, operations: [person.create(["name": "", "age": 0])]), of: 99)
    }

    /// Lets the first device send a change of which the server refuses some operations.
    private mutating func send(
        number: Int = 1,
        isAtomic: Bool = false,
        refusing refused: [Int: OperationRefusal] = [:],
        _ operations: ChangeOperation...
    ) throws -> Entry? {
        try state.accept(
            .sample(
                number: number,
                base: 1,
                milliseconds: 9 + Int64(number),
                isAtomic: isAtomic,
                operations: operations
            ),
            of: deviceA,
            user: 1,
            received: .sample,
            digest: .sample,
            refusing: { index, _ in refused[index] }
        )
    }

    @Test("S78: a refused operation leaves the others of its change, and is told with its index and reason")
    mutating func oneOfThree() throws {
        let refusal = OperationRefusal.noWrite(rule: 7)

        let entry = try #require(
            try send(
                refusing: [1: refusal],
                person.set("age", 7),
                person.set("name", "a"),
                other.create()
            )
        )

        #expect(entry.results == [.asSent, .refused(refusal), .asSent])
        #expect(entry.refusals.map(\.index) == [1])
        #expect(entry.literals == [person.set("age", 7), other.create()])
        #expect(entry.corrections == [person.set("name", "")])
        #expect(RealmContents(state)[person, "age"] == 7)
    }

    @Test(
        "an object that is posted is in no realm and told to nobody, also beside others of an atomic change",
        arguments: [false, true]
    )
    mutating func posted(isAtomic: Bool) throws {
        let reading = ObjectAddress("Reading", .int(1))
        let before = RealmContents(state)

        let entry = try #require(
            try send(isAtomic: isAtomic, ChangeOperation(reading, .post("{}")), ChangeOperation(reading, .post("{}")))
        )

        #expect(entry.results == [.asSent, .asSent])
        #expect(entry.literals.isEmpty && entry.corrections.isEmpty)
        #expect(RealmContents(state) == before)
        #expect(state.existence(of: reading) == Existence())
    }

    @Test("S78: a posted object that is refused is told to its author, and takes nothing from the realm")
    mutating func refusedPost() throws {
        let reading = ObjectAddress("Reading", .int(1))

        let entry = try #require(
            try send(refusing: [0: .schema], ChangeOperation(reading, .post("{}")), person.set("age", 7))
        )

        #expect(entry.refusals.map(\.index) == [0])
        #expect(entry.literals == [person.set("age", 7)])
        #expect(entry.corrections.isEmpty)
    }

    @Test("S78: later writes to the same object stand")
    mutating func laterStands() throws {
        _ = try send(refusing: [0: .field(rule: 1)], person.set("name", "a"))
        _ = try send(number: 2, person.set("age", 9))

        #expect(RealmContents(state)[person, "age"] == 9)
        #expect(RealmContents(state)[person, "name"] == "")
    }

    @Test("S79: a refused creation refuses everything that is written to the object")
    mutating func creation() throws {
        let first = try #require(try send(refusing: [0: .noWrite(rule: 1)], created.create()))
        let second = try #require(try send(number: 2, created.set("name", "a"), created.insert(1, 1)))

        #expect(first.corrections == [created.delete()])
        #expect(second.results == [.refused(.missing), .refused(.missing)])
        #expect(RealmContents(state).objects[created] == nil)
    }

    @Test("an atomic change of which one operation is refused changes nothing")
    mutating func atomic() throws {
        let before = RealmContents(state)

        let entry = try #require(
            try send(isAtomic: true, refusing: [1: .field(rule: 2)], person.set("age", 7), person.set("name", "a"))
        )

        #expect(entry.results == [.refused(.atomic), .refused(.field(rule: 2))])
        #expect(entry.literals == [])
        #expect(RealmContents(state) == before)
    }

    @Test("an atomic change of which an object was deleted meanwhile changes nothing")
    mutating func atomicDeleted() throws {
        state.takeOwn(.sample(number: 2, base: 1, milliseconds: 5, operations: [person.delete()]), of: 99)

        let entry = try #require(try send(isAtomic: true, other.create(), person.set("name", "a")))

        #expect(entry.results == [.refused(.atomic), .refused(.deleted)])
        #expect(RealmContents(state) == RealmContents())
    }

    @Test("an atomic change of which nothing is refused is done")
    mutating func atomicDone() throws {
        let entry = try #require(try send(isAtomic: true, other.create(), other.set("name", "a")))

        #expect(entry.results == [.asSent, .asSent])
    }

    @Test("a refused deletion brings its author the object and the links to it")
    mutating func deletion() throws {
        state.takeOwn(
            .sample(
                number: 2,
                base: 1,
                milliseconds: 5,
                operations: [other.create(), other.set("link", .link(person))]
            ),
            of: 99
        )

        let entry = try #require(try send(refusing: [0: .noWrite(rule: 1)], person.delete()))

        #expect(
            entry.corrections == [
                other.set("link", .link(person)), person.delete(), person.create(),
                person.set("age", 0), person.set("name", ""),
            ]
        )
    }

    @Test("S81: a change that is sent twice is applied once")
    mutating func repeated() throws {
        _ = try send(person.add(1, to: "age"))
        let again = try send(person.add(1, to: "age"))

        #expect(again == nil)
        #expect(RealmContents(state)[person, "age"] == 1)
        #expect(state.head == 2)
    }

    @Test("a change that does not follow the last one is an error, and changes nothing")
    mutating func gap() throws {
        let before = state

        #expect(throws: ChangeModelError.gap(expected: 1, found: 2)) { try send(number: 2, person.delete()) }
        #expect(state == before)
    }

    @Test("a position that no file can have is an error, and changes nothing", arguments: [-1, 2, .max])
    mutating func base(base: Int) throws {
        let before = state

        #expect(throws: ChangeModelError.impossibleBase(base: base, last: 0, head: 1)) {
            try state.accept(.sample(base: base), of: deviceA, user: 1, received: .sample, digest: .sample)
        }
        #expect(state == before)
    }

    @Test("an operation whose path leads nowhere is refused, and the others are done")
    mutating func malformed() throws {
        let entry = try #require(
            try send(person.set(CellPath(steps: []), 1), person.set(CellPath("a").inside(1), 1), person.set("age", 1))
        )

        #expect(entry.results == [.refused(.schema), .refused(.schema), .asSent])
    }
}
