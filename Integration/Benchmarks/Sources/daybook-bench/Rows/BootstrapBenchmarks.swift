import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import Daybook
import Foundation
import Synchronization

/// A new device takes in a realm that has many objects, over HTTP.
func bootstrapBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = BootstrapWork(workload: workload)
    let times = workload.counts
        .map { count in
            Benchmark(
                "bootstrap of a new device over HTTP, 10 properties, \(count) objects",
                unit: "us/object",
                target: .atMost(10),
                step: GrowthStep("bootstrap of a new device over HTTP", size: count),
                ours: { try await work.bootstrap(of: count).microseconds }
            )
        }
    let count = workload.counts.max() ?? 0
    var rows = [
        Benchmark(
            "bootstrap, bytes of an object on the way",
            unit: "B",
            target: .atMost(45),
            ours: { try work.bytesOfObject(count) }
        )
    ]
    #if os(Linux)
    rows += [
        Benchmark(
            "bootstrap of \(count) objects, memory of the device",
            unit: "MiB",
            target: .atMost(64),
            ours: { try await work.bootstrap(of: count).deviceMebibytes }
        ),
        Benchmark(
            "bootstrap of \(count) objects, memory of the server",
            unit: "MiB",
            target: .atMost(64),
            ours: { try await work.bootstrap(of: count).serverMebibytes }
        ),
    ]
    #endif
    return times + rows
}

/// The work behind the rows; the server of a size is filled once.
private final class BootstrapWork: Sendable {
    /// What it took a device to begin.
    struct Bootstrap {
        /// Of each object, from the call that opens the realm until it is open.
        let microseconds: Double
        /// How much more memory this process had at the most, which is what the device took.
        let deviceMebibytes: Double
        /// How much more memory the server had at the most.
        let serverMebibytes: Double
    }

    /// A server with a realm of many objects.
    private struct Filled {
        let server: ServerProcess
        let realm: SampleRealm
    }

    /// How many objects a change makes.
    private static let step = 5000

    private let workload: Workload
    private let servers = Mutex<[Int: Filled]>([:])

    init(workload: Workload) { self.workload = workload }

    private func filled(_ count: Int) throws -> Filled {
        try servers.withLock { servers in
            if let filled = servers[count] { return filled }
            let server = try ServerProcess(in: try workload.makeSharedFolder("bootstrap-\(count)"))
            var realm = try SampleRealm(files: 1, of: SampleDelivery.schema, on: server)
            let connection = try LoopbackConnection(port: server.port)
            for start in stride(from: 0, to: count, by: Self.step) {
                let objects = (start..<min(start + Self.step, count)).map { SampleDelivery($0).creation }
                try realm.make(objects, on: connection)
            }
            let filled = Filled(server: server, realm: realm)
            servers[count] = filled
            return filled
        }
    }

    /// Opens the realm on a device that has nothing of it.
    @MainActor
    func bootstrap(of count: Int) async throws -> Bootstrap {
        let server = try filled(count).server
        return try await workload.withFolder { folder in
            // Begun anew, so that it has nothing in memory: the device is the first one of its morning.
            try server.crash()
            let device = try await SyncedDevice("new", on: server, in: folder, of: [Delivery.self])
            let before = try (here: ProcessMemory.here.beginPeak(), there: server.memory.beginPeak())
            var seen = 0
            let time = try await asyncNanoseconds {
                let realm = try await Realm(configuration: device.configuration, downloadBeforeOpen: .always)
                seen = realm.objects(Delivery.self).count
                await realm.syncSession?.closed()
            }
            guard seen == count else { throw BenchError.wrongAnswer }
            return Bootstrap(
                microseconds: time / Double(count) / 1000,
                deviceMebibytes: try ProcessMemory.here.peakMebibytes() - before.here,
                serverMebibytes: try server.memory.peakMebibytes() - before.there
            )
        }
    }

    /// The bytes of the bodies of all pages, as they are sent, for each object.
    func bytesOfObject(_ count: Int) throws -> Double {
        let filled = try filled(count)
        return Double(try filled.realm.snapshotBytes(on: LoopbackConnection(port: filled.server.port))) / Double(count)
    }
}
