import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Testing

/// What a verifier finds that somebody wrote in Python from the documents of the format alone.
@Suite("Files as a stranger reads them", .enabled(if: PythonReader.isThere, "python3 is not installed"))
struct StrangerTests {
    let image: DeviceImage

    init() throws {
        image = try DeviceImage()
    }

    private var path: String { DeviceImage.path(image.sealed[1]) }

    @Test("nothing is wrong with what nobody touched, whether it was sealed, uploaded, encrypted, or salvaged")
    func untouched() throws {
        let encrypted = try DiskFixture(isEncrypted: true)
        let files = try encrypted.open()
        _ = try files.append(AuditEvent.samples(0..<5))
        try files.close()
        let packed = try DiskFixture()
        let rows = (0..<40).map { "{\"_id\":\(100 + $0),\"bed\":\(999 - $0),\"name\":\"Żółw \(7 * $0)\",\"ward\":512}" }
        let many = try packed.open(limits: PartitionLimits(partitionBytes: 3000))
        for number in 0..<20 {
            _ = try many.append([.sample(number, data: Array(rows.joined(separator: ",").utf8))])
            many.note([LossEntry(reason: .writeFailed, count: 2, noticed: EventInstant(microseconds: -5))])
        }
        try many.close()

        let found = try Stranger.problems(
            in: [image.files, image.earlier, encrypted.disk.allContents, packed.disk.allContents]
        )

        #expect(found == [[], [], [], []])
    }

    @Test("each of 200 truncations of sealed files is found")
    func truncated() throws {
        let whole = try #require(image.files[path])
        let sizes = (0..<200).map { whole.count * $0 / 200 }

        let found = try Stranger.problems(in: sizes.map { image.files.merging([path: Array(whole.prefix($0))]) { $1 } })

        for (size, problems) in zip(sizes, found) { #expect(problems.count >= 1, "cut off at \(size)") }
    }

    @Test("each replacement of a file by an older version is found")
    func replaced() throws {
        let attacks = image.unsealed.filter { image.files[DeviceImage.path($0.key)] != nil }
            .map { partition, bytes in image.files.merging([DeviceImage.path(partition): bytes]) { $1 } }
        #expect(attacks.count >= 3)

        for problems in try Stranger.problems(in: attacks) { #expect(problems.count >= 1) }
    }

    @Test("each deleted partition is found, also one that was never sealed, and the folder as a whole")
    func deleted() throws {
        var attacks = (image.sealed + [image.open])
            .map { partition in image.files.filter { $0.key != DeviceImage.path(partition) } }
        attacks.append(image.files.filter { !$0.key.hasPrefix("\(DeviceImage.folder)/") })

        for problems in try Stranger.problems(in: attacks) { #expect(problems.count >= 1) }
    }

    @Test("a wrong bit is found wherever it is, in a sealed file and in the index")
    func flipped() throws {
        for path in [path, DeviceImage.index] {
            let whole = try #require(image.files[path])
            let end = (whole.lastIndex { $0 != 0 } ?? 0) + 1
            let places = stride(from: 0, to: end, by: 23).map { $0 }
            let found = try Stranger.problems(
                in: places.map { place in
                    var changed = whole
                    changed[place] ^= 1 << UInt8(place % 8)
                    return image.files.merging([path: changed]) { $1 }
                }
            )
            for (place, problems) in zip(places, found) {
                #expect(problems.count >= 1, "byte \(place) of \(end) of \(path)")
            }
        }
    }

    @Test("it finds the same files wrong as this library does")
    func agreement() throws {
        let forged = try FrameForgery.changingEvent(in: #require(image.files[path]), of: image.sealed[1].id)
        let swapped = [path: image.files[DeviceImage.path(image.sealed[0])] ?? []]
        for change in [[path: forged], swapped, [DeviceImage.index: image.earlier[DeviceImage.index] ?? []]] {
            let files = image.files.merging(change) { $1 }
            let fixture = try DeviceImage.place(files)
            let own = try fixture.audit().count + fixture.problems().count

            let problems = try #require(try Stranger.problems(in: [files]).first)

            #expect(own >= 1)
            #expect(problems.count >= 1)
        }
    }
}

/// `Tools/lib/stranger.py`.
enum Stranger {
    /// Says for each device what the verifier finds wrong, a sentence for each problem.
    static func problems(in devices: [[String: [UInt8]]]) throws -> [[String]] {
        let temporary = try TestFolder.made()
        let folders = devices.indices.map { "\(temporary.path)/\($0)" }
        for (folder, files) in zip(folders, devices) {
            for (path, bytes) in files {
                // What lies in the folder `/data` of the disk in memory.
                let place = URL(fileURLWithPath: folder + path.dropFirst("/data".count))
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(bytes).write(to: place)
            }
        }
        let lines = try PythonReader("stranger.py").said(of: folders).split(separator: "\n")
        return folders.map { folder in
            let said = lines.filter { $0.hasPrefix("\(folder): ") }
            return said.filter { !$0.hasPrefix("\(folder): verified, ") }.map(String.init)
                + (said.isEmpty ? ["\(folder): nothing was said"] : [])
        }
    }
}
