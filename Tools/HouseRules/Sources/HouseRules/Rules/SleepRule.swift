/// Tests await facts, not time.
package struct SleepRule: FileRule {
    /// The name that reports show.
    package let name: String = "no-sleep"

    private static let calls: [String] = ["Thread.sleep", "Task.sleep", "usleep(", "nanosleep(", " sleep("]

    /// Creates the rule.
    package init() {}

    /// Objects to every call in tests that waits for time to pass.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .test else { return [] }
        return file.findings { line in
            // A fake clock may have a method of that name, which waits for the test and not for time.
            guard !line.says("func sleep") else { return nil }
            return Self.calls.first(where: line.says)
                .map { "Await the fact that the test needs instead of calling \($0)." }
        }
    }
}
