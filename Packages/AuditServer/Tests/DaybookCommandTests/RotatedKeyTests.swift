import AuditModel
import DaybookCommand
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@Suite("A key of a server that another one follows")
struct RotatedKeyTests {
    private let folder: TestFolder
    private let data: DataFolder
    private let now = EventInstant(microseconds: 1_700_000_000_000_000)

    init() throws {
        folder = try TestFolder.made()
        data = try DataFolder(folder.file("data"))
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test("the old key signs that the new one follows, and is gone")
    func rotates() throws {
        let first = try data.identity()
        #expect(first.history == KeyHistory())
        let secret = try bytes(data.signingKeyPath)
        for count in 1...3 {
            let before = try data.identity().key
            try data.rotateSigningKey(at: now)
            let after = try DataFolder(data.path).identity(makingMissing: false)

            #expect(after.history.successions.count == count)
            #expect(after.history.present == (try after.key.publicKeys))
            #expect(after.history.former.last == (try before.publicKeys))
            #expect(after.history.successions(behind: first.key.publicKey).count == count)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: data.path).sorted() == ["signing.key", "signing.keys"]
        )
        #expect(try bytes(data.signingKeyPath) != secret)
        for path in [data.signingKeyPath, data.keyHistoryPath] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("a server whose statements name no key of exports names one in its next statement, and goes on")
    func namesExports() throws {
        let first = try data.identity().key
        let secret = SigningKey.makeKey()
        let keys = try [first, SigningKey(secret)]
            .map { key in
                let all = try key.publicKeys
                return try ServerKeys(receipts: all.receipts, log: all.log, trail: all.trail)
            }
        let signers = try [Array(bytes(data.signingKeyPath)), secret]
            .map { try EdwardsNoteSigner(name: KeySuccession.signerName, algorithm: .ed25519, rawRepresentation: $0) }
        let statement = try KeySuccession(from: keys[0], to: keys[1], at: now, signedBy: signers)
        try JSONEncoder().encode([statement.text]).write(to: URL(fileURLWithPath: data.keyHistoryPath))
        try Data(secret).write(to: URL(fileURLWithPath: data.signingKeyPath))
        let before = try data.identity(makingMissing: false)
        #expect(before.history.present == keys[1])

        try data.rotateSigningKey(at: now)

        let after = try data.identity(makingMissing: false)
        #expect(after.history.texts.first == statement.text)
        #expect(after.history.former.last == (try before.key.publicKeys))
        #expect(after.history.present == (try after.key.publicKeys))
        #expect(after.history.present?.exports != nil)
    }

    @Test("a clock that was put back makes no statement that is older than the one before")
    func clockPutBack() throws {
        _ = try data.identity()
        try data.rotateSigningKey(at: now)
        try data.rotateSigningKey(at: EventInstant(microseconds: 0))

        #expect(try data.identity().history.successions.map(\.time) == [now, now])
    }

    @Test("wherever a process dies in between, the next one has the old key or the new one, and its statement")
    func dies() throws {
        let first = try data.identity().key
        let old = try bytes(data.signingKeyPath)
        try data.rotateSigningKey(at: now)
        let (new, statements) = (try bytes(data.signingKeyPath), try bytes(data.keyHistoryPath))
        let (key, next) = (
            URL(fileURLWithPath: data.signingKeyPath), URL(fileURLWithPath: "\(data.signingKeyPath).next")
        )
        let history = URL(fileURLWithPath: data.keyHistoryPath)

        // The new key alone was made: the old one signs on, and the next rotation takes what is there.
        try old.write(to: key)
        try new.write(to: next)
        try FileManager.default.removeItem(at: history)
        #expect(try data.identity(makingMissing: false).key.publicKey == first.publicKey)
        try data.rotateSigningKey(at: now)
        #expect(try bytes(data.signingKeyPath) == new)

        // It was stated as well: from then on it is the server's.
        try old.write(to: key)
        try new.write(to: next)
        try statements.write(to: history)
        let after = try data.identity(makingMissing: false)
        #expect(after.key.publicKey == after.history.present?.receipts)
        #expect(try bytes(data.signingKeyPath) == new)
        #expect(!FileManager.default.fileExists(atPath: next.path))
    }

    @Test("a key and statements that are not of one backup are refused with what to do, and nothing is changed")
    func mixed() throws {
        _ = try data.identity()
        let old = try bytes(data.signingKeyPath)
        try data.rotateSigningKey(at: now)
        let (new, statements) = (try bytes(data.signingKeyPath), try bytes(data.keyHistoryPath))
        let (key, history) = (URL(fileURLWithPath: data.signingKeyPath), URL(fileURLWithPath: data.keyHistoryPath))

        func refused(_ words: String, _ makesMissing: Bool = false) {
            let error = #expect(throws: AuditServerError.self) { try data.identity(makingMissing: makesMissing) }
            #expect(error?.description.contains(words) == true)
            #expect(throws: AuditServerError.self) { try data.rotateSigningKey(at: now) }
        }
        try old.write(to: key)
        refused("bring both from one backup")
        try FileManager.default.removeItem(at: key)
        refused("--make-missing-keys")
        refused("move this file away", true)
        try new.write(to: key)
        for damaged in [Data(), Data("[".utf8), statements.dropLast(3), Data(#"["x"]"#.utf8)] {
            try damaged.write(to: history)
            refused("from one backup")
        }
        try statements.write(to: history)
        #expect(throws: Never.self) { try data.identity(makingMissing: false) }
    }

    @Test(
        "a server that takes another key with each start is stopped before its history is too long for devices, with what to do"
    )
    func bounded() throws {
        _ = try data.identity()
        for _ in 1...64 { try data.rotateSigningKey(at: now) }
        let key = try data.identity().key.publicKey

        let error = #expect(throws: AuditServerError.self) { try data.rotateSigningKey(at: now) }

        #expect(error?.description.contains("start without --rotate-signing-key") == true)
        #expect(try data.identity().key.publicKey == key)
    }

    @Test("a copy of the folder has the key and its statements")
    func backup() throws {
        _ = try data.identity()
        try data.rotateSigningKey(at: now)

        let copied = try data.backUp(to: folder.file("copy"))

        #expect(copied.files.contains("signing.keys"))
        let copy = try DataFolder(folder.file("copy")).identity(makingMissing: false)
        #expect(copy.key.publicKey == (try data.identity().key.publicKey))
        #expect(copy.history == (try data.identity().history))
    }
}
