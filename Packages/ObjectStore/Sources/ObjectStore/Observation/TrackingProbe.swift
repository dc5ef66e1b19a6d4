import Observation
import Synchronization

/// Finds out whether somebody tracks what is read on this thread.
///
/// Observation does not say so. But it hashes the key path of an access that it notes, and no other one: so the probe hands it a key
/// path with an argument that tells when it is hashed. That is asked for each property that is read of a tracked class, and takes a tenth
/// of the time of making the key path of the property.
final class TrackingProbe: Observable {
    /// Whether that is so with this Observation; if not, every read is taken for a tracked one.
    static let tells: Bool = {
        let probe = TrackingProbe()
        guard !probe.wasNoted else { return false }
        return withObservationTracking {
            probe.wasNoted
        } onChange: {
        }
    }()

    private let registrar = ObservationRegistrar()
    private let mark = TrackingMark()
    private let path: KeyPath<TrackingProbe, Void>

    /// Creates a probe.
    init() {
        path = \TrackingProbe.[mark]
    }

    /// Whether somebody tracks what is read on this thread, as far as is known.
    var isTracked: Bool { wasNoted || !Self.tells }

    private var wasNoted: Bool {
        mark.isHashed.store(false, ordering: .relaxed)
        registrar.access(self, keyPath: path)
        return mark.isHashed.load(ordering: .relaxed)
    }

    private subscript(mark: TrackingMark) -> Void { () }
}

/// An argument of a key path that tells when it is hashed.
private final class TrackingMark: Hashable, Sendable {
    let isHashed = Atomic<Bool>(false)

    static func == (left: TrackingMark, right: TrackingMark) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        isHashed.store(true, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(self))
    }
}
