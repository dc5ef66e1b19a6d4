import AuditArchives
import AuditModel
import EventModel

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

    /// Reads what the objects of an app's classes are called.
    ///
    /// - Throws: `CommandError.malformedConfiguration(_:key:reason:)` that names the class.
    // TEXT: names of classes as JSON has them, compared by their bytes from here on.
    static func labels(_ texts: [String: String], of app: String, _ path: String) throws -> ClassLabels {
        var templates: [ExactText: LabelTemplate] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            do throws(AuditServerError) {
                templates[ExactText(name)] = try LabelTemplate(text)
            } catch {
                guard case .rejected(let reason) = error else { throw error }
                throw CommandError.malformedConfiguration(path, key: "apps.\(app).labels.\(name)", reason: reason)
            }
        }
        return ClassLabels(templates)
    }

    /// Reads who an app's users are.
    ///
    /// - Throws: `CommandError.malformedConfiguration(_:key:reason:)` when the file has another form, and `missingFile` when it is not there.
    static func staff(_ file: String, of app: String, _ path: String) throws -> StaffDirectory {
        guard let bytes = try PrivateFile.read(file, upTo: maximumStaffBytes) else {
            throw CommandError.missingFile(file)
        }
        do throws(AuditServerError) {
            return try StaffDirectory(reading: bytes)
        } catch {
            guard case .rejected(let reason) = error else { throw error }
            throw CommandError.malformedConfiguration(path, key: "apps.\(app).staffFile", reason: reason)
        }
    }

    /// The most bytes of a directory of staff: 64 MiB.
    private static let maximumStaffBytes = 67_108_864

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
