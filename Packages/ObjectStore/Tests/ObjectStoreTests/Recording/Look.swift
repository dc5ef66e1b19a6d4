import EventModel
import EventModelTesting
import Testing

/// A way to look at something that the program got before.
struct Look<Place>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is told, as ``ObserverSpy/Call`` shows it in ``told(_:)``.
    let expected: [String]
    /// Gets something, and returns what shows it.
    let prepare: @Sendable (Place) -> () -> Void

    init<Held>(
        _ name: String,
        tells expected: [String] = [],
        _ hold: @escaping @Sendable (Place) -> Held,
        _ show: @escaping @Sendable (Held) -> Void
    ) {
        testDescription = name
        self.expected = expected
        prepare = { place in
            let held = hold(place)
            return { show(held) }
        }
    }
}

extension ObserverSpy {
    /// What a closure shows: the classes, of several calls in a row for one class the first.
    func told(_ show: () -> Void) -> [String] {
        let names = record(show)
            .map { call in
                switch call {
                case .read(let object): object.shape.name
                case .query(let name, _, _): "query \(name)"
                case .follow(_, _, let target, _): "follow \(target.shape.name)"
                @unknown default: "unknown"
                }
            }
        return names.indices.filter { $0 == 0 || names[$0 - 1] != names[$0] }.map { names[$0] }
    }
}
