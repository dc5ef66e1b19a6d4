import BenchmarkHarness
import Foundation

/// The file of an earlier run, which this one is compared with.
struct EarlierRun {
    private let rows: [EarlierRow]

    /// Reads the file.
    ///
    /// - Throws: ``EarlierRunError`` when there is none, or it is something else.
    init(file: String) throws(EarlierRunError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw EarlierRunError(status: .noInput, description: "The earlier run '\(file)' cannot be read.")
        }
        do throws(EarlierRowsError) {
            rows = try EarlierRow.rows(from: data)
        } catch {
            throw EarlierRunError(status: .badData, description: "'\(file)' is not an earlier run. \(error)")
        }
    }

    /// Compares a run with it.
    ///
    /// - Parameters:
    ///   - measured: The rows of the run.
    ///   - isWanted: Whether the run was asked for a row of that name.
    /// - Returns: What is worse, what is not, and what only one of both has.
    func comparison(_ measured: [Row], isWanted: (String) -> Bool) -> RunComparison {
        RunComparison(measured, against: rows.filter { isWanted($0.name) })
    }
}

/// The file of an earlier run cannot be used.
struct EarlierRunError: Error, CustomStringConvertible {
    let status: BenchStatus
    let description: String
}

/// What the program tells whoever started it.
enum BenchStatus: Int32 {
    /// A row is worse than in the earlier run.
    case worse = 2
    /// The earlier run's file is not one.
    case badData = 65
    /// There is no such file.
    case noInput = 66
}
