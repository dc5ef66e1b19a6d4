package import AuditModel
import EventModel

/// Who did what an event tells, in words for people.
package struct EventPerson: Sendable, Hashable {
    /// The metadata columns that apps put a name in, the best first.
    private static let nameColumns = ["userId", "user", "username", "nurse", "name", "email"]
    /// The metadata columns that apps put a reason in.
    private static let reasonColumns = ["reason", "purposeOfUse", "purpose"]

    /// The id of the account; nil in files.
    package let account: String?
    /// The name that the app recorded, or what is known of an auditor.
    package let name: String?
    /// Why, if anybody said.
    package let reason: String?
    /// The network address, which only what auditors did has.
    package let address: String?

    /// Reads an event.
    package init(_ stored: StoredEvent, _ audited: AuditedRequest?) {
        let entries = stored.event?.metadata.entries ?? []
        func value(of columns: [String]) -> String? {
            columns.lazy.compactMap { column in entries.first { $0.key == column }?.value }.first { !$0.isEmpty }
        }
        account = stored.owner?.user
        name = audited == nil ? value(of: Self.nameColumns) : audited?.token.map { "token \($0)" } ?? "auditor.token"
        reason = audited?.reason ?? value(of: Self.reasonColumns)
        address = audited?.from
    }
}
