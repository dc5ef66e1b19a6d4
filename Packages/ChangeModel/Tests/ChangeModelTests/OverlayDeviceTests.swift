import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("What a device shows while its writes are pending")
struct OverlayDeviceTests {
    private let list: CellPath = "list"
    private var state = InMemoryRealmState()
    private var mine = OverlayDevice(file: 1)
    private var theirs = OverlayDevice(file: 2)
    private var entries: [Entry] = []

    init() throws {
        mine.commit([person.create(["name": ""]), person.insert(1, "x"), person.insert(2, "y")], wallMilliseconds: 1)
        try upload(from: mine)
    }

    /// Uploads what a device has pending, and lets both devices download it.
    private mutating func upload(from device: OverlayDevice) throws {
        for change in device.unconfirmed {
            let entry = try #require(
                try state.accept(change, of: device.file, user: 1, received: .sample, digest: .sample)
            )
            entries.append(entry)
            let isNext = (mine.integrate(entry), theirs.integrate(entry))
            #expect(isNext == (true, true))
            #expect(theirs.violations(of: RealmContents(state)) == [])
        }
    }

    @Test("an older write of somebody else is not shown over a pending one, a newer one is")
    mutating func guess() throws {
        mine.commit([person.set("name", "mine")], wallMilliseconds: 20)
        theirs.commit([person.set("name", "older")], wallMilliseconds: 10)
        try upload(from: theirs)
        #expect(mine.contents[person, "name"] == "mine")

        theirs.commit([person.set("name", "newer")], wallMilliseconds: 30)
        try upload(from: theirs)
        #expect(mine.contents[person, "name"] == "newer")
    }

    @Test("an element that is removed here keeps its place for what others insert before it")
    mutating func hiddenPlace() throws {
        mine.commit([person.remove(2)], wallMilliseconds: 20)
        theirs.commit([person.insert(3, "z", before: 2)], wallMilliseconds: 10)
        try upload(from: theirs)

        #expect(mine.contents.list(person, list) == ["x", "z"])
    }

    @Test("a pending element stands before what is appended by others later, and behind what is older")
    mutating func pendingPlace() throws {
        mine.commit([person.insert(3, "mine")], wallMilliseconds: 20)
        theirs.commit([person.insert(4, "older")], wallMilliseconds: 10)
        theirs.commit([person.insert(5, "newer")], wallMilliseconds: 30)
        try upload(from: theirs)

        #expect(mine.contents.list(person, list) == ["x", "y", "older", "mine", "newer"])
        try upload(from: mine)
        #expect(theirs.contents.list(person, list) == ["x", "y", "older", "mine", "newer"])
    }

    @Test("what a pending deletion took from a list comes back with the value that others gave it")
    mutating func unlinked() throws {
        try deleteLinked()

        #expect(mine.contents.list(person, "people") == [.link(person)])
        #expect(mine.violations(of: RealmContents(state)) == [])
    }

    @Test("it is lost where a device forgets the values of what it does not show")
    mutating func unlinkedForgotten() throws {
        mine = OverlayDevice(file: 3, rules: .all.subtracting(.unlinkedKeepValues))
        for entry in entries { _ = mine.integrate(entry) }

        try deleteLinked()

        #expect(mine.violations(of: RealmContents(state)) != [])
    }

    /// Deletes what an element links to, while another device gives the element another link.
    private mutating func deleteLinked() throws {
        theirs.commit([other.create(), person.insert(3, .link(other), into: "people")], wallMilliseconds: 20)
        try upload(from: theirs)
        mine.commit([other.delete()], wallMilliseconds: 30)
        #expect(mine.contents.list(person, "people") == [])
        theirs.commit([person.set(element: 3, of: "people", .link(person))], wallMilliseconds: 40)
        try upload(from: theirs)
        try upload(from: mine)
    }

    @Test("an object that was deleted by others goes with the pending writes to it")
    mutating func deletedByOthers() throws {
        mine.commit([person.set("name", "mine")], wallMilliseconds: 40)
        theirs.commit([person.delete()], wallMilliseconds: 30)
        try upload(from: theirs)

        #expect(mine.contents == RealmContents())
        try upload(from: mine)
        #expect(mine.contents == RealmContents())
    }

    @Test("an entry that is not the next one is passed over")
    mutating func order() throws {
        let entry = try #require(
            try state.accept(
                .sample(base: 1, operations: [person.set("name", "b")]),
                of: 2,
                user: 1,
                received: .sample,
                digest: .sample
            )
        )
        var late = OverlayDevice(file: 3)

        let taken = [late.integrate(entry), mine.integrate(entry), mine.integrate(entry)]

        #expect(taken == [false, true, false])
        #expect(late.position == 0)
        #expect(mine.position == 2)
    }
}
