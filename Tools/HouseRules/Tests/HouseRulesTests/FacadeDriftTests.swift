import HouseRules
import Testing

@Suite("Drift between the facade and its packages")
struct FacadeDriftTests {
    private static let crypto = Manifest.Dependency(name: "Crypto", package: "swift-crypto")

    private func package(
        dependencies: [Manifest.Dependency] = [
            crypto, Manifest.Dependency(name: "EventModel", package: "EventModel"),
        ]
    ) -> [String: Manifest] {
        [
            "Packages/Ledger": Manifest(
                name: "Ledger",
                platforms: ["macos 15.0"],
                requirements: ["swift-crypto": "from 4"],
                products: [
                    Manifest.Product(name: "Ledger", targets: ["Ledger"]),
                    Manifest.Product(name: "LedgerTesting", targets: ["LedgerTesting"]),
                ],
                targets: [
                    Manifest.Target(name: "Ledger", dependencies: dependencies, settings: ["six"]),
                    Manifest.Target(name: "LedgerTesting", settings: ["six"]),
                    Manifest.Target(name: "LedgerTests", kind: "test", settings: ["six"]),
                ]
            ),
            "Packages/EventModel": Manifest(
                name: "EventModel",
                platforms: ["macos 15.0"],
                targets: [Manifest.Target(name: "EventModel", settings: ["six"])]
            ),
        ]
    }

    private func facade(
        platforms: [String] = ["macos 15.0"],
        requirements: [String: String] = ["swift-crypto": "from 4"],
        products: [Manifest.Product] = [Manifest.Product(name: "Ledger", targets: ["Ledger"])],
        path: String = "Packages/Ledger/Sources/Ledger",
        dependencies: [Manifest.Dependency] = [Manifest.Dependency(name: "EventModel"), crypto],
        settings: [String] = ["six"],
        more: [Manifest.Target] = []
    ) -> Manifest {
        Manifest(
            name: "Daybook",
            platforms: platforms,
            requirements: requirements,
            products: products,
            targets: [
                Manifest.Target(name: "Ledger", path: path, dependencies: dependencies, settings: settings),
                Manifest.Target(name: "EventModel", path: "Packages/EventModel/Sources/EventModel", settings: ["six"]),
            ] + more
        )
    }

    @Test("a facade that says the same has no differences")
    func same() {
        #expect(FacadeDrift(facade: facade(), packages: package()).differences() == [])
    }

    @Test("each kind of difference is named once")
    func differences() {
        let other = Manifest.Product(name: "Other", targets: ["Ledger"])
        let facades = [
            facade(platforms: ["macos 14.0"]),
            facade(requirements: ["swift-crypto": "from 3"]),
            facade(requirements: ["swift-crypto": "from 4", "swift-nio": "from 2"]),
            facade(products: []),
            facade(products: [Manifest.Product(name: "Ledger", targets: ["Ledger"]), other]),
            facade(path: "Packages/Ledger/Sources/Elsewhere"),
            facade(dependencies: [Self.crypto]),
            facade(settings: ["five"]),
            facade(more: [Manifest.Target(name: "Ghost")]),
        ]

        let counts = facades.map { FacadeDrift(facade: $0, packages: package()).differences().count }

        #expect(counts == [2, 1, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test("a target that the facade forgot is named")
    func missing() {
        let empty = Manifest(name: "Daybook", platforms: ["macos 15.0"])

        let differences = FacadeDrift(facade: empty, packages: package()).differences()

        #expect(differences.contains("The facade lacks the target Ledger of Packages/Ledger."))
        #expect(differences.contains("The facade lacks the product Ledger."))
    }
}
