import HouseRules
import Testing

@Suite("Walls between targets")
struct TargetWallTests {
    private static let rule = TargetWallRule(
        rooms: ["Model": [], "Verifier": ["Model"], "Server": ["Model", "Verifier"]],
        libraries: ["hummingbird": ["Server"]]
    )

    private func house(_ target: String, _ dependencies: Manifest.Dependency..., kind: String = "regular") -> House {
        let others = ["Model", "Verifier", "Server"].filter { $0 != target }.map { Manifest.Target(name: $0) }
        let targets = others + [Manifest.Target(name: target, kind: kind, dependencies: dependencies)]
        return House(files: [], manifests: ["Packages/Ledger": Manifest(name: "Ledger", targets: targets)])
    }

    @Test("a room that knows an outer room is found, one that knows an inner room passes")
    func rooms() {
        #expect(Self.rule.findings(in: house("Verifier", .init(name: "Server"))).count == 1)
        #expect(Self.rule.findings(in: house("Model", .init(name: "Verifier"))).count == 1)
        #expect(Self.rule.findings(in: house("Server", .init(name: "Verifier"))) == [])
        #expect(Self.rule.findings(in: house("Unplanned", .init(name: "Server"))) == [])
    }

    @Test("a library of some rooms in the hands of another one is found, also of one without a plan")
    func libraries() {
        let library = Manifest.Dependency(name: "HummingbirdCore", package: "hummingbird")
        #expect(Self.rule.findings(in: house("Verifier", library)).count == 1)
        #expect(Self.rule.findings(in: house("Unplanned", library)).count == 1)
        #expect(Self.rule.findings(in: house("Server", library)) == [])
    }

    @Test("tests may know everything")
    func tests() {
        let library = Manifest.Dependency(name: "Hummingbird", package: "hummingbird")
        #expect(Self.rule.findings(in: house("ModelTests", library, .init(name: "Server"), kind: "test")) == [])
    }
}
