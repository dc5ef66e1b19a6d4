import EventModel
import Synchronization

/// The plans of all classes that an encoder wrote so far.
///
/// A recorder has an encoder of its own and one realm with one shape for each class, so nothing is ever removed: a plan
/// takes about a kilobyte and goes with the encoder.
final class ClassPlans: Sendable {
    private let plans = Mutex<[ObjectIdentifier: ClassPlan]>([:])

    /// The plan of a class, made on first use.
    func plan(_ shape: ClassShape) throws(SerializationError) -> ClassPlan {
        let identity = ObjectIdentifier(shape)
        if let known = plans.withLock({ $0[identity] }) { return known }
        let fresh = try ClassPlan(shape)
        return plans.withLock { plans in
            let plan = plans[identity] ?? fresh
            plans[identity] = plan
            return plan
        }
    }
}
