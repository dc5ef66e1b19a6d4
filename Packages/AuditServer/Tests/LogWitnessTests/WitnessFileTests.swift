import AuditModel
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import LogWitness
import Testing

@Suite("The file of a witness")
struct WitnessFileTests {
    private let folder: TestFolder
    private let log: GrowingLog
    private let clock = ManualClock()
    private let key: NoteVerifierKey
    private var path: String { folder.file("w1.json") }

    init() throws {
        folder = try TestFolder.made()
        log = try GrowingLog()
        key = try WitnessFile.create(at: folder.file("w1.json"), name: "witness.example/w1")
        let file = try WitnessFile(at: folder.file("w1.json"))
        var contents = try file.contents()
        try contents.witness.add(log.signer.verifierKey)
        try file.write(contents)
    }

    private func cosignature(of size: UInt64, in reply: WitnessReply) throws -> VerifiedSignature? {
        let answer = try WitnessAnswer(parsing: reply.body)
        return try log.signed(size).adding(answer.signatures).note.signatures(by: [key]).first
    }

    @Test("the file is its owner's alone, and is not made where something is")
    func made() throws {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int

        #expect(mode == 0o600)
        #expect(try WitnessFile.contents(at: path).signer.verifierKey == key)
        #expect(throws: AuditServerError.self) { try WitnessFile.create(at: path, name: "w.example") }
        #expect(throws: WitnessError.self) { try WitnessFile.create(at: folder.file("x"), name: "a b") }
        #expect(throws: WitnessError.missing(path: folder.file("y"))) { try WitnessFile(at: folder.file("y")) }
        #expect(throws: WitnessError.missing(path: folder.file("y"))) { try WitnessFile.contents(at: folder.file("y")) }
    }

    @Test("a witness goes on where it ended, with the same key, and a split view is found after a restart")
    func restart() async throws {
        var keeper: WitnessKeeper? = try WitnessKeeper(WitnessFile(at: path), clock: clock)
        let first = try #require(await keeper?.answer(log.request(0, 20)))
        #expect(try cosignature(of: 20, in: first)?.cosignedSeconds == 1_700_000_000)
        keeper = nil

        let again = try WitnessKeeper(WitnessFile(at: path), clock: clock)
        let split = try await again.answer(GrowingLog(forkingAt: 7).request(20, 20))
        let other = try await again.answer(log.request(0, 30))
        let next = try await again.answer(log.request(20, 30))

        #expect(again.verifierKey == key)
        #expect(split.status == 409)
        #expect(split.contentType == "text/plain; charset=utf-8")
        #expect(other.status == 409)
        #expect(other.contentType == "text/x.tlog.size")
        #expect(WitnessAnswer.size(parsing: other.body) == 20)
        #expect(next.status == 200)
        #expect(try cosignature(of: 30, in: next) != nil)
        let kept = try WitnessFile.contents(at: path).witness.logs.first
        #expect(kept?.size == 30)
        #expect(kept?.contradiction?.shown == (try GrowingLog(forkingAt: 7).signed(20)))
    }

    @Test("of a crash between the disk and the answer the state is ahead, and whoever asks again is answered")
    func crash() async throws {
        let file = try WitnessFile(at: path)
        var contents = try file.contents()
        _ = try contents.witness.decide(log.request(0, 20), at: clock.now().wall)
        try file.write(contents)
        // The process dies here, before anybody heard of the checkpoint.
        let keeper = try WitnessKeeper(file, clock: clock)

        let unknowing = try await keeper.answer(log.request(0, 20))
        let known = try #require(WitnessAnswer.size(parsing: unknowing.body))
        let reply = try await keeper.answer(log.request(known, 20))

        #expect(unknowing.status == 409)
        #expect(reply.status == 200)
        #expect(try cosignature(of: 20, in: reply) != nil)
    }

    @Test("what cannot be stored is not cosigned, and is not known afterwards either")
    func unstored() async throws {
        let keeper = try WitnessKeeper(WitnessFile(at: path), clock: clock)
        let moved = folder.path + "-moved"
        try FileManager.default.moveItem(atPath: folder.path, toPath: moved)

        let reply = try await keeper.answer(log.request(0, 20))
        try FileManager.default.moveItem(atPath: moved, toPath: folder.path)
        let next = try await keeper.answer(log.request(0, 30))

        #expect(reply.status == 500)
        #expect(next.status == 200)
    }

    @Test("one process has the file at a time, and anybody may look")
    func lock() throws {
        let file = try WitnessFile(at: path)

        #expect(throws: WitnessError.inUse(path: path)) { try WitnessFile(at: path) }
        #expect(try WitnessFile.contents(at: path).witness.logs.count == 1)
        withExtendedLifetime(file) {}
    }

    @Test("a file that others may read, or that is damaged, is refused without a word of what it holds")
    func damaged() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for size in stride(from: 0, to: bytes.count - 2, by: 7) {
            try bytes.prefix(size).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: WitnessError.self) { try WitnessFile.contents(at: path) }
            #expect(error?.description.contains("damaged") ?? false, "\(String(describing: error))")
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let error = #expect(throws: WitnessError.self) { try WitnessFile.contents(at: path) }
        #expect(error?.description.contains("chmod 600") ?? false)
    }
}
