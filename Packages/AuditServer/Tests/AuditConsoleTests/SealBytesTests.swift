import AuditServerTesting
import EventModel
import EventProofs
import Foundation
import Testing

@Suite("Bytes of seals in a browser", .enabled(if: Browser.isInstalled, Browser.skipped))
struct SealBytesTests {
    private let digest: Digest
    private let partition: PartitionID
    private let time = EventInstant(microseconds: 1_764_000_000_000_000)

    init() throws {
        digest = try #require(Digest(0..<32))
        partition = PartitionID(prefix: "ward-ü", id: ObjectId("656f00000000000000000001"))
    }

    /// Losses with no field that may be missing, and with each of them.
    private var losses: [LossEntry] {
        [
            LossEntry(reason: .quota, count: 12, noticed: time),
            LossEntry(
                reason: .damaged,
                count: 3,
                noticed: EventInstant(microseconds: -1),
                first: EventInstant(microseconds: 0),
                last: time,
                partition: partition,
                sequences: 4...6,
                root: digest
            ),
        ]
    }

    /// Seals with none of the fields that may be missing, with some and with all.
    private var seals: [PartitionSeal] {
        let owner = EventOwner(app: "ward-app-å", user: "65")
        return [
            seal(), seal(isFull: true), seal(owner: owner), seal(owner: owner, isFull: true),
            seal(owner: owner, number: 1 << 33), seal(owner: owner, ledgerPart: 2),
            seal(owner: owner, isContinued: true),
            seal(owner: owner, number: 7, ledgerPart: 1, isContinued: true, isFull: true),
        ]
    }

    private func seal(
        owner: EventOwner? = nil,
        number: UInt64? = nil,
        ledgerPart: UInt32 = 0,
        isContinued: Bool = false,
        isFull: Bool = false
    ) -> PartitionSeal {
        PartitionSeal(
            partition: partition,
            owner: owner,
            number: number,
            count: 1200,
            root: digest,
            first: isFull ? time : nil,
            last: isFull ? time : nil,
            previousRoot: isFull ? digest : nil,
            losses: isFull ? losses : [],
            ledgerPart: ledgerPart,
            isLedgerContinued: isContinued,
            publicKey: Array(100..<132),
            signature: [UInt8](repeating: 1, count: 64)
        )
    }

    @Test(
        "the console believes the signatures of a device, and none that a thief exchanged",
        arguments: DeviceKeyAlgorithm.allCases
    )
    func signatures(algorithm: DeviceKeyAlgorithm) async throws {
        var device = SampleDevice(signing: algorithm)
        device.record(["Rounds"])
        let (seal, other) = (try device.seal(), try device.signed(by: DeviceKey(algorithm)))
        let foreign = try device.signed(by: DeviceKey(algorithm == .p256 ? .ed25519 : .p256))
        let json = [seal, other, foreign]
            .map { seal in
                (try? JSONEncoder().encode(seal)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
            }
        try await ConsoleTests.inConsole { browser, _, _ in
            let shown = try await browser.run(
                """
                const { isSigned } = await import("/console/ui/seals.js")
                const [own, other, foreign] = [\(json.joined(separator: ","))]
                const sign = own.publicKey.startsWith("02") ? "03" : "02"
                const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
                const greater = (order - BigInt("0x" + own.signature.slice(64)) + 2n ** 256n) % 2n ** 256n
                const seals = [
                  own, other, foreign,
                  { ...own, publicKey: other.publicKey }, { ...own, publicKey: foreign.publicKey },
                  { ...own, signature: other.signature }, { ...own, signature: foreign.signature },
                  { ...own, count: 2 }, { ...own, publicKey: sign + own.publicKey.slice(-64) },
                  { ...own, publicKey: "02" + "ff".repeat(32) }, { ...own, publicKey: "" },
                  { ...own, signature: own.signature.slice(0, 64) + greater.toString(16).padStart(64, "0") },
                ]
                return (await Promise.all(seals.map(isSigned))).map(String).join(" ")
                """
            )
            let refused = Array(repeating: "false", count: 9)
            #expect(shown == (["true", "true", "true"] + refused).joined(separator: " "))
        }
    }

    @Test("the console checks a signature over the bytes that the device signed, whatever fields the seal has")
    func bytes() async throws {
        try await ConsoleTests.inConsole { browser, _, _ in
            for seal in seals {
                let json = String(decoding: try JSONEncoder().encode(seal), as: UTF8.self)
                let shown = try await browser.run(
                    """
                    const { sealBytes } = await import("/console/ui/seals.js")
                    return Array.from(sealBytes(\(json)), (byte) => byte.toString(16).padStart(2, "0")).join("")
                    """
                )
                #expect(shown == Hexadecimal.text(seal.canonicalBytes))
            }
        }
    }
}
