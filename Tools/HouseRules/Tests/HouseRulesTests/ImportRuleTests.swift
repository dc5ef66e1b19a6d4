import HouseRules
import Testing

@Suite("Rules on imports")
struct ImportRuleTests {
    @Test(
        "an old attribute, a foreign testable import and a scattered re-export break the form",
        arguments: [
            "@_implementationOnly import Crypto",
            "@testable import EventModel",
            "@_exported public import EventModel",
        ]
    )
    func wrongForm(text: String) {
        #expect(ImportFormRule().findings(in: .ledger(.source(text))).map(\.line) == [1])
    }

    @Test("plain and leveled imports, and a testable import of the own package, keep the form")
    func rightForm() {
        let house = House.ledger(
            .source("public import EventModel\nimport Crypto"),
            .test("@testable import Ledger"),
            SourceFile(
                path: "Packages/Ledger/Sources/Ledger/Exports.swift",
                text: "@_exported public import EventModel"
            ),
            SourceFile(
                path: "Packages/Ledger/Sources/Ledger/ModelExports.swift",
                text: "@_exported public import EventModel"
            )
        )

        #expect(ImportFormRule().findings(in: house) == [])
    }

    @Test("a testable import in a package whose tests are run optimised is found")
    func optimised() {
        let house = House.ledger(.test("@testable import Ledger"))

        #expect(ImportFormRule(optimised: ["Packages/Ledger"]).findings(in: house).map(\.line) == [1])
    }

    @Test(
        "a module that the target does not declare is found",
        arguments: ["import Logging", "public import struct Logging.Logger", "@preconcurrency import Logging"]
    )
    func undeclared(text: String) {
        let findings = DeclaredImportRule().findings(in: .ledger(.source("import Foundation\n\(text)")))

        #expect(findings.map(\.line) == [2])
    }

    @Test("declared, own and system modules pass")
    func declared() {
        let house = House.ledger(
            .source("import Crypto\npublic import EventModel\nimport Foundation"),
            .test("import Ledger\nimport Testing")
        )

        #expect(DeclaredImportRule().findings(in: house) == [])
    }

    @Test("a confined module in another folder of its target is found, and passes in its own and in tests")
    func confined() {
        let rule = ConfinedImportRule(plan: ["Ledger": ["Crypto": ["Sealing"]]])
        let folder = "Packages/Ledger/Sources/Ledger"
        let files = ["Sealing/Seal.swift", "Reading/Page.swift", "Ledger.swift"]
            .map { SourceFile(path: "\(folder)/\($0)", text: "import Foundation\nimport Crypto") }

        let findings = rule.findings(in: .ledger(files[0], files[1], files[2], .test("import Crypto")))

        #expect(findings.map(\.path) == ["\(folder)/Reading/Page.swift", "\(folder)/Ledger.swift"])
        #expect(findings.map(\.line) == [2, 2])
    }

    @Test("a file of a target that no manifest declares is found")
    func orphan() {
        let orphan = SourceFile(path: "Packages/Ledger/Sources/Lost/Lost.swift", text: "")

        #expect(DeclaredImportRule().findings(in: .ledger(orphan)).count == 1)
    }
}
