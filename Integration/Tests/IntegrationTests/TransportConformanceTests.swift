import Daybook
import EventModelTesting
import EventProofs
import Testing

@Suite("Client and server")
struct TransportConformanceTests {
    @Test("together they keep every rule of the transport's seam")
    func rules() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let app = App(
            id: "kit",
            configuration: AppConfiguration(baseURL: ward.url, rootDirectory: ward.folder.appending(path: "kit").path)
        )
        let user = try await app.login(credentials: .anonymous)
        let events = EventTransportConformance.sampleEvents(6)
        let key = DeviceKey()
        let kit = EventTransportConformance(
            transport: HTTPEventTransport(user: user),
            ids: ObjectIdGenerator.system,
            events: events,
            root: { Self.frontier($0).root },
            seal: { partition, count, root in
                do {
                    let frontier = Self.frontier(Array(events.prefix(Int(count))))
                    return try key.seal(
                        partition,
                        of: EventOwner(app: app.id, user: user.id),
                        over: frontier,
                        first: nil,
                        last: nil,
                        previousRoot: nil,
                        losses: []
                    )
                } catch {
                    Issue.record("A seal cannot be signed: \(error)")
                    return EventTransportConformance.sampleSeal(partition, count, root)
                }
            }
        )

        let broken = await kit.brokenRules()

        #expect(broken == [])
    }

    private static func frontier(_ events: [[UInt8]]) -> MerkleFrontier {
        var frontier = MerkleFrontier()
        for event in events { frontier.append(MerkleHash.leaf(event)) }
        return frontier
    }
}
