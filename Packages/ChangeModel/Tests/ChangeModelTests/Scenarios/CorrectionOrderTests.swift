import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("The order in which corrections are done")
struct CorrectionOrderTests {
    @Test("an element follows the one that it stands before, and everything else stays in its order")
    func neighbours() {
        let corrections = [
            person.set("name", "a"),
            person.insert(1, 1, before: 2),
            person.set("age", 1),
            person.insert(2, 2, before: 3),
            person.insert(4, 4, before: 9),
            person.insert(3, 3),
        ]

        #expect(
            entry(corrections).correctionsInOrder == [
                person.set("name", "a"),
                person.insert(3, 3),
                person.insert(2, 2, before: 3),
                person.insert(1, 1, before: 2),
                person.set("age", 1),
                person.insert(4, 4, before: 9),
            ]
        )
    }

    @Test("elements of other lists and other objects have nothing to do with each other")
    func otherLists() {
        let corrections = [
            person.insert(1, 1, before: 2),
            other.insert(2, 2),
            person.insert(2, 2, into: "others"),
        ]

        #expect(entry(corrections).correctionsInOrder == corrections)
    }

    @Test(
        "nothing is put into a list before the list, or its object, begins anew",
        arguments: [person.create(), person.delete(), person.clear("list")]
    )
    func beginnings(beginning: ChangeOperation) {
        let corrections = [person.insert(1, 1, before: 2), beginning, person.insert(2, 2), person.insert(1, 1)]

        #expect(entry(corrections).correctionsInOrder == corrections)
    }

    @Test(
        "what begins anew elsewhere is in nobody's way",
        arguments: [other.create(), other.clear("list"), person.clear("others")]
    )
    func otherBeginnings(beginning: ChangeOperation) {
        let corrections = [person.insert(1, 1, before: 2), beginning, person.insert(2, 2)]

        #expect(
            entry(corrections).correctionsInOrder == [
                person.insert(2, 2), person.insert(1, 1, before: 2), beginning,
            ]
        )
    }

    @Test("elements that stand before each other, as no server has them, are each said once")
    func circle() {
        let corrections = [person.insert(1, 1, before: 2), person.insert(2, 2, before: 1)]

        #expect(Set(entry(corrections).correctionsInOrder) == Set(corrections))
    }

    @Test("ten thousand neighbours are put in order")
    func many() {
        let corrections = (1...10_000).map { person.insert($0, 1, before: $0 + 1) }

        #expect(entry(corrections).correctionsInOrder == corrections.reversed())
    }

    private func entry(_ corrections: [ChangeOperation]) -> Entry {
        Entry(
            number: 1,
            change: ChangeReference(file: 1, number: 1),
            user: 1,
            clock: .zero,
            received: EventInstant(microseconds: 0),
            results: [],
            literals: [],
            corrections: corrections,
            digest: .sample
        )
    }
}
