import ArgumentParser
package import EventModel

/// Which event somebody means: its id, or its place.
package enum EventReference: Equatable, Sendable {
    /// By the id.
    case id(ObjectId)
    /// By the partition and the place in it.
    case place(PartitionID, UInt64)

    /// Returns whether a file may hold the event; the prefix is known when the file is read, and not from its name.
    package func mayLie(in partition: PartitionID) -> Bool {
        switch self {
        case .id: true
        case .place(let own, _): own.id == partition.id
        }
    }

    /// Returns whether this is the event.
    package func names(_ partition: PartitionID, _ sequence: UInt64, _ id: ObjectId) -> Bool {
        switch self {
        case .id(let own): own == id
        case .place(let own, let place): own == partition && place == sequence
        }
    }
}

extension EventReference: ExpressibleByArgument {
    /// Reads `ID` or `PARTITION/SEQUENCE`; nil for anything else.
    package init?(argument: String) {
        do throws(EventModelError) {
            guard let slash = argument.lastIndex(of: "/") else {
                self = .id(try ObjectId(string: argument))
                return
            }
            guard let sequence = UInt64(argument[argument.index(after: slash)...]), sequence > 0 else { return nil }
            self = .place(try PartitionID(String(argument[..<slash])), sequence)
        } catch {
            // What is wrong with it is in the help of the argument.
            return nil
        }
    }
}

extension EventReference: CustomStringConvertible {
    package var description: String {
        switch self {
        case .id(let id): "\(id)"
        case .place(let partition, let sequence): "\(partition)/\(sequence)"
        }
    }
}
