import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("The lock that says who uses a realm")
struct FileUseTests {
    private let file: TemporaryRealm
    private var path: String { file.folder.appendingPathComponent("test.realm").path }

    init() throws { file = try TemporaryRealm() }

    @Test("whoever shares the lock becomes the only user when the others have gone")
    func becomingAlone() throws {
        var other: FileUse? = try FileUse.claim(path).use
        other?.share()
        let (use, isAlone) = try FileUse.claim(path)
        #expect(!isAlone)
        #expect(!use.becomeAlone(patience: 0))

        other = nil

        #expect(use.becomeAlone(patience: 0))
        #expect(try FileUse.alone(path) == nil)
    }

    @Test("whoever does not become the only user keeps the share")
    func keepingTheShare() throws {
        var other: FileUse? = try FileUse.claim(path).use
        other?.share()
        let use = try FileUse.claim(path).use

        #expect(!use.becomeAlone(patience: 0))

        other = nil
        #expect(try FileUse.alone(path) == nil)
        withExtendedLifetime(use) {}
    }
}
