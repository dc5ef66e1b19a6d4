import Testing

@testable import SyncServer

@Suite("The line of uploads of a realm")
struct RealmLineTests {
    @Test("of one file one upload is under way")
    func oneOfAFile() {
        var line = RealmLine<String>(RealmQueue.Limits())

        #expect(line.enter("a", of: 1, "u", bytes: 1).words == "is stored")
        #expect(line.enter("b", of: 1, "u", bytes: 1).words == "is refused")
        #expect(line.enter("c", of: 2, "u", bytes: 1).words == "waits")
        #expect(line.enter("d", of: 2, "u", bytes: 1).words == "is refused")
        #expect(line.next(after: [1]) == ["c"])
        #expect(line.enter("e", of: 1, "u", bytes: 1).words == "waits")
        #expect(line.enter("f", of: 2, "u", bytes: 1).words == "is refused")
    }

    @Test("a user with many files takes turns with one that has one")
    func turns() {
        var line = RealmLine<String>(RealmQueue.Limits(groupUploads: 2))
        _ = line.enter("first", of: 1, "many", bytes: 1)
        for file in 2...9 { _ = line.enter("many \(file)", of: UInt32(file), "many", bytes: 1) }
        _ = line.enter("one", of: 10, "one", bytes: 1)

        #expect(line.next(after: [1]) == ["many 2", "one"])
        #expect(line.next(after: [2, 10]) == ["many 3", "many 4"])
    }

    @Test("when all places are taken, whoever has the most of them gives one to who has none")
    func displacing() {
        var line = RealmLine<String>(RealmQueue.Limits(waiting: 3))
        _ = line.enter("first", of: 1, "many", bytes: 1)
        for file in 2...4 { _ = line.enter("many \(file)", of: UInt32(file), "many", bytes: 1) }

        #expect(line.enter("many 5", of: 5, "many", bytes: 1).words == "is refused")
        #expect(line.enter("one", of: 6, "one", bytes: 1).words == "displaces many 4")
        #expect(line.enter("many 4", of: 4, "many", bytes: 1).words == "is refused")
        #expect(line.next(after: [1]) == ["many 2", "one", "many 3"])
    }

    @Test("a group ends behind the upload that fills it")
    func groupBytes() {
        var line = RealmLine<String>(RealmQueue.Limits(groupBytes: 10))
        _ = line.enter("first", of: 1, "u", bytes: 1)
        for (file, bytes) in [(2, 6), (3, 6), (4, 1)] {
            _ = line.enter("\(file)", of: UInt32(file), "u", bytes: bytes)
        }

        #expect(line.next(after: [1]) == ["2", "3"])
        #expect(line.next(after: [2, 3]) == ["4"])
        #expect(line.next(after: [4]) == [])
        #expect(line.enter("again", of: 4, "u", bytes: 1).words == "is stored")
    }
}

extension RealmLine<String>.Entrance {
    fileprivate var words: String {
        switch self {
        case .waits: "waits"
        case .isStored: "is stored"
        case .isRefused: "is refused"
        case .displaces(let other): "displaces \(other)"
        }
    }
}
