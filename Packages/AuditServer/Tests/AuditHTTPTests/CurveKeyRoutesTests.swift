import AuditAccounts
import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import EventProofs
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import SyncServer

/// What the routes say to devices that sign with P-256, and to a thief who exchanges keys and signatures.
@Suite("Devices with P-256 keys")
struct CurveKeyRoutesTests {
    private static let path = "/api/v1/devices/statements"
    private let owner = SampleDevice.owner

    private func device(_ number: UInt32 = 1) -> SampleDevice {
        var device = SampleDevice(number, signing: .p256)
        device.record(["Rounds", "Handover"])
        return device
    }

    private func forged(_ seal: PartitionSeal, key: [UInt8]? = nil, signature: [UInt8]? = nil) -> PartitionSeal {
        PartitionSeal(
            partition: seal.partition,
            owner: seal.owner,
            count: seal.count,
            root: seal.root,
            first: seal.first,
            last: seal.last,
            previousRoot: seal.previousRoot,
            losses: [],
            publicKey: key ?? seal.publicKey,
            signature: signature ?? seal.signature
        )
    }

    @Test("a seal is taken and listed, found by its key, and revoked by it")
    func taken() async throws {
        let server = try await TestServer()
        let (admin, auditor) = (try await server.headers(.administrator), try await server.headers(.auditor))
        let user = try await server.headers(.uploader(owner))
        let (device, other) = (device(), device(2))
        let digits = Hexadecimal.text(device.key.publicKey)
        try await server.run { client async throws in
            #expect(try await client.upload(device.stretch(1...2, seal: device.seal()), as: user).status == .ok)
            let list = String(buffer: try await client.get("/api/v1/devices", as: auditor).body)
            #expect(list.contains(#""publicKey":"\#(digits)""#))
            let path = "/api/v1/search?app=\(owner.app)&device="
            for query in [digits, digits.uppercased()] {
                let found = try await client.get(path + query, as: auditor)
                #expect(found.status == .ok)
                #expect(String(buffer: found.body).contains("Handover"))
            }
            for query in [String(digits.dropFirst(2)), Hexadecimal.text(other.key.publicKey)] {
                let found = try await client.get(path + query, as: auditor)
                #expect(found.status == .ok)
                #expect(!String(buffer: found.body).contains("Handover"))
            }
            for query in ["04" + digits.dropFirst(2), digits + "00", String(digits.dropLast(2)) + "0"] {
                #expect(try await client.get(path + query, as: auditor).status == .badRequest, "\(query)")
            }

            let order =
                #"{"app":"\#(owner.app)","user":"\#(owner.user)","publicKey":"\#(digits)","isRevoked":true,"reason":"a"}"#
            let said: KeyStatementLine = try await client.post(Self.path, order, as: admin).decoded()
            #expect(said.publicKey == digits)
            for wrong in ["04" + digits.dropFirst(2), digits + "00"] {
                let refused = order.replacing(digits, with: wrong)
                #expect(try await client.post(Self.path, refused, as: admin).status == .badRequest, "\(wrong)")
            }
        }
    }

    @Test(
        "a seal with another key, another signature or another algorithm answers 400 with a sentence and stores nothing"
    )
    func thief() async throws {
        let server = try await TestServer()
        let user = try await server.headers(.uploader(owner))
        let device = device()
        let (curve, edwards) = (try device.seal(), try device.signed(by: DeviceKey()))
        let stolen = try device.signed(by: DeviceKey(.p256))
        let flipped = [curve.publicKey[0] ^ 1] + curve.publicKey.dropFirst()
        let forgeries = [
            forged(curve, key: edwards.publicKey), forged(edwards, key: curve.publicKey),
            forged(curve, key: stolen.publicKey), forged(curve, signature: stolen.signature),
            forged(curve, key: flipped), forged(curve, key: Array(curve.publicKey.dropFirst())),
            forged(edwards, key: [2] + edwards.publicKey), forged(curve, key: [4] + curve.publicKey.dropFirst()),
            forged(curve, key: [2] + [UInt8](repeating: 255, count: 32)), forged(curve, key: []),
            forged(curve, signature: [UInt8](repeating: 0, count: 64)), forged(curve, signature: []),
        ]
        try await server.run { client in
            for (number, seal) in forgeries.enumerated() {
                let response = try await client.upload(device.stretch(1...2, seal: seal), as: user)
                #expect(response.status == .badRequest, "forgery \(number)")
                #expect(String(buffer: response.body).contains("signature"), "forgery \(number)")
                #expect(try await server.store.partition(device.partition) == nil)
            }
            #expect(try await client.upload(device.stretch(1...2, seal: curve), as: user).status == .ok)
        }
    }

    @Test("a device shares a realm with it, and neither a key that is no point nor another device's signature is taken")
    func realms() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(.uploader(EventOwner(app: "ward-app", user: "nurse")))
        try await server.run { client in
            var device = try SharingDevice(client, as: headers, key: DeviceKey(.p256))
            let bare = device.request()
            for key in [[2] + [UInt8](repeating: 255, count: 32), [3] + [UInt8](repeating: 0, count: 31) + [1]] {
                var request = bare
                request.deviceKey = key
                let response = try await device.post("bind", request.encoded)
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains("no key"))
            }
            try await device.bind()
            var thief = try SharingDevice(client, as: headers, key: DeviceKey())
            var request = device.request()
            request.deviceKey = thief.request().deviceKey
            #expect(try await device.post("bind", request.encoded).status != .ok)
            try await thief.bind()
            let answer = try await device.send(ObjectAddress.sample().create(["name": .string("Ada")]))
            #expect(answer == SendAnswer(acknowledged: 1, head: 1))
            let again = try await device.bind()
            #expect(again.acknowledged == 1)
        }
    }
}
