import Foundation

#if os(Linux)
import Glibc

/// How much memory a process of this machine has.
struct ProcessMemory {
    /// That of this process.
    static let here = ProcessMemory(process: "self")

    private let process: String

    private init(process: String) { self.process = process }

    /// That of a process of the same user.
    init(of identifier: Int32) { process = "\(identifier)" }

    /// Returns how much it has now, in MiB.
    func mebibytes() throws -> Double { try figure("VmRSS:") }

    /// Returns the most that it had since ``beginPeak()``, or ever, in MiB.
    func peakMebibytes() throws -> Double { try figure("VmHWM:") }

    /// Begins the highest figure anew, and returns what the process has now.
    ///
    /// This process first gives back what it does not use, so that nothing that was freed before hides what is taken now.
    func beginPeak() throws -> Double {
        if process == "self" { Self.giveBack() }
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
        return try mebibytes()
    }

    private static func giveBack() {
        // Swift's module of the C library leaves its header out, and not every C library has the function.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private func figure(_ name: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else {
            throw BenchError.noMemoryFigure
        }
        return kibibytes / 1024
    }
}
#endif
