package import AuditModel
import EventModel
package import EventPartitions
import EventProofs

extension FileEventArchive {
    /// Finds every event file, the oldest partition first.
    package func paths() throws(PartitionError) -> [String] {
        var named: [(path: String, partition: PartitionID)] = []
        for path in try PartitionFiles.find(below: directory) {
            do throws(PartitionError) {
                named.append((path, try PartitionFileReader(path, encryptionKey: encryptionKey).partition))
            } catch {
                // One that is gone was uploaded; one of a newer version is told of by whoever reads it.
                continue
            }
        }
        return named.sorted { $0.partition < $1.partition }.map { $0.path }
    }

    /// Returns whether a file was sealed by the device of a filter; true when it names none.
    package func isOfDevice(_ filter: EventFilter, _ path: String) throws(PartitionError) -> Bool {
        guard let device = filter.device else { return true }
        return try PartitionFiles.verify(path, encryptionKey: encryptionKey).seal?.publicKey == device
    }

    /// Describes an event of a file in the words of a store.
    package static func stored(_ found: FiledEvent) -> StoredEvent {
        StoredEvent(
            partition: found.partition,
            sequence: found.sequence,
            owner: nil,
            event: found.event,
            leaf: found.leaf,
            received: nil
        )
    }

    package func follower(_ filter: EventFilter) -> any EventFollower { FileEventFollower(self, filter) }

    package func event(_ reference: EventReference) async throws -> ShownEvent {
        for path in try PartitionFiles.find(below: directory) {
            var reader = try PartitionFileReader(path, encryptionKey: encryptionKey)
            guard reference.mayLie(in: reader.partition) else { continue }
            var found: FiledEvent?
            var isAtEnd = false
            while !isAtEnd, found == nil {
                do throws(PartitionError) {
                    let next = try reader.next()
                    isAtEnd = next == nil
                    if let next, reference.names(next.partition, next.sequence, next.event.id) { found = next }
                } catch {
                    // The event may lie behind the damage.
                    guard case .damaged = error else { throw error }
                }
            }
            if let found { return shown(found, in: path) }
        }
        throw CommandError.missingEvent("\(reference)")
    }

    private func shown(_ found: FiledEvent, in path: String) -> ShownEvent {
        let stored = Self.stored(found)
        let line = EventLine(stored)
        let objects = EventObject.all(in: found.event)
        do throws(PartitionError) {
            let proof = try PartitionFiles.proof(of: found.sequence, in: path, encryptionKey: encryptionKey)
            return ShownEvent(event: line, objects: objects, outcome: stored.outcome, proof: proof)
        } catch {
            return ShownEvent(event: line, objects: objects, outcome: stored.outcome, proof: nil, problem: "\(error)")
        }
    }
}
