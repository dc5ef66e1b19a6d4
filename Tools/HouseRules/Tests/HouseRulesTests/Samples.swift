import HouseRules

extension SourceFile {
    /// A file of the target `Ledger` in a package of that name.
    static func source(_ text: String) -> SourceFile {
        SourceFile(path: "Packages/Ledger/Sources/Ledger/Ledger.swift", text: text)
    }

    /// A file of the target `LedgerTests`.
    static func test(_ text: String) -> SourceFile {
        SourceFile(path: "Packages/Ledger/Tests/LedgerTests/LedgerTests.swift", text: text)
    }
}

extension House {
    /// A house with one package `Ledger`, whose target depends on `EventModel` and on a product of another package.
    static func ledger(_ files: SourceFile...) -> House {
        House(
            files: files,
            manifests: [
                "Packages/Ledger": Manifest(
                    name: "Ledger",
                    targets: [
                        Manifest.Target(
                            name: "Ledger",
                            dependencies: [
                                Manifest.Dependency(name: "EventModel", package: "EventModel"),
                                Manifest.Dependency(name: "Crypto", package: "swift-crypto"),
                            ]
                        ),
                        Manifest.Target(
                            name: "LedgerTests",
                            kind: "test",
                            dependencies: [Manifest.Dependency(name: "Ledger")]
                        ),
                    ]
                )
            ]
        )
    }
}
