import EventModel
import EventProofs
import Foundation
import Testing

@Suite("The largest entries of the log")
struct LargestEntryTests {
    @Test("an entry of the longest seal that a server takes has room in a bundle, whatever its ledger says")
    func longestSeal() throws {
        let key = DeviceKey()
        let instant = EventInstant(microseconds: 0)
        let longName = String(repeating: "\u{1}", count: 85) + String(repeating: "n", count: 170)
        let partition = PartitionID(prefix: String(repeating: "p", count: 64), id: ObjectId(high: 7, low: 1))
        let losses = [
            LossEntry(reason: .quota, count: 1, noticed: instant),
            LossEntry(reason: .encodingFailed, count: .max, noticed: instant, first: instant, last: instant),
            LossEntry(
                reason: .damaged,
                count: 1,
                noticed: instant,
                first: instant,
                last: instant,
                partition: partition,
                sequences: 1...2,
                root: MerkleHash.empty
            ),
        ]
        for name in ["a", String(repeating: "n", count: 256), longName] {
            let owner = EventOwner(app: name, user: name)
            for loss in losses {
                func seal(_ count: Int) throws -> PartitionSeal {
                    try key.seal(
                        partition,
                        of: owner,
                        over: MerkleFrontier(),
                        first: instant,
                        last: instant,
                        previousRoot: MerkleHash.empty,
                        losses: Array(repeating: loss, count: count)
                    )
                }
                // The most losses whose seal a server takes.
                var (fits, tooMany) = (0, 4096)
                while tooMany - fits > 1 {
                    let middle = (fits + tooMany) / 2
                    let byteCount = try JSONEncoder().encode(seal(middle)).count
                    if byteCount <= PartitionSeal.maximumBytes { fits = middle } else { tooMany = middle }
                }
                #expect(fits > 50)

                let entry = PartitionLogEntry(
                    index: 0,
                    app: owner.app,
                    user: owner.user,
                    received: instant,
                    seal: try seal(fits)
                )

                #expect(entry.canonicalBytes.count <= EntryBundle.maximumEntryBytes, "\(fits) losses")
            }
        }
    }
}
