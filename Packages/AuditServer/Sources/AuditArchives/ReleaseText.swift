import AuditFormats

/// What the programs say of their version.
package enum ReleaseText {
    /// That there is none yet, and which formats of files this build writes.
    package static let text = "not released yet; writes exports of format \(ExportFormat.version)"
}
