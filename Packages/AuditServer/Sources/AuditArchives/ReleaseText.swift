import AuditFormats

/// What the programs say of their version.
package enum ReleaseText {
    /// The version that was released from this commit; nothing between two.
    ///
    /// `Tools/release` reads this line, and refuses a version that it does not say.
    package static let version: String? = nil

    /// The version, or that there is none yet, and which formats of files this build writes.
    package static let text = text(of: version)

    /// Says what a program of a version says of itself.
    package static func text(of version: String?) -> String {
        "\(version ?? "not released yet"); writes exports of format \(ExportFormat.version)"
    }
}
