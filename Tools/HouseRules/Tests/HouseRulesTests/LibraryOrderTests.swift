import HouseRules
import Testing

@Suite("Order of the libraries")
struct LibraryOrderTests {
    @Test("a library comes after what it depends on, across packages; programs and tests are left out")
    func order() {
        let ledger = Manifest(
            name: "Ledger",
            targets: [
                Manifest.Target(name: "Binding", dependencies: [Manifest.Dependency(name: "Ledger")]),
                Manifest.Target(
                    name: "Ledger",
                    dependencies: [
                        Manifest.Dependency(name: "Words", package: "Words"),
                        Manifest.Dependency(name: "Crypto", package: "swift-crypto"),
                    ]
                ),
                Manifest.Target(name: "ledger", kind: "executable"),
                Manifest.Target(name: "LedgerTests", kind: "test"),
            ]
        )
        let words = Manifest(name: "Words", targets: [Manifest.Target(name: "Words")])

        let order = LibraryOrder(packages: ["Packages/Ledger": ledger, "Packages/Words": words])

        let expected = [
            LibraryOrder.Library(folder: "Packages/Words", name: "Words"),
            LibraryOrder.Library(folder: "Packages/Ledger", name: "Ledger"),
            LibraryOrder.Library(folder: "Packages/Ledger", name: "Binding"),
        ]
        #expect(order.libraries == expected)
    }
}
