/// One rule of the house, checked over all of its files and manifests.
package protocol Rule: Sendable {
    /// The name that reports show, in kebab case.
    var name: String { get }

    /// Returns every place that breaks the rule, file by file.
    func findings(in house: House) -> [Finding]
}

/// A rule that needs to see one Swift file at a time.
package protocol FileRule: Rule {
    /// Returns the places in one file that break the rule.
    func findings(in file: SourceFile) -> [Finding]
}

extension FileRule {
    /// Asks the rule about each Swift file.
    package func findings(in house: House) -> [Finding] {
        house.swiftFiles.flatMap { findings(in: $0) }
    }
}

/// The rules in the order in which they are reported.
package let allRules: [any Rule] = [
    FileLengthRule(),
    UniqueNameRule(),
    ImportFormRule(),
    DeclaredImportRule(),
    InwardDependencyRule(),
    TargetWallRule(),
    ConfinedImportRule(),
    ManifestSettingsRule(),
    LiveDefaultRule(),
    DurablePoolRule(),
    ForbiddenCallRule(),
    LostExecutorRule(),
    LazyEndRule(),
    ErrorWordsRule(),
    SleepRule(),
    SafetyCommentRule(),
    OutsideTextRule(),
    AbstractRule(),
    OpenEndRule(),
    MachinePathRule(),
    LinkRule(),
    NamedFileRule(),
    MappedRoomRule(),
]
