import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// A point as the original's documentation stores it.
final class Position: EmbeddedObject {
    @Persisted var type: String = "Point"
    @Persisted var coordinates: List<Double>
}

/// Something that is somewhere.
final class Site: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var position: Position?
}

/// Objects whose points lie in a shape, each of which is looked at.
///
/// The floor compares two columns of plain rows with four numbers, where ours goes to the point's object, from there to its list, and asks
/// the sphere. So there is no goal: what is looked at is whether the cost of one object grows.
func placeBenchmarks(_ workload: Workload) -> [Benchmark] {
    let sites = Sites(workload: workload)
    func sized(_ series: String, _ ours: @escaping @Sendable (Results<Site>) throws -> Int) -> [Benchmark] {
        workload.counts.map { count in
            Benchmark(
                "\(series), \(count) objects",
                unit: "ns/object",
                step: GrowthStep(series, size: count),
                floor: { try sites.floor(count) },
                ours: { try sites.ours(count, ours) }
            )
        }
    }
    return sized("count the points in a circle, again") { sites in
        let circle = try required(
            GeoPoint(latitude: 55.6761, longitude: 12.5683).flatMap { GeoCircle(center: $0, radiusInRadians: 0.14) }
        )
        return sites.where { $0.position.geoWithin(circle) }.count
    }
        + sized("count the points in a box, again") { sites in
            let box = try required(GeoBox(bottomLeft: (46, 6), topRight: (60, 20)))
            return sites.where { $0.position.geoWithin(box) }.count
        }
}

private func required<Shape>(_ shape: Shape?) throws(BenchError) -> Shape {
    guard let shape else { throw .noShape }
    return shape
}

/// A realm of points all over the earth, and a plain file of as many people.
private final class Sites: Sendable {
    private let workload: Workload
    private let filled = Mutex<Set<Int>>([])

    init(workload: Workload) { self.workload = workload }

    func ours(_ count: Int, _ work: (Results<Site>) throws -> Int) throws -> Double {
        let sites = try Realm(configuration: configuration(folder(count))).objects(Site.self)
        for _ in 0..<2 { blackHole(try work(sites)) }
        return try medianNanoseconds(ofSteps: 5) { _ in blackHole(try work(sites)) } / Double(count)
    }

    func floor(_ count: Int) throws -> Double {
        let people = try RawPeople(path: folder(count).appending(path: "people.sqlite").path)
        let query = try people.query(
            "SELECT count(*) FROM person WHERE score BETWEEN ? AND ? AND employeeId BETWEEN ? AND ?"
        )
        func work() -> Double { query.number(.real(40), .real(50), .int(1_000_000), .int(2_000_000)) }
        for _ in 0..<2 { blackHole(work()) }
        return medianNanoseconds(ofSteps: 5) { _ in blackHole(work()) } / Double(count)
    }

    private func configuration(_ folder: URL) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: folder.appending(path: "sites.realm"),
            objectTypes: [Site.self, Position.self]
        )
    }

    private func folder(_ count: Int) throws -> URL {
        try filled.withLock { filled in
            let folder = try workload.makeSharedFolder("sites-\(count)")
            guard filled.insert(count).inserted else { return folder }
            let realm = try Realm(configuration: configuration(folder))
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            for start in stride(from: 0, to: count, by: 50_000) {
                let keys = start..<min(start + 50_000, count)
                try people.insert(keys.map { SamplePerson($0) })
                try realm.write {
                    for key in keys {
                        let (longitude, latitude) = (key &* 7919 % 3600, key &* 104_729 % 1800)
                        let position = Position()
                        position.coordinates.append(Double(longitude) / 10 - 180)
                        position.coordinates.append(Double(latitude) / 10 - 90)
                        let site = Site()
                        site._id = key
                        site.position = position
                        realm.add(site)
                    }
                }
            }
            return folder
        }
    }
}
