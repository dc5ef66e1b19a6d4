import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Frozen values are never changed and never observed")
struct FrozenMisuseTests {
    private static func expect(_ sentence: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(sentence), "\(text.prefix(600))")
    }

    /// A change of a frozen band, and what its sentence says that was attempted.
    enum Change: String, CaseIterable, Codable, Sendable {
        case property = "set 'Band.rank' failed: it is frozen; call 'thaw()'"
        case byKey = "set 'Band.name' failed: it is frozen"
        case link = "set 'Band.leader' failed: it is frozen"
        case embedded = "set 'Band.studio' failed: it is frozen"
        case insideEmbedded = "set 'BandStudio.street' failed: it is frozen"
        case anyValue = "set 'Band.notes' failed: it is frozen"
        case list = "change the list 'Band.songs' failed: it is frozen"
        case objects = "change the list 'Band.players' failed: it is frozen"
        case set = "change the set 'Band.cities' failed: it is frozen"
        case map = "change the dictionary 'Band.fees' failed: it is frozen"
        case nested = "change the nested list 'Band.notes' failed: it is frozen"
        case assignment = "change the list 'Band.songs' failed: it is frozen; call"
        case add = "add an object of 'Player' failed: it is frozen"
        case create = "create an object of 'Player' failed: it is frozen"
        case delete = "delete an object of 'Band' failed: it is frozen"
        case deleteAll = "delete all objects failed: it is frozen"

        func run(_ band: Band) throws {
            let realm = try #require(band.realm)
            switch self {
            case .property: band.rank = 2
            case .byKey: band["name"] = "x"
            case .link: band.leader = nil
            case .embedded: band.studio = nil
            case .insideEmbedded: band.studio?.street = "x"
            case .anyValue: band.notes = .none
            case .list: band.songs.append("x")
            case .objects: band.players.removeAll()
            case .set: band.cities.insert("x")
            case .map: band.fees["x"] = 1
            case .nested: band.notes.listValue?.append(.int(1))
            case .assignment: band.songs = List()
            case .add: realm.add(Player())
            case .create: realm.create(Player.self)
            case .delete: realm.delete(band)
            case .deleteAll: realm.deleteAll()
            }
        }
    }

    @Test(
        "F2: changing something frozen ends the process, and says what and what to do instead",
        arguments: Change.allCases
    )
    func changing(_ change: Change) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [change] in
            let file = try Band.file()
            try change.run(try #require(file.open().band).freeze())
        }
        Self.expect(change.rawValue, in: result)
    }

    /// A transaction of a frozen realm.
    enum Transaction: String, CaseIterable, Codable, Sendable {
        case write = "'write' was called for the realm"
        case beginWrite = "'write' was called for"
        case writeAsync = "'writeAsync' was called for the realm"
        case beginAsyncWrite = "'beginAsyncWrite' was called for the realm"
        case invalidate = "which is frozen and may be in use elsewhere"
        case autorefresh = "'autorefresh' was set for a frozen realm"

        func run(_ realm: Realm) throws {
            switch self {
            case .write: try realm.write { _ in }
            case .beginWrite: realm.beginWrite()
            case .writeAsync: realm.writeAsync {}
            case .beginAsyncWrite: realm.beginAsyncWrite {}
            case .invalidate: realm.invalidate()
            case .autorefresh: realm.autorefresh = true
            }
        }
    }

    @Test("T3: a frozen realm has no transactions and never moves", arguments: Transaction.allCases)
    func transaction(_ transaction: Transaction) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [transaction] in
            let file = try Band.file()
            try transaction.run(file.open().freeze())
        }
        Self.expect(transaction.rawValue, in: result)
        Self.expect("frozen", in: result)
    }

    @Test("T3: asyncWrite of a frozen realm ends the process")
    func asyncWrite() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try Band.file()
            try await Self.writeFrozen(file)
        }
        Self.expect("'asyncWrite' was called for the realm", in: result)
    }

    @MainActor
    private static func writeFrozen(_ file: TemporaryRealm) async throws {
        let realm = try await Realm(configuration: file.configuration).freeze()
        #expect(await !realm.asyncRefresh())
        try await realm.asyncWrite { _ in }
    }

    /// An observation of something frozen.
    enum Observed: String, CaseIterable, Codable, Sendable {
        case object, list, set, map, results, linkingObjects, anyCollection, realm

        func run(_ band: Band) throws {
            let realm = try #require(band.realm)
            let queue = DispatchQueue(label: "tests.observed")
            switch self {
            case .object: _ = band.observe(on: queue) { (_: ObjectChange<Band>) in }
            case .list: _ = band.players.observe(on: queue) { _ in }
            case .set: _ = band.cities.observe(on: queue) { _ in }
            case .map: _ = band.fees.observe(on: queue) { _ in }
            case .results: _ = realm.objects(Band.self).observe(on: queue) { _ in }
            case .linkingObjects: _ = try #require(band.leader).bands.observe(on: queue) { _ in }
            case .anyCollection: _ = AnyRealmCollection(band.songs).observe(on: queue) { _ in }
            case .realm: _ = realm.observe { _, _ in }
            }
        }
    }

    @Test("N6: observing something frozen ends the process", arguments: Observed.allCases)
    func observing(_ observed: Observed) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [observed] in
            let file = try Band.file()
            try observed.run(try #require(file.open().band).freeze())
        }
        Self.expect("was observed that is frozen and never changes; observe what 'thaw()' returns", in: result)
    }

    /// Something that cannot be frozen, thawed or referred to.
    enum Wrong: String, CaseIterable, Codable, Sendable {
        case unmanagedObject = "An unmanaged 'Band' was frozen; add it to a realm first"
        case unmanagedThaw = "An unmanaged 'Band' was thawed; add it to a realm first"
        case unmanagedList = "An unmanaged 'List<String>' was frozen"
        case unmanagedSet = "An unmanaged 'MutableSet<String>' was frozen"
        case unmanagedMap = "An unmanaged 'Map<String, Int>' was thawed"
        case unmanagedLinks = "An unmanaged 'LinkingObjects<Band>' was frozen"
        case unmanagedResult = "An unmanaged 'Results<String>' was frozen"
        case unmanagedReference = "An unmanaged 'Band' was referred to"
        case unmanagedVariable = "An unmanaged 'Band' was kept in a '@ThreadSafe' variable"
        case assignedVariable = "An unmanaged 'List<String>' was kept in a '@ThreadSafe' variable"
        case deleted = "A 'Band' was frozen after it was deleted or its realm invalidated; check 'isInvalidated'"
        case deletedList = "A 'List<String>' was frozen after it was deleted"
        case deletedReference = "A 'Band' was referred to after it was deleted"
        case created = "An object of 'Band' was frozen in the transaction that created it; commit first"
        case createdList = "A 'List<String>' was frozen in the transaction that created it; commit first"
        case live = "that is not frozen was wrapped in 'Frozen'; call 'freeze()' first"
        case resolvedTwice = "A 'ThreadSafeReference' was resolved a second time; make one for each use"
        case otherFile = "was resolved in the realm"

        func run(_ realm: Realm, _ other: Realm) throws {
            let band = try #require(realm.band)
            switch self {
            case .unmanagedObject: _ = Band().freeze()
            case .unmanagedThaw: _ = Band().thaw()
            case .unmanagedList: _ = List<String>().freeze()
            case .unmanagedSet: _ = MutableSet<String>().freeze()
            case .unmanagedMap: _ = Map<String, Int>().thaw()
            case .unmanagedLinks: _ = Player().bands.freeze()
            case .unmanagedResult: _ = List<String>().sorted().freeze()
            case .unmanagedReference: _ = ThreadSafeReference(to: Band())
            case .unmanagedVariable: _ = ThreadSafe(wrappedValue: Band())
            case .assignedVariable: ThreadSafe(wrappedValue: band.songs).wrappedValue = List()
            case .deleted: try deleting(band, realm) { _ = band.freeze() }
            case .deletedList:
                let songs = band.songs
                try deleting(band, realm) { _ = songs.freeze() }
            case .deletedReference: try deleting(band, realm) { _ = ThreadSafeReference(to: band) }
            case .created: try realm.write { _ = $0.create(Band.self, value: ["name": "x"]).freeze() }
            case .createdList: try realm.write { _ = $0.create(Band.self, value: ["name": "x"]).songs.freeze() }
            case .live: _ = Frozen(band)
            case .resolvedTwice:
                let reference = ThreadSafeReference(to: band)
                _ = realm.resolve(reference)
                _ = realm.resolve(reference)
            case .otherFile: _ = other.resolve(ThreadSafeReference(to: band))
            }
        }

        private func deleting(_ band: Band, _ realm: Realm, _ body: () -> Void) throws {
            try realm.write { $0.delete(band) }
            body()
        }
    }

    @Test(
        "F1, F4, F5: what is unmanaged, deleted or used up ends the process with a sentence",
        arguments: Wrong.allCases
    )
    func wrong(_ wrong: Wrong) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [wrong] in
            let (file, otherFile) = (try Band.file(), try Band.file())
            try wrong.run(try file.open(), try otherFile.open())
        }
        Self.expect(wrong.rawValue, in: result)
    }

    @Test("R3: a live object is not frozen in another place than its own")
    func otherThread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try Band.file()
            // SAFETY: nothing guards it: handing the object to another thread is the mistake that must trap.
            nonisolated(unsafe) let band = try #require(file.open().band)
            try onThread { _ = band.freeze() }
        }
        Self.expect("pass a 'ThreadSafeReference' or a frozen object", in: result)
    }
}
