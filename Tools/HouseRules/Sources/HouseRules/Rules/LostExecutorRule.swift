/// An error that leaves a function of the caller's isolation does not leave the caller's executor behind.
///
/// A `nonisolated(nonsending)` function that lets the error of an `await` through directly may end on another thread than it
/// was called on, in debug and in release (swiftlang/swift#88259, not mended in Swift 6.3): its caller on the main actor goes
/// on off the main queue. A result that is awaited as a value and thrown afterwards comes back. The rule is for what apps use: the
/// server and the tools have no code that belongs to one executor, and libraries there ask for functions of this shape.
package struct LostExecutorRule: FileRule {
    /// The name that reports show.
    package let name: String = "lost-executor"

    private static let continuations: [String] = ["withCheckedThrowingContinuation", "withUnsafeThrowingContinuation"]

    /// Creates the rule.
    package init() {}

    /// Objects to continuations that throw, and to functions off every actor that do.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .source, file.package.hasPrefix("Packages/"), !file.package.hasSuffix("/AuditServer") else {
            return []
        }
        return file.findings { line in
            Self.continuations.first(where: line.says)
                .map {
                    "Await a `Result` through a continuation that never throws, then `get()` it; after `\($0)` the caller's actor may be lost."
                }
        }
            + file.lines.indices.compactMap { index in
                guard file.lines[index].says("@concurrent"), throwsOutside(declaration(in: file, from: index)) else {
                    return nil
                }
                return Finding(
                    path: file.path,
                    line: index + 1,
                    message:
                        "Return a `Result` from a `@concurrent` function; its error may cost who lets it through the own actor."
                )
            }
    }

    /// The code from a line up to the body that begins there or after it.
    private func declaration(in file: SourceFile, from index: Int) -> String {
        var code = ""
        for line in file.lines[index...] {
            guard let brace = line.code.firstIndex(of: "{") else {
                code += line.code + "\n"
                continue
            }
            return code + line.code[..<brace]
        }
        return code
    }

    /// Whether a declaration throws by itself, not a function among its parameters.
    private func throwsOutside(_ declaration: String) -> Bool {
        var depth = 0
        let outside = declaration.filter { character in
            if character == "(" { depth += 1 }
            defer { if character == ")" { depth -= 1 } }
            return depth == 0
        }
        return SourceLine(text: outside, code: outside, comment: "").says("throws")
    }
}
