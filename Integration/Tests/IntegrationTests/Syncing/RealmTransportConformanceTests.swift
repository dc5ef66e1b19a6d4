import ChangeModel
import ChangeModelTesting
import Daybook
import EventModel
import EventProofs
import RealmSync
import Synchronization
import Testing

@Suite("Client and server of realms")
struct RealmTransportConformanceTests {
    @Test("together they keep every promise of the seam")
    func promises() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let device = try await SyncDevice("kit", on: ward)
        let schema = SyncSchema([
            SyncSchema.Class(
                "Person",
                key: "_id",
                properties: ["_id": SyncSchema.Property(.int), "age": SyncSchema.Property(.int)]
            )
        ])
        let key = DeviceKey()
        let realms = Mutex(0)
        let kit = ChangeTransportConformance(
            schemaHash: schema.hash(ChangeChain.sha256),
            schema: schema.encoded,
            deviceKey: key.publicKey,
            hash: ChangeChain.sha256,
            beginning: .sample,
            signing: key.signedHead,
            smallestLimit: 4096,
            make: {
                let number = realms.withLock { realms in
                    realms += 1
                    return realms
                }
                return HTTPChangeTransport(user: device.user, partitionValue: number)
            }
        )

        let broken = await kit.brokenPromises()
        #expect(broken == [])
    }
}

extension DeviceKey {
    /// Signs the head of a chain.
    func signedHead(_ head: Digest) -> [UInt8] {
        do {
            return try signature(of: head)
        } catch {
            Issue.record("A head cannot be signed: \(error)")
            return []
        }
    }
}
