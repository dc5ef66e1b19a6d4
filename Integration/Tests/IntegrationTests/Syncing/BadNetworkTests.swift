import ChangeModel
import Daybook
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import ObjectStore
import RealmSync
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Files on bad networks", .serialized)
struct BadNetworkTests {
    /// What one visit holds.
    struct Contents: Equatable {
        let id: Int
        let ward: String
        let notes: [String]
    }

    /// A file with a session over a bad network, on which each pause ends as it begins.
    final class Device {
        let configuration: Realm.Configuration
        let session: SyncSession
        let network: LossyTransport
        private let clock: Task<Void, Never>

        init(_ name: String, _ user: User, in folder: URL, seed: UInt64) throws {
            var configuration = Realm.Configuration(fileURL: folder.appending(path: "\(name)-\(seed).realm"))
            configuration.objectTypes = [Visit.self]
            configuration.keepsChanges = true
            self.configuration = configuration
            let store = try LiveSyncedStore(configuration, hash: ChangeChain.sha256)
            let key = DeviceKey()
            let sleep = ManualSleep()
            network = LossyTransport(HTTPChangeTransport(user: user, partitionValue: "\(seed)"), seed: seed)
            session = SyncSession(
                SyncSession.Parts(
                    store: store,
                    transport: network,
                    identity: SyncIdentity(
                        schema: store.schema,
                        publicKey: key.publicKey,
                        sign: { try key.signature(of: $0) }
                    ),
                    lock: { try store.lockForSync() },
                    environment: UploadEnvironment(sleep: sleep.sleep, randomFraction: { 0 })
                ),
                configuration: SyncConfiguration(user: user, partitionValue: "\(seed)")
            )
            clock = Task { while await sleep.nextPause() != nil { sleep.advance(by: .seconds(3600)) } }
        }

        deinit { clock.cancel() }

        func contents() throws -> [Contents] {
            try Realm(configuration: configuration).objects(Visit.self).sorted(by: \._id)
                .map { Contents(id: $0._id, ward: $0.ward, notes: Array($0.notes)) }
        }

        /// Does what a person might do who looks at the realm.
        func work(_ random: inout SeededGenerator) throws {
            let realm = try Realm(configuration: configuration)
            let id = 1 + random.below(4)
            let text = "\(random.next() % 1000)"
            try realm.write {
                guard let visit = realm.object(ofType: Visit.self, forPrimaryKey: id) else {
                    return realm.add(Visit(id, text))
                }
                switch random.below(6) {
                case 0: realm.delete(visit)
                case 1: visit.ward = text
                case 2: visit.notes.append(text)
                case 3: visit.notes.insert(text, at: random.below(visit.notes.count + 1))
                case 4 where !visit.notes.isEmpty: visit.notes.remove(at: random.below(visit.notes.count))
                case 5 where visit.notes.count > 1: visit.notes.move(from: 0, to: visit.notes.count - 1)
                default: visit.ward = text
                }
            }
        }
    }

    @Test("three files and a new one hold the same in the end, over a real server")
    func agreement() async throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let user = try await SyncDevice("user", on: ward).user
        for seed in (0..<3).map({ _ in UInt64.random(in: 1...UInt64(Int32.max)) }) {
            var random = SeededGenerator(seed: seed)
            let devices = try (0..<3).map { try Device("\($0)", user, in: ward.folder, seed: seed) }
            for _ in 0..<60 {
                let device = devices[random.below(devices.count)]
                switch random.below(6) {
                case 0...2: try device.work(&random)
                case 3: device.session.suspend()
                default: device.session.resume()
                }
                for _ in 0..<random.below(40) { await Task.yield() }
            }
            let new = try Device("new", user, in: ward.folder, seed: seed)
            let all = devices + [new]
            for device in all {
                device.network.mend()
                device.session.resume()
            }
            for device in all { try await device.session.wait(for: .upload) }
            for device in all { try await device.session.wait(for: .download) }

            let contents = try all.map { try $0.contents() }
            for other in contents.dropFirst() { #expect(other == contents[0], "seed \(seed)") }
            for device in all { await device.session.closed() }
        }
    }
}
