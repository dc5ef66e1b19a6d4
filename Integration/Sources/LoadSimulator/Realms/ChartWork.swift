import Daybook
import EventModelTesting

/// What somebody does who looks at charts: few of them, so that devices meet at the same ones.
enum ChartWork {
    /// The classes of the charts, for a configuration.
    static var classes: [ObjectBase.Type] { [LoadChart.self, LoadBed.self] }
    /// How many charts a realm has at most.
    private static let charts = 12
    /// How many different texts there are.
    private static let words = 1000

    /// Changes a chart, or makes or deletes one, in a transaction that is open.
    static func change(_ realm: Realm, _ random: inout SeededGenerator) {
        let id = 1 + random.below(charts)
        let word = "w\(random.below(words))"
        guard let chart = realm.object(ofType: LoadChart.self, forPrimaryKey: id) else {
            let made = LoadChart(id)
            made.name = word
            return realm.add(made)
        }
        switch random.below(12) {
        case 0: if random.once(in: 2) { realm.delete(chart) }
        case 1: chart.name = random.once(in: 5) ? nil : word
        case 2: chart.increment(\.visits, by: 1 + random.below(9))
        case 3, 4: changeNotes(chart.notes, word, &random)
        case 5: if random.once(in: 3) { chart.tags.remove("w\(random.below(9))") } else { chart.tags.insert(word) }
        case 6: chart.marks["m\(random.below(9))"] = random.once(in: 4) ? nil : random.below(100)
        case 7: chart.next = random.once(in: 4) ? nil : other(in: realm, &random)
        case 8, 9: changeLinks(chart.others, in: realm, &random)
        case 10: changeBed(of: chart, word, &random)
        default: chart.value = random.once(in: 3) ? .none : random.once(in: 2) ? .string(word) : .int(random.below(9))
        }
    }

    private static func other(in realm: Realm, _ random: inout SeededGenerator) -> LoadChart? {
        realm.object(ofType: LoadChart.self, forPrimaryKey: 1 + random.below(charts))
    }

    private static func changeNotes(_ notes: List<String>, _ word: String, _ random: inout SeededGenerator) {
        switch random.below(5) {
        case 0: notes.insert(word, at: random.below(notes.count + 1))
        case 1 where !notes.isEmpty: notes.remove(at: random.below(notes.count))
        case 2 where notes.count > 1: notes.move(from: random.below(notes.count), to: random.below(notes.count))
        case 3 where !notes.isEmpty: notes[random.below(notes.count)] = word
        default: notes.append(word)
        }
    }

    private static func changeLinks(_ links: List<LoadChart>, in realm: Realm, _ random: inout SeededGenerator) {
        if random.once(in: 3), !links.isEmpty { return links.remove(at: random.below(links.count)) }
        guard let other = other(in: realm, &random) else { return }
        links.insert(other, at: random.below(links.count + 1))
    }

    private static func changeBed(of chart: LoadChart, _ word: String, _ random: inout SeededGenerator) {
        switch (random.below(3), chart.bed) {
        case (0, .some(let bed)): bed.floor = random.below(20)
        case (1, .some): chart.bed = nil
        default:
            let bed = LoadBed()
            bed.room = word
            chart.bed = bed
        }
    }
}
