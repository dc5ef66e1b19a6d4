import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Synchronization
import Testing

@Suite("Event files when the power goes")
struct PowerCutTests {
    /// What the disk held at some call, and what had been promised by then.
    private struct Moment {
        let call: Int
        let disk: InMemoryFileSystem
        let notes: DeviceProgram.Notes
    }

    /// Runs the program once and keeps the disk of each call, as a power cut there would leave it.
    private func moments(
        isEncrypted: Bool = false,
        _ cut: @escaping @Sendable (Int) -> InMemoryFileSystem.PowerCut
    ) throws -> [Moment] {
        let program = try DeviceProgram(isEncrypted: isEncrypted)
        let moments = Mutex<[Moment]>([])
        program.fixture.faulty.observe { call, _ in
            let disk = program.fixture.disk.afterPowerCut(cut(call))
            moments.withLock { moments in
                // Many calls change nothing that a power cut would show.
                let last = moments.last
                guard
                    last?.disk.allContents != disk.allContents
                        || last?.notes.promised.count != program.notes.promised.count
                else { return }
                moments.append(Moment(call: call, disk: disk, notes: program.notes))
            }
        }
        program.run()
        #expect(program.notes.errorCount == 0)
        return moments.withLock(\.self)
    }

    @Test(
        "at whichever call: nothing promised is lost, nothing is stored twice, and every proof holds",
        arguments: ["all", "nothing", "some"],
        [false, true]
    )
    func everyCall(lost: String, encrypted: Bool) throws {
        let moments = try moments(isEncrypted: encrypted) { call in
            switch lost {
            case "all": .losesAll
            case "nothing": .losesNothing
            default: .losesSome(seed: UInt64(call))
            }
        }
        #expect(moments.count > 40)
        for moment in moments {
            let problems = try DiskCheck(notes: moment.notes, isEncrypted: encrypted).problems(on: moment.disk)
            #expect(problems == [], "call \(moment.call), losing \(lost)")
        }
    }

    @Test("a killed process costs no block of a journal whose append had returned")
    func journals() throws {
        for moment in try moments({ _ in .losesNothing }) {
            let folder = try DiskFixture(moment.disk).folder
            let found = try ScopeJournalFiles(folder, fileSystem: moment.disk).leftBehind()
                .flatMap { journal in try journal.blocks().map { try journal.read($0) } }
            #expect(Set(found).isSuperset(of: moment.notes.blocks), "call \(moment.call)")
        }
    }

    @Test("a power cut during recovery loses nothing either, at whichever call")
    func duringRecovery() throws {
        let program = try DeviceProgram()
        let images = Mutex<[InMemoryFileSystem]>([])
        program.fixture.faulty.observe { call, _ in
            let disk = program.fixture.disk.afterPowerCut(.losesSome(seed: UInt64(call)))
            images.withLock { $0.append(disk) }
        }
        _ = try program.fixture.open()
        for (call, disk) in images.withLock(\.self).enumerated() {
            #expect(try DiskCheck(notes: program.notes).problems(on: disk) == [], "call \(call + 1)")
        }
    }
}
