import Foundation

/// What a run of `swift test` did, read from the xUnit file that it left.
package struct SuiteReport: Sendable, Hashable {
    /// How many tests passed.
    package let passed: Int
    /// The failed tests, as suite and name.
    package let failed: [String]
    /// How many tests were skipped, by the reason that they gave; they neither passed nor failed.
    package let skipped: [String: Int]
    /// The suites that ran or were skipped, each with its target in front: `EventModelTests.ObjectIdTests`.
    package let suites: Set<String>

    /// Reads an xUnit file of Swift Testing.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init(xunit: String) {
        var passed = 0
        var failed: [String] = []
        var skipped: [String: Int] = [:]
        var suites: Set<String> = []
        for element in xunit.components(separatedBy: "<testcase").dropFirst() {
            let suite = Self.attribute("classname", of: element)
            suites.insert(suite)
            // A test that passed is one empty element; one that failed holds its failures.
            let body = element.prefix { $0 != ">" }.hasSuffix("/") ? "" : element
            if body.contains("<failure") || body.contains("<error") {
                failed.append("\(suite) \(Self.attribute("name", of: element))")
            } else if body.contains("<skipped") {
                skipped[Self.text("skipped", of: body), default: 0] += 1
            } else {
                passed += 1
            }
        }
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
        self.suites = suites
    }

    /// Returns the text of an element within another; empty when it has none.
    private static func text(_ name: String, of element: String) -> String {
        guard let start = element.range(of: "<\(name)>"), let end = element.range(of: "</\(name)>") else { return "" }
        return String(element[start.upperBound..<end.lowerBound])
    }

    private static func attribute(_ name: String, of element: String) -> String {
        guard let start = element.range(of: " \(name)=\"") else { return "" }
        return String(element[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Finds the test targets and suites of a package that did not run.
    ///
    /// - Parameters:
    ///   - manifest: The package's manifest.
    ///   - files: The package's test files.
    /// - Returns: A sentence for each of them.
    package func missing(of manifest: Manifest, files: [SourceFile]) -> [String] {
        let targets = manifest.targets.filter { $0.kind == "test" }
        guard !targets.isEmpty else { return ["The package \(manifest.name) has no tests."] }
        let silent = targets.map(\.name).filter { target in !suites.contains { $0.hasPrefix("\(target).") } }
        let ran = Set(suites.flatMap { $0.split { $0 == "." || $0 == "/" }.map(String.init) })
        let declared = files.filter { $0.role == .test && !silent.contains($0.target) }.flatMap(\.suites)
        return silent.map { "No test of the target \($0) ran." }
            + Set(declared).subtracting(ran).sorted().map { "No test of the suite \($0) ran." }
    }
}

extension SourceFile {
    /// The types that are marked as suites.
    var suites: [String] {
        var names: [String] = []
        var isMarked = false
        for line in lines {
            if line.says("@Suite") { isMarked = true }
            guard isMarked else { continue }
            let words = line.code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            if let place = words.firstIndex(where: Self.typeKeywords.contains), place + 1 < words.count {
                names.append(words[place + 1])
                isMarked = false
            }
        }
        return names
    }

    private static let typeKeywords: Set<String> = ["struct", "class", "actor", "enum"]
}
