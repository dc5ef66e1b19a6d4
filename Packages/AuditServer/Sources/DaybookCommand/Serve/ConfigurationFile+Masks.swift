import AuditArchives
import AuditModel

extension ConfigurationFile {
    /// Reads what auditors do not see of an app's events.
    ///
    /// - Throws: `CommandError.malformedConfiguration(_:key:reason:)` that names the field.
    static func mask(_ texts: [String], of app: String, _ path: String) throws -> EventMask {
        var fields: [MaskedField] = []
        for text in texts {
            do throws(AuditServerError) {
                fields.append(try MaskedField(text))
            } catch {
                guard case .rejected(let reason) = error else { throw error }
                throw CommandError.malformedConfiguration(path, key: "apps.\(app).masked", reason: reason)
            }
        }
        return EventMask(fields)
    }

    /// Reads what a reviewer may say masked values are shown for.
    ///
    /// - Throws: `CommandError.malformedConfiguration(_:key:reason:)`.
    static func purposes(_ texts: [String], _ path: String) throws -> [String] {
        guard (1...50).contains(texts.count), Set(texts).count == texts.count,
            texts.allSatisfy({ (1...64).contains($0.count) && !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F } })
        else {
            throw CommandError.malformedConfiguration(
                path,
                key: "unmaskingPurposes",
                reason: "there are 1 to 50 different ones, each of 1 to 64 characters"
            )
        }
        return texts
    }
}
