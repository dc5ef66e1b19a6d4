import Foundation
import HouseRules
import Testing

@Suite("Rules on manifests")
struct ManifestRuleTests {
    @Test("a room that depends on another room is found, one that depends on the model passes")
    func inward() {
        func house(_ room: String, dependingOn package: String, _ product: String? = nil) -> House {
            let dependency = Manifest.Dependency(name: product ?? package, package: package)
            let target = Manifest.Target(name: room, dependencies: [dependency])
            return House(files: [], manifests: ["Packages/\(room)": Manifest(name: room, targets: [target])])
        }

        #expect(InwardDependencyRule().findings(in: house("ObjectStore", dependingOn: "EventRecording")).count == 1)
        #expect(InwardDependencyRule().findings(in: house("Unplanned", dependingOn: "EventModel")).count == 1)
        #expect(InwardDependencyRule().findings(in: house("ObjectStore", dependingOn: "EventModel")) == [])
        #expect(InwardDependencyRule().findings(in: house("ObjectStore", dependingOn: "GRDB.swift")) == [])
        let proofs = house("SyncTransport", dependingOn: "EventPartitions", "EventProofs")
        #expect(InwardDependencyRule().findings(in: proofs) == [])
        let partitions = house("SyncTransport", dependingOn: "EventPartitions")
        #expect(InwardDependencyRule().findings(in: partitions).count == 1)
    }

    @Test("a target with other settings and a manifest for other tools are found")
    func settings() {
        let facade = Manifest(name: "Daybook", targets: [Manifest.Target(name: "Daybook", settings: ["six"])])
        func house(settings: [String], tools: String) -> House {
            let target = Manifest.Target(name: "Ledger", settings: settings)
            let nested = Manifest(name: "Ledger", toolsVersion: tools, targets: [target])
            return House(files: [], manifests: ["": facade, "Packages/Ledger": nested])
        }

        #expect(ManifestSettingsRule().findings(in: house(settings: ["five"], tools: "6.3.0")).count == 1)
        #expect(ManifestSettingsRule().findings(in: house(settings: ["six"], tools: "6.0.0")).count == 1)
        #expect(ManifestSettingsRule().findings(in: house(settings: ["six"], tools: "6.3.0")) == [])
        #expect(ManifestSettingsRule().findings(in: House(files: [])).count == 1)
    }

    @Test("the JSON of SwiftPM is read with targets, products, requirements and settings")
    func decoding() throws {
        let dump = """
            {"name": "Ledger", "toolsVersion": {"_version": "6.3.0"},
             "platforms": [{"platformName": "macos", "version": "15.0"}],
             "dependencies": [
               {"fileSystem": [{"identity": "eventmodel"}]},
               {"sourceControl": [{"identity": "swift-log", "requirement": {"range": [{"upperBound": "2.0.0"}]}}]}],
             "products": [{"name": "Ledger", "type": {"library": ["automatic"]}, "targets": ["Ledger"]}],
             "targets": [{"name": "Ledger", "type": "regular", "path": "Here",
               "settings": [{"tool": "swift", "kind": {"swiftLanguageMode": {"_0": "6"}}}],
               "dependencies": [{"byName": ["Pages", null]}, {"product": ["Logging", "swift-log", null, null]}]}]}
            """

        let manifest = try Manifest(dump: Data(dump.utf8))

        let expected = Manifest(
            name: "Ledger",
            platforms: ["macos 15.0"],
            requirements: ["swift-log": #"{"range":[{"upperBound":"2.0.0"}]}"#],
            products: [Manifest.Product(name: "Ledger", targets: ["Ledger"])],
            targets: [
                Manifest.Target(
                    name: "Ledger",
                    path: "Here",
                    dependencies: [
                        Manifest.Dependency(name: "Pages"), Manifest.Dependency(name: "Logging", package: "swift-log"),
                    ],
                    settings: [#"{"kind":{"swiftLanguageMode":{"_0":"6"}},"tool":"swift"}"#]
                )
            ]
        )
        #expect(manifest == expected)
    }

    @Test("JSON that is no manifest is refused")
    func refusal() {
        #expect(throws: HouseRulesError.self) { try Manifest(dump: Data("{}".utf8)) }
        #expect(throws: HouseRulesError.self) { try Manifest(dump: Data(#"{"name": "A", "targets": [{}]}"#.utf8)) }
    }
}
