import AuditServerTesting
import BenchmarkHarness
import EventModel
import Foundation
import TimeStamping

import enum Crypto.P256

/// Time-stamps of RFC 3161, as `daybook verify --authority` reads them: one for each hour of a log.
///
/// The authority is run by `openssl`; without it there are no rows.
func timeStampBenchmarks(_ workload: Workload) -> [Benchmark] {
    guard SampleAuthority.isInstalled else { return [] }
    return [
        // The floor is what nobody can leave out: the signature of the authority, and that of its certificate.
        Benchmark(
            "time-stamps: one read and verified",
            unit: "us each",
            target: .timesFloor(6),
            floor: { try TimeStampWork.signatures() },
            ours: { try await TimeStampWork.verification(workload) }
        )
    ]
}

private enum TimeStampWork {
    private static let rounds = 200

    static func signatures() throws -> Double {
        let key = P256.Signing.PrivateKey()
        let bytes = [UInt8](repeating: 7, count: 300)
        let signature = try key.signature(for: bytes)
        let time = try nanoseconds {
            for _ in 0..<rounds {
                for _ in 0..<2 {
                    guard key.publicKey.isValidSignature(signature, for: bytes) else { throw BenchError.wrongAnswer }
                }
            }
        }
        return time / Double(rounds) / 1000
    }

    static func verification(_ workload: Workload) async throws -> Double {
        try await workload.withFolder { folder in try await verification(in: folder.path) }
    }

    private static func verification(in folder: String) async throws -> Double {
        let authority = try SampleAuthority(in: folder)
        let bytes = Array("log.example/bench\n100000\n".utf8)
        let reply = try authority.reply(to: TimeStampRequest(over: bytes, nonce: 1).bytes())
        let trust = try authority.trust
        let time = try await asyncNanoseconds {
            for _ in 0..<rounds { blackHole(try await trust.verify(TimeStampToken(reply), over: bytes)) }
        }
        return time / Double(rounds) / 1000
    }
}
