import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Recording of what was got before")
struct HeldValueTests {
    private let spy = ObserverSpy(seesShownObjects: true)
    private let file: TemporaryRealm
    private let realm: Realm
    private let band: Band

    /// Ways to look at values of the band that were got before.
    private static let looks: [Look<Band>] = [
        Look("an element of a list", { $0.songs }, { _ = $0[0] }),
        Look("the first of a list", { $0.songs }, { _ = $0.first }),
        Look("the last of a list", { $0.songs }, { _ = $0.last }),
        Look("a loop over a list", { $0.songs }, { for song in $0 { _ = song } }),
        Look("a loop over a list that began before", { $0.songs.makeIterator() }, { _ = $0.next() }),
        Look("the count of a list", { $0.songs }, { _ = $0.count }),
        Look("the description of a list", { $0.songs }, { _ = $0.description }),
        Look("a part of a list", { $0.songs[0..<1] }, { _ = Array($0) }),
        Look("the place of an element", { $0.songs }, { _ = $0.index(of: "two") }),
        Look("a key path of a list", { $0.songs }, { _ = $0.value(forKeyPath: "@count") as Any? }),
        Look("an encoded list", { $0.songs }, { _ = try? JSONEncoder().encode($0) }),
        Look("a wrapped list", { AnyRealmCollection($0.songs) }, { _ = $0[0] }),
        Look("a set", { $0.cities }, { _ = Array($0) }),
        Look("whether a set has an element", { $0.cities }, { _ = $0.contains("Linz") }),
        Look("whether a set is inside another", { $0.cities }, { _ = $0.isSubset(of: MutableSet()) }),
        Look("whether sets meet", { $0.cities }, { _ = $0.intersects(MutableSet()) }),
        Look("the description of a set", { $0.cities }, { _ = $0.description }),
        Look("an element of a set", { $0.cities }, { _ = $0[0] }),
        Look("a value of a map", { $0.fees }, { _ = $0["Linz"] }),
        Look("a key that a map does not have", { $0.fees }, { _ = $0["Wien"] }),
        Look("the keys of a map", { $0.fees }, { _ = $0.keys }),
        Look("the values of a map", { $0.fees }, { _ = $0.values }),
        Look("the entries of a map", { $0.fees }, { for entry in $0 { _ = entry } }),
        Look("the count of a map", { $0.fees }, { _ = $0.count }),
        Look("the description of a map", { $0.fees }, { _ = $0.description }),
        Look("sorted values", { $0.songs.sorted(ascending: true) }, { _ = $0.first }),
        Look("the last of sorted values", { $0.songs.sorted(ascending: true) }, { _ = $0.last }),
        Look("a sorted value at a place", { $0.songs.sorted(ascending: true) }, { _ = $0[1] }),
        Look("filtered values", { $0.songs.filter("self == 'one'") }, { _ = Array($0) }),
        Look(
            "a loop over sorted values that began before",
            { $0.songs.sorted(ascending: true).makeIterator() },
            { iterator in
                var iterator = iterator
                _ = iterator.next()
            }
        ),
        Look("the place of a sorted value", { $0.songs.sorted(ascending: true) }, { _ = $0.index(of: "one") }),
        Look("a sum", { $0.fees }, { _ = $0.sum() as Int }),
        Look("a maximum of filtered values", { $0.fees.filter("self > 1") }, { _ = $0.max() }),
        Look("a nested list", { $0.notes.listValue }, { _ = $0?.first }),
        Look("a nested map", { $0.notes.listValue?[1].dictionaryValue }, { _ = $0?["b"] }),
        Look("a part", { $0.studio }, { _ = $0?.street }),
        Look("the description of a part", { $0.studio }, { _ = $0?.description }),
    ]

    init() throws {
        file = try Band.file { [spy] in $0.attachment = spy }
        realm = try file.open()
        band = try #require(realm.band)
    }

    @Test("values that were got before and are shown tell their object", arguments: looks)
    func heldValues(_ look: Look<Band>) {
        let show = look.prepare(band)
        #expect(spy.calls.isEmpty)

        #expect(spy.told(show) == ["Band"])
        #expect(spy.told {}.isEmpty)
    }

    @Test("values that were got before are told again when another writer changed them, and not otherwise")
    func changedValues() throws {
        let (songs, fees, sorted) = (band.songs, band.fees, band.songs.sorted(ascending: true))
        spy.gate.open()
        defer { spy.gate.close() }
        func told(_ show: () -> Void) -> Int {
            let before = spy.calls.count
            show()
            return spy.calls.count - before
        }
        _ = (songs.count, fees.keys, sorted.last)

        try elsewhere { $0.songs.append("three") }
        #expect(told { _ = sorted.last } == 1)
        #expect(told { _ = songs.count } == 1)
        #expect(songs.count == 3 && sorted.last == "two")
        #expect(told { _ = (songs.first, songs.count, sorted.first, sorted.max(), fees.keys) } == 0)
        try elsewhere { $0.realm?.create(Band.self, value: ["name": "Others"]) }
        #expect(told { _ = (songs.count, sorted.first, fees.keys, fees["Linz"]) } == 0)
        try elsewhere { $0.fees["Wien"] = 30 }
        #expect(told { _ = fees.keys } == 1)
        #expect(fees.keys == ["Graz", "Linz", "Wien"])
        #expect(told { _ = (songs.count, sorted.last) } == 0)
        try elsewhere { $0.songs[2] = "\u{e9}" }
        _ = (songs.last, sorted.last)
        try elsewhere { $0.songs[2] = "e\u{301}" }
        #expect(told { _ = songs.last } == 1)
        #expect(told { _ = sorted.last } == 1)
        try realm.write { $0.band?.songs.append("mine") }
        #expect(told { _ = (sorted.first, songs.last) } == 0)
        #expect(sorted.count == 4 && songs.last == "mine")
    }

    /// Changes the band in another instance, and moves this one there.
    private func elsewhere(_ change: @escaping @Sendable (Band) -> Void) throws {
        try writeElsewhere(file) { realm in
            guard let band = realm.band else { return }
            change(band)
        }
        realm.refresh()
    }
}
