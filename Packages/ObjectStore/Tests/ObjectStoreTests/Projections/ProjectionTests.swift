import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Projections")
struct ProjectionTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let ada: Juggler
    private let act: Act

    init() throws {
        file = try Juggler.file()
        realm = try file.open()
        try realm.write { Juggler.fill($0) }
        ada = try #require(realm.juggler(1))
        act = Act(projecting: ada)
    }

    @Test("a projection shows values, computed values, what links lead to and collections")
    func reading() {
        #expect(act.firstName == "Ada")
        #expect(act.capitals == "XU")
        #expect(act.years == 20)
        #expect(act.home == "Linz")
        #expect(act.partner?.firstName == "Bo")
        #expect(act.partnerName == "Bo")
        #expect(Array(act.props) == ["balls", "clubs"])
        #expect(act.rootObject === ada)
    }

    @Test("a projection that lists tell apart has the identity of its object")
    func identity() throws {
        final class Ticket: Projection<Juggler>, ObjectKeyIdentifiable {
            @Projected(\Juggler.firstName) var name
        }
        let bo = try #require(realm.juggler(2))

        #expect(Ticket(projecting: ada).id == Ticket(projecting: ada).id)
        #expect(Ticket(projecting: ada).id != Ticket(projecting: bo).id)
    }

    @Test("a projection is as live as its object")
    func live() throws {
        try realm.write { _ in
            ada.firstName = "Ida"
            ada.wagon = nil
            ada.partner = nil
        }

        #expect(act.firstName == "Ida")
        #expect(act.home == nil)
        #expect(act.partnerName == nil)
    }

    @Test("a projected property of the object is written through in a transaction")
    func writing() throws {
        try realm.write { realm in
            act.firstName = "Eve"
            act.years += 1
            act.partner = realm.juggler(3)
            act.props.append("rings")
        }

        #expect(ada.firstName == "Eve")
        #expect(ada.age == 21)
        #expect(ada.partner?.id == 3)
        #expect(Array(ada.props) == ["balls", "clubs", "rings"])
    }

    @Test("an unmanaged object can be projected, read and written")
    func unmanaged() {
        let juggler = Juggler()
        let act = Act(projecting: juggler)
        act.firstName = "Fay"
        let friend = Juggler()
        friend.firstName = "Gus"
        juggler.friends.append(friend)

        #expect(juggler.firstName == "Fay")
        #expect(Array(act.friendNames) == ["Gus"])
        #expect(act.realm == nil)
        #expect(!act.isInvalidated && !act.isFrozen)
    }

    @Test("an embedded object can be projected")
    func embedded() throws {
        let view = WagonView(projecting: try #require(ada.wagon))
        try realm.write { view.town = "Graz" }

        #expect(ada.wagon?.city == "Graz")
    }

    @Test("projections of the same object are equal, in all instances of one realm alone")
    func equality() throws {
        #expect(act == Act(projecting: try #require(realm.juggler(1))))
        #expect(act != Act(projecting: try #require(realm.juggler(2))))
        #expect(Set([act, Act(projecting: ada)]).count == 1)
        #expect(act != act.freeze())
        #expect(Act(projecting: Juggler()) != Act(projecting: Juggler()))
    }

    @Test("a projection knows its realm, and whether the object was deleted")
    func deleted() throws {
        #expect(act.realm == realm)

        try realm.write { $0.delete(ada) }

        #expect(act.isInvalidated)
        #expect(act.realm == nil)
        #expect(act.description == "Act (deleted)")
    }

    @Test("a description has the projected values by their own names")
    func description() {
        let text = LongAct(projecting: ada).description

        #expect(
            text == """
                LongAct { firstName: Ada, capitals: XU, years: 20, home: Linz, partner: ..., partnerName: Bo, props: ..., \
                friendNames: ..., teacherNames: ..., understudyNames: ..., admirerNames: ..., surname: Xu }
                """
        )
    }

    // MARK: Results

    @Test("a realm has projections of all objects of a class")
    func results() throws {
        let acts: Results<Act> = realm.objects(Act.self)

        #expect(acts.count == 5)
        #expect(acts.map(\.firstName) == ["Ada", "Bo", "Cy", "Di", "Ed"])
        #expect(acts.first?.firstName == "Ada")
        #expect(acts.last?.capitals == "YANG")
        #expect(acts[2].firstName == "Cy")
        #expect(acts.index(of: acts[3]) == 3)
        #expect(acts.index(of: Act(projecting: Juggler())) == nil)
        #expect(acts.realm == realm)
    }

    @Test("results of projections are filtered by properties of the projection, of the root and by texts")
    func filters() {
        let acts = realm.objects(Act.self)
        let byProjection = acts.where { $0.years > 22 }
        let byRoot = acts.where { $0.lastName == "Yang" }
        let byLink = acts.where { $0.partnerName == "Bo" }
        let byBoth = acts.where { $0.years > 22 && $0.lastName == "Yang" }
        let byList = acts.where { $0.friends.firstName == "Cy" }

        #expect(byProjection.map(\.firstName) == ["Di", "Ed"])
        #expect(byRoot.map(\.firstName) == ["Bo", "Ed"])
        #expect(byLink.map(\.firstName) == ["Ada"])
        #expect(byBoth.map(\.firstName) == ["Ed"])
        #expect(byList.map(\.firstName) == ["Ada"])
        #expect(acts.filter("age < 22 AND lastName = %@", "Xu").map(\.firstName) == ["Ada"])
    }

    @Test("results of projections are sorted and made distinct by either")
    func orders() {
        let acts = realm.objects(Act.self)

        #expect(acts.sorted(by: \.years, ascending: false).first?.firstName == "Ed")
        #expect(acts.sorted(byKeyPath: "age", ascending: false).first?.firstName == "Ed")
        #expect(
            acts.sorted(by: [ObjectStore.SortDescriptor(keyPath: \Act.firstName, ascending: false)]).first?.years == 24
        )
        #expect(acts.sorted(by: \.firstName).distinct(by: [\Act.capitals]).map(\.firstName) == ["Ada", "Bo", "Cy"])
    }

    @Test("aggregates compute with the properties of the objects")
    func aggregates() {
        let acts = realm.objects(Act.self)

        #expect(acts.sum(of: \.years) == 110)
        #expect(acts.min(of: \.years) == 20)
        #expect(acts.max(ofProperty: "age") == 24)
        #expect(acts.average(of: \.years) == 22.0)
    }

    @Test("properties of the objects behind projections are read and written by name")
    func keyValueCoding() throws {
        let acts = realm.objects(Act.self)
        try realm.write { acts.setValue(30, forKey: "age") }

        #expect(acts.value(forKey: "age") as? [Int] == [30, 30, 30, 30, 30])
        #expect(acts.objects(at: [0, 2]).map(\.years) == [30, 30])
    }

    @Test("an iteration may delete the objects that it goes over")
    func deletingLoop() throws {
        try realm.write { realm in
            for act in realm.objects(Act.self) where act.years != 22 { realm.delete(act.rootObject) }
        }

        #expect(realm.objects(Act.self).map(\.firstName) == ["Cy"])
    }

    // MARK: Elsewhere

    @Test("a frozen projection stays as it was, and thaws")
    func freezing() throws {
        let frozen = act.freeze()
        let acts = realm.objects(Act.self).freeze()
        try realm.write { act.firstName = "Ida" }

        #expect(frozen.isFrozen && acts.isFrozen && !act.isFrozen)
        #expect(frozen.firstName == "Ada")
        #expect(acts.first?.firstName == "Ada")
        #expect(frozen.freeze() === frozen)
        #expect(frozen.thaw()?.firstName == "Ida")
        #expect(realm.thaw(frozen)?.firstName == "Ida")
    }

    @Test("a projection and results of them reach another thread")
    func threads() throws {
        let one = ThreadSafeReference(to: act)
        let all = ThreadSafeReference(to: realm.objects(Act.self).where { $0.years > 21 })
        let names = ThreadSafeReference(to: act.friendNames)
        @ThreadSafe var variable: Act? = act
        let (file, kept) = (file, _variable)

        try onThread {
            let realm = try file.open()
            #expect(realm.resolve(one)?.capitals == "XU")
            #expect(realm.resolve(all)?.count == 3)
            #expect(realm.resolve(names).map(Array.init) == ["Bo", "Cy"])
            #expect(kept.wrappedValue?.firstName == "Ada")
        }
    }
}
