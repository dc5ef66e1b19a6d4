import Daybook
import ObjectStoreTesting
import Testing

/// The scenarios of files and roll-over that need no server: the local destination keeps what the upload would send.
@Suite("Scenarios: waiting files")
struct WaitingFileScenarioTests {
    private let configuration = EventConfiguration()

    private func recording(_ change: (inout EventConfiguration) -> Void = { _ in }) -> InjectedRecording {
        var configuration = EventConfiguration()
        change(&configuration)
        return InjectedRecording(configuration: configuration, limits: PartitionLimits(partitionBytes: 8192))
    }

    /// Records 50 scopes of a query.
    private func record(in recorded: RecordedRealm) throws {
        let realm = recorded.realm
        try realm.write { realm.add((1...100).map(Target.init)) }
        for number in 1...50 {
            try recorded.record("scope \(number)") {
                _ = realm.objects(Target.self).where { $0.value > Int(number) }.first
            }
        }
    }

    @Test("Scenario 57: offline, files roll over and wait, each within its size", .tags(.scenario57))
    func rollOver() throws {
        let recorded = try RecordedRealm(recording: recording())

        try record(in: recorded)

        let paths = try PartitionFiles.find(below: recorded.file.folder.path)
        #expect(paths.count > 2)
        for path in paths {
            #expect(try POSIXFileSystem().status(path)?.size ?? .max < 16384)
            #expect(try PartitionFiles.verify(path).problems.isEmpty)
        }
        #expect(try recorded.stored().map(\.activity) == (1...50).map { "scope \($0)" })
    }

    @Test("Scenario 58: files of others beside the partitions are left alone and disturb nothing", .tags(.scenario58))
    func strangers() throws {
        let recorded = try RecordedRealm(recording: recording())
        try recorded.recordEvent("first")
        let path = try #require(try PartitionFiles.find(below: recorded.file.folder.path).first)
        let strangers = ["\(path).backup", "\(path.dropLast(7)).backup.v8.events", "\(path.dropLast(31))notes.txt"]
        for stranger in strangers {
            let file = try POSIXFileSystem().open(stranger, .create)
            _ = try [UInt8](repeating: 7, count: 100).withUnsafeBytes { try file.write($0, at: 0) }
        }

        try record(in: recorded)

        for stranger in strangers { #expect(try POSIXFileSystem().status(stranger)?.size == 100) }
        #expect(try recorded.stored().count == 51)
    }

    @Test(
        "Scenario 60: what was recorded before everything was closed is there for the next one that opens",
        .tags(.scenario60)
    )
    func reopening() throws {
        let place = try TemporaryRealm(Record.types)
        do {
            let recorded = try RecordedRealm(Record.types, EventConfiguration(directory: place.folder.path))
            try recorded.recordEvent("before")
        }

        let recorded = try RecordedRealm(Record.types, EventConfiguration(directory: place.folder.path))

        let files = try #require(recorded.realm.eventDestination?.files)
        #expect(try files.partitions().map(\.count) == [1])
        #expect(try files.partitions().map(\.isSealed) == [true])
        try recorded.recordEvent("after")
        #expect(try RecordedFiles(below: place.folder.path).events.map(\.activity) == ["before", "after"])
    }

    @Test(
        "Scenario 61: another prefix sees nothing of the files of the first, and does not touch them",
        .tags(.scenario61)
    )
    func otherPrefix() throws {
        let place = try TemporaryRealm(Record.types)
        func open(_ prefix: String) throws -> RecordedRealm {
            try RecordedRealm(
                Record.types,
                EventConfiguration(partitionPrefix: prefix, directory: place.folder.path)
            )
        }
        do { try open("first").recordEvent("first") }
        let path = try #require(try PartitionFiles.find(below: place.folder.path).first)
        let size = try POSIXFileSystem().status(path)?.size

        let second = try open("second")
        try second.recordEvent("second")

        let files = try #require(second.realm.eventDestination?.files)
        #expect(try files.partitions().map(\.partition.prefix) == ["second"])
        #expect(try POSIXFileSystem().status(path)?.size == size)
        #expect(try RecordedFiles(below: place.folder.path).events.count == 2)
    }
}
