package import AuditModel
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file in which the checks of what is stored keep how far they are and what they found, so that a restart forgets nothing.
///
/// It lies outside of the database. Whoever changes it makes the checks begin anew, or pass over something once; what is wrong is found
/// again by the next pass.
package struct CheckFile: Sendable {
    /// What is kept.
    package struct Content: Sendable, Hashable, Codable {
        /// Where the verification goes on; nil at its beginning.
        package var position: StoreCheck.Position?
        /// The last pass that came to the end.
        package var last: CheckPass?
        /// The entry of the log that is compared next with what is there.
        package var nextEntry: UInt64 = 0
        /// What is wrong.
        package var findings: [CheckFinding] = []
        /// Whether there is more wrong than is kept.
        package var isCut = false

        package init() {}
    }

    private struct Form: Codable {
        let version: Int
        let content: Content
    }

    /// The version of the form.
    private static let version = 1
    /// The most bytes of the file.
    private static let maximumBytes = 4_194_304

    /// Where it lies.
    package let path: String

    /// Names the file.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads what is kept.
    ///
    /// - Returns: What is kept; nil when there is no file.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be read, or holds something else.
    package func read() throws(AuditServerError) -> Content? {
        guard let bytes = try PrivateFile.read(path, upTo: Self.maximumBytes) else { return nil }
        do {
            let form = try JSONDecoder().decode(Form.self, from: Data(bytes))
            if form.version == Self.version { return form.content }
        } catch {
            // What it holds instead is nobody's business.
        }
        throw .inaccessible(path: path, reason: "it does not say how far the checks were")
    }

    /// Puts what is kept in the place of what was, and returns when it is on the disk.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be written.
    package func write(_ content: Content) throws(AuditServerError) {
        var content = content
        var bytes = try encoded(content)
        // Names may be long; what finds no place here is found again.
        while bytes.count > Self.maximumBytes, !content.findings.isEmpty {
            content.findings.removeLast((content.findings.count + 1) / 2)
            content.isCut = true
            bytes = try encoded(content)
        }
        try PrivateFile.write(bytes, to: path)
    }

    private func encoded(_ content: Content) throws(AuditServerError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(Form(version: Self.version, content: content)))
        } catch {
            throw .inaccessible(path: path, reason: "it cannot be written as JSON")
        }
    }
}
