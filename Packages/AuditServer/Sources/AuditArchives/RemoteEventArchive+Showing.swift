package import AuditModel
import EventModel
import EventProofs
import Foundation

extension RemoteEventArchive {
    private struct Detail: Decodable {
        let event: EventLine
        let objects: [EventObject]
        let outcome: EventOutcome
        let proof: EventProof?
        /// What is shown of the partition and was not signed; an older server does not say.
        let problems: [String]?

        /// A sentence for all of them.
        var problem: String? {
            guard let problems, !problems.isEmpty else { return nil }
            return "What is shown of the partition is not what was signed: \(problems.joined(separator: "; "))."
        }
    }

    package func follower(_ filter: EventFilter) -> any EventFollower { RemoteEventFollower(self, filter) }

    package func event(_ reference: EventReference) async throws -> ShownEvent {
        do {
            let place = try await place(of: reference)
            let path = "partitions/\(place.partition)/events/\(place.sequence)"
            let detail = try server.decode(Detail.self, from: try await server.get(path).body)
            return ShownEvent(
                event: detail.event,
                objects: detail.objects,
                outcome: detail.outcome,
                proof: detail.proof,
                problem: detail.problem
            )
        } catch CommandError.refused(status: 404, _) {
            throw CommandError.missingEvent("\(reference)")
        }
    }

    private struct Place: Decodable {
        let partition: String
        let sequence: UInt64
    }

    private func place(of reference: EventReference) async throws -> Place {
        switch reference {
        case .place(let partition, let sequence): Place(partition: partition.value, sequence: sequence)
        case .id(let id): try server.decode(Place.self, from: try await server.get("events/\(id)").body)
        }
    }

    /// What arrived after a place.
    package struct News {
        package let lines: [EventLine]
        /// The place behind them.
        package let last: String
        /// Whether there is more at once.
        package let isMore: Bool
        /// Whether the server did not know the place.
        package let beginsAnew: Bool
    }

    /// Asks for what arrived after a place; without one, for the place that comes next.
    package func news(_ filter: EventFilter, after last: String?) async throws -> News {
        var query = filter.query
        query["after"] = last
        let answer = try await server.answer("GET", "events/new", query)
        guard let next = answer.header(EventCursor.header) else { throw server.malformedAnswer }
        return News(
            lines: try lines(EventLine.self, in: answer.body),
            last: next,
            isMore: answer.header(EventCursor.isMoreHeader) != nil,
            beginsAnew: answer.header(EventCursor.beginsAnewHeader) != nil
        )
    }
}
