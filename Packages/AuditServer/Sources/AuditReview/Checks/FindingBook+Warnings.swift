import EventModel

extension FindingBook {
    /// What supervisors are told, each a sentence that names nobody; none when all is as it should be.
    ///
    /// - Complexity: O(*n* log *n*) in the findings.
    package var warnings: [String] {
        let page = page
        let partitions = Set(page.findings.compactMap(\.subject.partition)).count
        var warnings: [String] = []
        if partitions > 0 {
            let more = page.isCut ? "at least " : ""
            warnings.append(
                "Of \(more)\(partitions) partition\(partitions == 1 ? "" : "s"), what is stored is not what was received."
            )
        }
        let kinds = Set(page.findings.map(\.subject.kind))
        for kind in CheckSubject.Kind.allCases where kinds.contains(kind) {
            // Two kinds may be one to a supervisor.
            if let warning = Self.warning(kind), warnings.last != warning { warnings.append(warning) }
        }
        if !warnings.isEmpty { warnings.append("The console's page Completeness says what is wrong.") }
        return warnings + page.remarks
    }

    /// The sentence of what is about no partition; nil of the others, which are counted.
    private static func warning(_ kind: CheckSubject.Kind) -> String? {
        switch kind {
        case .holding, .events: nil
        case .entries, .log: "The log of sealed partitions is not as it was written."
        case .partitions: "A partition cannot be read, so that those behind it are not verified."
        case .erasures: "What is recorded as erased is not what was erased."
        case .published:
            "The log is not published: the database is not the one that it was published of, or its folder cannot be used."
        }
    }
}
