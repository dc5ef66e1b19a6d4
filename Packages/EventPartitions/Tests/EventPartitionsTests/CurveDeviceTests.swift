import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

/// The files of a device that signs with P-256, in its own hands and in those of a thief.
@Suite("Files of a device with a P-256 key")
struct CurveDeviceTests {
    private static let key = DeviceKey(.p256)
    private let image: DeviceImage

    init() throws {
        image = try DeviceImage(key: Self.key)
    }

    /// What is found at once and at the next opening when files are exchanged.
    private func findings(
        _ change: [String: [UInt8]],
        openedBy key: DeviceKey = key
    ) throws -> (audit: [PartitionFinding], reported: [PartitionFinding], problems: [PartitionError]) {
        let fixture = try DeviceImage.place(image.files.merging(change) { $1 }, key: key)
        let (audit, problems) = (try fixture.audit(), try fixture.problems())
        let files = try fixture.open()
        _ = try files.partitions()
        try files.close()
        return (audit, fixture.errors.findings, problems)
    }

    @Test("nothing is wrong with what nobody touched, and every seal names the key")
    func untouched() throws {
        let found = try findings([:])
        #expect(found.audit == [])
        #expect(found.reported == [])
        #expect(found.problems.isEmpty)

        let fixture = try DeviceImage.place(image.files, key: Self.key)
        for partition in image.sealed {
            #expect(try fixture.verify(DeviceImage.path(partition)).seal?.publicKey == Self.key.publicKey)
        }
    }

    @Test("the notes of the device are its own: another key of the same kind believes none of them")
    func notes() {
        let code = Self.key.code(for: [1, 2, 3])
        #expect(Self.key.isCode(code, for: [1, 2, 3]))
        #expect(!DeviceKey(.p256).isCode(code, for: [1, 2, 3]))
    }

    @Test(
        "files of a device with an Ed25519 key, put in the place of these, are those of another device",
        arguments: [false, true]
    )
    func exchangedAlgorithm(isOfEdwards: Bool) throws {
        let other = isOfEdwards ? DeviceKey() : DeviceKey(.p256)
        let foreign = try DeviceImage(key: other)
        let index = [DeviceImage.index: try #require(foreign.files[DeviceImage.index])]

        let found = try findings(index)
        let opened = try findings([:], openedBy: other)

        #expect(found.reported.count >= 1)
        #expect(found.audit.count >= 1)
        #expect(opened.reported.count >= 1)
    }

    @Test("a sealed file that is cut off anywhere is reported")
    func cut() throws {
        let path = DeviceImage.path(image.sealed[1])
        let whole = try #require(image.files[path])
        for size in stride(from: 0, to: whole.count, by: 41) {
            let found = try findings([path: Array(whole.prefix(size))])
            #expect(found.audit.map(\.partition) == [image.sealed[1]], "cut off at \(size)")
            #expect(found.reported.map(\.partition) == [image.sealed[1]], "cut off at \(size)")
        }
    }

    @Test(
        "a stranger's program finds nothing wrong, and each wrong bit",
        .enabled(if: PythonReader.isThere, "no python3")
    )
    func stranger() throws {
        let path = DeviceImage.path(image.sealed[1])
        var attacks: [[String: [UInt8]]] = []
        for path in [path, DeviceImage.index] {
            let whole = try #require(image.files[path])
            let end = (whole.lastIndex { $0 != 0 } ?? 0) + 1
            for place in stride(from: 0, to: end, by: 29) {
                var changed = whole
                changed[place] ^= 1 << UInt8(place % 8)
                attacks.append(image.files.merging([path: changed]) { $1 })
            }
        }

        let found = try Stranger.problems(in: [image.files] + attacks)

        #expect(found.first == [])
        for (number, problems) in found.dropFirst().enumerated() { #expect(problems.count >= 1, "attack \(number)") }
    }
}
