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

/// Random numbers that a seed repeats.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts a sequence; neighbouring seeds have nothing in common.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number, by SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to a limit; 0 where there is none.
    public mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

    /// Returns true once in so many times.
    public mutating func once(in times: Int) -> Bool { below(times) == 0 }
}
