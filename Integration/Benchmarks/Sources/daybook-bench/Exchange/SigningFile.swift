import ChangeModel
import Daybook
import EventModel
import EventProofs

/// A file of a device, as far as a server knows it: it signs changes as a session does, and remembers where its chain is.
struct SigningFile {
    /// The number that the server gave it.
    let number: UInt32
    /// The number of the last change that it made.
    private(set) var lastChange = 0

    private let key: DeviceKey
    private var chain: ChangeChain
    private var clock = HybridClock(milliseconds: SystemClock().now().wall.microseconds / 1000)

    /// Takes over a file that was bound, and has sent nothing yet.
    init(number: UInt32, key: DeviceKey) throws {
        guard let start = Digest([UInt8](repeating: 0, count: Digest.byteCount)) else { throw BenchError.wrongAnswer }
        self.number = number
        self.key = key
        chain = ChangeChain(head: start, hash: ChangeChain.sha256)
    }

    /// Makes changes, and signs them as one batch.
    ///
    /// - Parameters:
    ///   - commits: The operations of each change.
    ///   - base: The position of the file.
    /// - Returns: The bytes of the batch.
    /// - Throws: What signing throws.
    mutating func batch(_ commits: [[ChangeOperation]], base: Int) throws -> [UInt8] {
        let changes = commits.enumerated()
            .map { index, operations in
                clock = clock.next
                return Change(number: lastChange + 1 + index, base: base, clock: clock, operations: operations)
            }
        var failure: (any Error)?
        let batch = try SignedBatch(ChangeBatch(file: number, changes: changes), after: chain) { head in
            do {
                return try key.signature(of: head)
            } catch {
                failure = error
                return [UInt8](repeating: 0, count: SignedBatch.signatureBytes)
            }
        }
        if let failure { throw failure }
        chain = chain.appending(batch)
        lastChange += commits.count
        return batch.bytes
    }
}
