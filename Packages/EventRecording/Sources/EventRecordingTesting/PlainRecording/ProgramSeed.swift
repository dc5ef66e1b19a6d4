import Foundation

/// The seed of a run of random programs: a new one each time, or the one that somebody wants to see again.
///
/// Set `DAYBOOK_PROGRAM_SEED` to the number that a failing test printed; the first program of the run is then that one.
public enum ProgramSeed {
    /// The name of the environment variable.
    public static let variable = "DAYBOOK_PROGRAM_SEED"

    /// Returns the seed to begin with.
    public static func first() -> UInt64 {
        // LIVE: a person repeats one program of a test run in this way.
        let wanted = ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
        // Seeds are short, so that a person can type them.
        return wanted ?? UInt64.random(in: 0..<1_000_000_000)
    }
}
