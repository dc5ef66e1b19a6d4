import Foundation
import ObjectStore
import ObjectStoreTesting

/// Something that is sorted into sections.
class Bale: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var town: String
    @Persisted var weight: Int
    @Persisted var label: String?
    @Persisted var depot: BaleDepot?
    @Persisted(originProperty: "bales") var depots: LinkingObjects<BaleDepot>

    /// The first letter of the town.
    var initial: String { String(town.prefix(1)) }

    static let types: [ObjectBase.Type] = [Bale.self, BaleDepot.self]

    static func make(_ id: Int, _ town: String, _ weight: Int = 1) -> Bale {
        let bale = Bale()
        bale.id = id
        bale.town = town
        bale.weight = weight
        return bale
    }

    /// Six bales of four towns, and a depot that has four of them.
    static func fill(_ realm: Realm) {
        let bales = [
            make(1, "Linz", 3), make(2, "Graz", 1), make(3, "Wien", 2), make(4, "Graz", 5), make(5, "Wels", 4),
            make(6, "Linz", 1),
        ]
        let depot = BaleDepot()
        depot.name = "North"
        depot.bales.append(objectsIn: bales[0..<4])
        depot.urgent.insert(bales[1])
        depot.codes.append(objectsIn: ["b2", "a1", "b1", "c1"])
        realm.add(depot)
        realm.add(bales[4...])
        bales[0].depot = depot
    }
}

class BaleDepot: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var bales: List<Bale>
    @Persisted var urgent: MutableSet<Bale>
    @Persisted var codes: List<String>
}

class BaleLabel: Projection<Bale> {
    @Projected(\Bale.town) var town
    @Projected(\Bale.weight) var grams
}

/// Sections as plain values.
struct PlainSections<Key: Hashable & _Persistable>: Equatable {
    var keys: [Key] = []
    var ids: [[Int]] = []

    init(_ sections: SectionedResults<Key, Bale>) {
        keys = sections.allKeys
        ids = sections.map { $0.map(\.id) }
    }

    /// Groups ordered elements.
    init(_ elements: [(key: Key, id: Int)]) {
        for (key, id) in elements {
            if let index = keys.firstIndex(of: key) {
                ids[index].append(id)
            } else {
                keys.append(key)
                ids.append([id])
            }
        }
    }
}

extension PlainSections {
    /// What a handler that knows these sections makes of a change: the sections as they are now.
    func applying(_ change: SectionedResultsChange<SectionedResults<Key, Bale>>) -> PlainSections {
        guard case .update(let sections, let deletions, let insertions, _, let inserted, let deleted) = change else {
            return self
        }
        let new = PlainSections(sections)
        var known = self
        for path in deletions.reversed() { known.ids[path[0]].remove(at: path[1]) }
        for section in deleted.reversed() {
            known.keys.remove(at: section)
            known.ids.remove(at: section)
        }
        for section in inserted {
            known.keys.insert(new.keys[section], at: section)
            known.ids.insert([], at: section)
        }
        for path in insertions { known.ids[path[0]].insert(new.ids[path[0]][path[1]], at: path[1]) }
        return known
    }
}
