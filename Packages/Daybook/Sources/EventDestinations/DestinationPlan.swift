package import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whose events a realm records, where they wait, and which rules of a configuration hold there.
package struct DestinationPlan: Sendable {
    /// The account that takes the events; nil when they stay on the device.
    package let account: (any EventUser)?

    /// Finds the account.
    ///
    /// - Parameters:
    ///   - realmUser: The user that the realm was opened for; nil for a realm of nobody.
    ///   - isFlexible: Whether the app of that user is one of flexible sync, which has no partitions for events to go to.
    ///   - eventUser: The user that the configuration names; nil when events go to the realm's own.
    /// - Throws: `EventModelError.invalidParameter` when events would go to an app of flexible sync.
    package init(
        realmUser: (any EventUser)?,
        isFlexible: Bool,
        eventUser: (any EventUser)?
    ) throws(EventModelError) {
        if isFlexible, eventUser.map({ $0.id == realmUser?.id && $0.appID == realmUser?.appID }) ?? true {
            throw .invalidParameter(
                "syncUser",
                reason: "the realm uses flexible sync, so its events need a user of a partition-based app"
            )
        }
        account = eventUser ?? realmUser
    }

    /// Whose events the files hold: the account's, or `local` ones.
    package var owner: EventOwner { EventOwner(app: account?.appID ?? "local", user: account?.id ?? "local") }

    /// Finds the folder below which the files lie.
    ///
    /// - Parameters:
    ///   - chosen: What the configuration says.
    ///   - appDirectory: The folder of the account's app on this device.
    ///   - realm: The path of the realm's file.
    /// - Returns: The chosen one, else the app's, else the one that the realm lies in.
    package func root(chosen: String?, appDirectory: String?, besides realm: String) -> String {
        chosen ?? appDirectory ?? URL(fileURLWithPath: realm).deletingLastPathComponent().path
    }

    /// Returns how long closed partitions are kept.
    ///
    /// What waits for an upload goes when the server has proven to hold it, and not for its age.
    package func retention(_ asked: EventRetention) -> EventRetention { account == nil ? asked : .everything }

    /// Returns how long a partition with events in it stays open; nil without an account: nobody waits for its seal.
    package func closing(after asked: Duration) -> Duration? { account == nil ? nil : asked }
}
