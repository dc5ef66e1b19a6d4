import ChangeModel
import ChangeModelTesting
import Daybook
import EventModel
import EventProofs
import Foundation
import RealmSync
import Testing

/// A client of the protocol that is no store: it links to what it has never seen.
struct ScenarioStranger {
    private static let schema = SyncSchema([
        SyncSchema.Class(
            "ScenarioPerson",
            key: "_id",
            properties: [
                "_id": SyncSchema.Property(.int),
                "friend": SyncSchema.Property(.link, isOptional: true, target: "ScenarioPerson"),
            ]
        )
    ])

    private let transport: HTTPChangeTransport
    private let key = DeviceKey()

    init(user: User, partitionValue: String) {
        transport = HTTPChangeTransport(user: user, partitionValue: partitionValue)
    }

    /// Writes that a person's friend is another one.
    func link(_ person: Int64, to friend: Int64) async throws {
        let bound = try await transport.bind(
            BindRequest(
                made: 1,
                schemaHash: Self.schema.hash(ChangeChain.sha256),
                schema: Self.schema.encoded,
                deviceKey: key.publicKey
            )
        )
        let change = Change(
            number: 1,
            base: bound.head,
            clock: HybridClock(milliseconds: bound.serverMilliseconds),
            operations: [
                ChangeOperation(
                    ObjectAddress("ScenarioPerson", .int(person)),
                    .set("friend", .link(ObjectAddress("ScenarioPerson", .int(friend))))
                )
            ]
        )
        let batch = try SignedBatch(
            ChangeBatch(file: bound.binding.file, changes: [change]),
            after: ChangeChain(head: .sample, hash: ChangeChain.sha256),
            signing: key.signedHead
        )
        let answer = try await transport.send(batch.bytes)
        #expect(answer.acknowledged == 1)
    }
}
