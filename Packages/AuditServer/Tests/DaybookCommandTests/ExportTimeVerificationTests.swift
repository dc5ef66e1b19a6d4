import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import DaybookCommand

@Suite(
    "daybook verify with an export and its time-stamp",
    .enabled(if: SampleAuthority.isInstalled),
    .timeLimit(.minutes(5))
)
struct ExportTimeVerificationTests {
    private let place: TestFolder
    private let authority: SampleAuthority
    private let export: SampleExport

    init() async throws {
        place = try TestFolder.made()
        try PrivateFile.makeFolder(place.file("authority"))
        authority = try SampleAuthority(in: place.file("authority"))
        let (store, key) = (try await SampleExport.store(), SampleDevice.serverKey)
        try await store.acceptSealed(5...6)
        let signer = try key.logSigner(origin: "log.example/ward")
        var stamps = SampleStamps()
        try stamps.add(await SampleExport.checkpoint(of: store, by: signer, size: 2), by: authority)
        export = try await SampleExport(store, key: key, stamps: stamps)
    }

    private func verify(_ arguments: [String]) async -> CommandOutcome {
        await CommandOutcome.of(["verify"] + arguments)
    }

    @Test("it says before which time how many partitions existed, of the folder and of the zip")
    func shown() async throws {
        let zip = place.file("export.zip")
        try ExportArchive.write(export.path, to: zip)
        for path in [export.path, zip] {
            let outcome = await verify([path, "--authority", authority.rootFile])
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.fullMessage)")
            #expect(outcome.output.contains("\n2 partitions existed before 2"))
            #expect(outcome.output.contains(", by the time-stamp of CN=Authority of Time 1 over 2 entries\n"))
            #expect(outcome.output.contains("Of 2 partitions the time-stamp says nothing: "))
        }

        struct Line: Decodable {
            struct Stamped: Decodable {
                let entries: UInt64
                let partitions: UInt64
                let authority: String
                let existedBefore: String
            }
            let verified: Bool
            let timeStamp: Stamped?
        }
        let json = await verify([export.path, "--json", "--authority", authority.rootFile])
        let line = try JSONDecoder().decode(Line.self, from: Data(json.output.utf8))
        #expect(line.verified && line.timeStamp?.entries == 2 && line.timeStamp?.partitions == 2)
        #expect(line.timeStamp?.authority == "CN=Authority of Time 1")
        #expect(line.timeStamp.flatMap { EventInstant($0.existedBefore) } != nil)
    }

    @Test("without --authority it says that the time-stamp was not checked, and one that nobody believes ends with 1")
    func unproven() async throws {
        let alone = await verify([export.path])
        #expect(alone.code == 0)
        #expect(
            alone.output.contains("It carries a time-stamp, which was not checked: 'daybook verify --authority' does")
        )
        #expect(!alone.output.contains("existed before"))

        try PrivateFile.makeFolder(place.file("other"))
        let other = try SampleAuthority(in: place.file("other"), name: "Another Authority")
        let outcome = await verify([export.path, "--authority", other.rootFile])
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("time-stamp.tsr: No certificate that is trusted stands behind the authority"))
        #expect(outcome.output.contains("\n1 problem found\n") && !outcome.output.contains("existed before"))
    }

    @Test("an export without a time-stamp does not look like one that has it, and files that are none are named")
    func missing() async throws {
        let none = try await SampleExport(SampleExport.store())
        let outcome = await verify([none.path, "--authority", authority.rootFile])
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("manifest.json: it names no time-stamp: when the partitions were there, "))
        let file = await verify([none.path, "--authority", place.file("missing.pem")])
        #expect(file.code != 0 && file.fullMessage.contains("missing.pem"), "\(file.fullMessage)")
    }
}
