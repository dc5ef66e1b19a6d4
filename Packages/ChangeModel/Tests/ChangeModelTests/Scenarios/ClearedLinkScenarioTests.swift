import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: links")
struct ClearedLinkScenarioTests {
    private let target = ObjectAddress.sample(3)
    private let rest = ObjectAddress.sample(4)
    private var scenario = Scenario(
        person.create(["link": .null]),
        ObjectAddress.sample(3).create(),
        ObjectAddress.sample(4).create()
    )

    @Test("S25: the later link wins")
    mutating func later() {
        scenario.commit(deviceA, at: 10, person.set("link", .link(target)))
        scenario.commit(deviceB, at: 20, person.set("link", .link(rest)))

        #expect(scenario.end()[person, "link"] == .link(rest))
    }

    @Test(
        "S26: a link that is later than the deletion of its target is null, and there when the target is created anew"
    )
    mutating func linkAfterDeletion() {
        scenario.commit(deviceA, at: 10, target.delete())
        scenario.commit(deviceB, at: 20, person.set("link", .link(target)))

        #expect(scenario.end()[person, "link"] == .null)
        scenario.sync()
        scenario.commit(deviceC, at: 30, target.create())
        #expect(scenario.end()[person, "link"] == .link(target))
    }

    @Test("S27: a deleted object that another device adds to a list is not in it")
    mutating func listOfDeleted() {
        scenario.commit(deviceA, at: 10, target.delete())
        scenario.commit(deviceB, at: 20, person.insert(1, .link(target)), person.insert(2, .link(rest)))

        #expect(scenario.end().list(person, "list") == [.link(rest)])
    }

    @Test(
        "S28: a link that is older than the deletion is cleared by it, and stays null when the target is created anew"
    )
    mutating func linkBeforeDeletion() {
        scenario.commit(deviceC, at: 5, person.set("link", .link(target)))
        scenario.sync()
        scenario.commit(deviceA, at: 10, target.delete())
        #expect(scenario.end()[person, "link"] == .null)
        scenario.sync()
        scenario.commit(deviceB, at: 20, target.create())

        #expect(scenario.end()[person, "link"] == .null)
    }

    @Test("S28: so does one that arrives after the deletion that it is older than")
    mutating func lateLink() {
        scenario.commit(deviceA, at: 20, target.delete())
        scenario.commit(deviceB, at: 10, person.set("link", .link(target)))
        scenario.sync()
        scenario.commit(deviceC, at: 30, target.create())

        #expect(scenario.end()[person, "link"] == .null)
    }

    @Test("a deletion of the former object clears no link to the present one")
    mutating func linkToPresent() {
        scenario.commit(deviceA, at: 10, target.delete(), target.create())
        scenario.commit(deviceA, at: 11, person.set("link", .link(target)))
        scenario.commit(deviceB, at: 20, target.delete())

        #expect(scenario.end()[person, "link"] == .link(target))
    }

    @Test("the later one of two deletions counts for links, also where it changes nothing")
    mutating func secondDeletion() {
        scenario.commit(deviceA, at: 10, target.delete())
        scenario.commit(deviceB, at: 30, target.delete())
        scenario.commit(deviceC, at: 20, person.set("link", .link(target)))
        scenario.sync()
        scenario.commit(deviceA, at: 40, target.create())

        #expect(scenario.end()[person, "link"] == .null)
    }

    @Test("S29: a link to an object that is not there yet is null, and shows when that arrives")
    mutating func notThere() {
        scenario.commit(deviceA, at: 10, person.set("link", .link(created)))
        #expect(scenario.end()[person, "link"] == .null)
        scenario.sync()
        scenario.commit(deviceB, at: 20, created.create())

        #expect(scenario.end()[person, "link"] == .link(created))
    }

    @Test("S30: an object and the link to it arrive in one entry")
    mutating func oneEntry() throws {
        scenario.commit(deviceA, at: 10, created.create(), person.set("link", .link(created)))

        let entries = try #require(scenario.outcome.entries.first)
        #expect(entries.count == 1)
        #expect(entries.first?.literals.map(\.object) == [created, person])
        #expect(scenario.end()[person, "link"] == .link(created))
    }

    @Test("S31: a deleted target is gone from sets, and is null in maps, whose keys stay")
    mutating func collections() {
        scenario.commit(deviceC, at: 5, person.put(.link(target)), person.put(.link(rest)))
        scenario.commit(deviceC, at: 6, person.set(key: "k", .link(target)))
        scenario.sync()
        scenario.commit(deviceA, at: 10, target.delete())

        let end = scenario.end()
        #expect(end.set(person, "set") == [.link(rest)])
        #expect(end.map(person, "map") == ["k": .null])
    }

    @Test("S32: a cycle of links is a cycle everywhere")
    mutating func cycle() {
        scenario.commit(deviceA, at: 10, person.set("link", .link(target)), target.set("link", .link(person)))

        let end = scenario.end()
        #expect(end[person, "link"] == .link(target))
        #expect(end[target, "link"] == .link(person))
    }

    @Test("S31: in a list of any values an element whose target was deleted stays, and is null")
    mutating func anyElement() {
        scenario.commit(deviceC, at: 5, person.insert(1, .anyLink(target)), person.insert(2, .anyLink(rest)))
        scenario.sync()
        scenario.commit(deviceA, at: 10, target.delete())

        #expect(scenario.end().list(person, "list") == [.null, .anyLink(rest)])
    }

    @Test("an element whose target was deleted comes back when a newer value arrives")
    mutating func elementReturns() {
        scenario.commit(deviceC, at: 5, person.insert(1, .link(target)), person.insert(2, .link(rest)))
        scenario.sync()
        scenario.commit(deviceA, at: 10, target.delete())
        scenario.commit(deviceB, at: 20, person.set(element: 1, .link(person)))

        #expect(scenario.end().list(person, "list") == [.link(person), .link(rest)])
    }
}
