import Dispatch
import EventModel
import Synchronization

// The objects of a long read, on two cores.
extension PayloadWriter {
    /// From how many objects on a read is long: what less than a millisecond of work is takes no longer on one core.
    static let longReadCount = 2048

    /// Writes objects with a comma before each; the second half of many on another core, if one is free.
    ///
    /// Whoever committed the scope waits until its events are durable, and most of that time is this text. Both halves are written as
    /// they would be one behind the other, so the text is the same; so is the error, which is that of the first object that has one.
    mutating func writeMembers(_ objects: [ReadObject]) throws(SerializationError) {
        guard objects.count >= Self.longReadCount else { return try write(members: objects[...]) }
        let middle = objects.count / 2
        let (plans, dataRepresentation) = (plans, dataRepresentation)
        let halves = Mutex<[Result<[UInt8], SerializationError>?]>([nil, nil])
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            let members = half == 0 ? objects[..<middle] : objects[middle...]
            let text = Result { () throws(SerializationError) in
                var writer = PayloadWriter(plans: plans, dataRepresentation: dataRepresentation)
                try writer.write(members: members)
                return Array(writer.output.bytes)
            }
            halves.withLock { $0[half] = text }
        }
        for half in halves.withLock({ $0 }) {
            guard let half else { preconditionFailure("Both halves of a read are written when the call returns.") }
            try half.get().withUnsafeBytes { output.append($0) }
        }
    }
}
