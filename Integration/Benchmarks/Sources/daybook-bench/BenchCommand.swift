import BenchmarkHarness
import Foundation

/// Measures every row beside its floor, prints them as a table and, if asked, writes them as JSON.
@main
enum BenchCommand {
    static func main() async {
        do {
            if try measuredMemory() { return }
            let options = try BenchOptions(CommandLine.arguments.dropFirst())
            // Before minutes of measuring, and before the same file may be written.
            let earlier = try options.against.map { file throws(EarlierRunError) in try EarlierRun(file: file) }
            let workload = try Workload(isQuick: options.isQuick)
            defer { workload.removeFolder() }
            var rows: [Row] = []
            var skips: [String] = []
            var failures: [String] = []
            for benchmark in allBenchmarks(workload) where options.wants(benchmark.name) {
                report("Measuring \(benchmark.name).")
                do {
                    rows.append(try await benchmark.run(rounds: workload.rounds))
                } catch let skipped as SkippedBenchmark {
                    skips.append("skipped: \(benchmark.name). \(skipped)")
                } catch {
                    // Half an hour of other rows is not lost with this one.
                    failures.append("failed: \(benchmark.name). \(error)")
                    report(failures[failures.count - 1])
                }
            }
            print(RowTable(rows))
            for line in skips + failures { print(line) }
            if let file = options.json { try write(rows, to: file) }
            guard failures.isEmpty else {
                workload.removeFolder()
                exit(EXIT_FAILURE)
            }
            guard let comparison = earlier?.comparison(rows, isWanted: options.wants) else { return }
            print("\n\(comparison)")
            guard comparison.worse.isEmpty else {
                workload.removeFolder()
                exit(BenchStatus.worse.rawValue)
            }
        } catch let error as EarlierRunError {
            report(error.description)
            exit(error.status.rawValue)
        } catch {
            report("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    /// Does the work of the row of memory if this process was started for it, and prints the figure.
    private static func measuredMemory() throws -> Bool {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, arguments[1] == "--measure-memory", let events = Int(arguments[3]) else {
            return false
        }
        print(try peakMemory(root: arguments[2], events: events))
        return true
    }

    private static func write(_ rows: [Row], to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(filePath: file))
    }

    /// Shows what is going on beside the table.
    private static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }
}

/// The rows in the order of the table.
func allBenchmarks(_ workload: Workload) -> [Benchmark] {
    // One for all, so that each file is filled once.
    let files = FilledFiles(workload: workload)
    return storeBenchmarks(workload) + queryBenchmarks(workload, files) + growthBenchmarks(workload, files)
        + windowBenchmarks(workload, files)
        + [
            openingBenchmarks, accessBenchmarks, trackingBenchmarks, listBenchmarks, linkBenchmarks, millionBenchmarks,
            placeBenchmarks, importBenchmarks, syncBenchmarks,
            scopeBenchmarks, customEventBenchmarks, serializationBenchmarks, eventFileBenchmarks,
            partitionBenchmarks, recoveryBenchmarks,
            uploadBenchmarks, serverBenchmarks, exchangeBenchmarks, bootstrapBenchmarks, postgreSQLBenchmarks,
            searchBenchmarks,
            auditBenchmarks, publishingBenchmarks, witnessBenchmarks, timeStampBenchmarks, encryptionBenchmarks,
        ]
        .flatMap { $0(workload) }
}
