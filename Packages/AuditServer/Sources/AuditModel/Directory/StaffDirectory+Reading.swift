#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StaffDirectory {
    /// Reads a directory: CSV with a head, a Bundle of FHIR, or a list of users of SCIM.
    ///
    /// | form | ids | name | role | unit |
    /// |---|---|---|---|---|
    /// | CSV | `id` | `name` | `role` | `unit` |
    /// | FHIR R4 `Practitioner` | `id` and each `identifier` | `name` | `PractitionerRole.code` | `PractitionerRole.location` or `organization` |
    /// | SCIM 2.0 `User` (RFC 7643) | `id`, `userName`, `externalId` and each of `emails` | `name` or `displayName` | `title` | `department` |
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` with what is wrong, and in which line, for anything else.
    public init(reading bytes: [UInt8]) throws(AuditServerError) {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            try self.init(try CSVRecords.people(bytes))
            return
        }
        if let bundle = try? JSONDecoder().decode(PractitionerBundle.self, from: Data(bytes)), bundle.isBundle {
            try self.init(bundle.people)
        } else if let users = try? JSONDecoder().decode(ProvisionedUsers.self, from: Data(bytes)) {
            try self.init(users.people)
        } else {
            throw .rejected(
                reason:
                    "it is neither CSV with a head, nor a Bundle of FHIR with Practitioners, nor a list of users of SCIM"
            )
        }
    }
}
