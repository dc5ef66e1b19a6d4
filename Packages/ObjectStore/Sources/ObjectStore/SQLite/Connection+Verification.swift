extension Connection {
    /// How many findings an error names at most.
    private static let maximumFindings = 20

    /// Reads the whole file and compares what its pages say about each other.
    ///
    /// - Throws: ``Realm/Error`` with `.invalidDatabase` and the findings.
    /// - Complexity: O(*n* log *n*) in the size of the file.
    func verify() throws(Realm.Error) {
        let check = try prepare("PRAGMA integrity_check(\(Self.maximumFindings))")
        var findings: [String] = []
        while try check.step() { findings.append(check.text(0)) }
        guard findings == ["ok"] else { throw .damaged(fileURL, findings) }
    }
}
