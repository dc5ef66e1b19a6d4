import Foundation
import Testing

@Suite("The table of attackers")
struct EvidenceDocumentTests {
    private static let repository = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL

    /// The files with tests, by the name of their suite.
    private static func suites() throws -> [String: URL] {
        var found: [String: URL] = [:]
        for folder in ["Packages", "Integration"] {
            let root = repository.appending(path: folder)
            let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.lastPathComponent.hasSuffix("Tests.swift") {
                found[file.deletingPathExtension().lastPathComponent] = file
            }
        }
        return found
    }

    @Test("every test that the table names is there, and every cell names one, or says what is not noticed")
    func names() throws {
        let document = Self.repository.appending(path: "Packages/AuditServer/Docs/EVIDENCE.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let suites = try Self.suites()
        let named = text.matches(of: #/`([A-Z][A-Za-z]+Tests)\.([a-z][A-Za-z]+)`/#)
        #expect(named.count > 40)
        for match in named {
            let file = try #require(suites[String(match.1)], "\(match.1)")
            let source = try String(contentsOf: file, encoding: .utf8)
            let hasTest = source.contains("func \(match.2)(")
            #expect(hasTest, "\(match.0)")
        }

        let cells = text.split(separator: "\n")
            .filter { line in
                ["change", "drop", "insert", "reorder", "backdate", "show two views"]
                    .contains { line.hasPrefix("| \($0)") }
            }
        #expect(cells.count == 6 * 4 + 3)
        for cell in cells {
            let isAnswered =
                cell.contains("Tests.") || cell.contains("**not noticed**") || cell.contains("as a change")
                || cell.contains("as above") || cell.contains("does not apply") || cell.contains("bound it")
            #expect(isAnswered, "\(cell)")
        }
    }
}
