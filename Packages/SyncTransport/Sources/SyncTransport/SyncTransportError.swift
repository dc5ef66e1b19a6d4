public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can go wrong between a device and its server.
///
/// No case and no description holds a token, a password or recorded data.
@nonexhaustive
public enum SyncTransportError: Error, Sendable, Equatable {
    /// Thrown when the base URL is not an http or https address of a host; nothing was sent.
    case invalidBaseURL
    /// Thrown when the server refused a log-in or could not be asked; the accounts are as they were.
    case loginFailed(TransportError)
    /// Thrown when the server refused a registration or could not be asked.
    case registrationFailed(TransportError)
    /// Thrown when the server refused to remove a user or could not be asked; the user is as before.
    case deletionFailed(TransportError)
    /// Thrown when a session could not be renewed; the user is as before.
    case refreshFailed(TransportError)
    /// Thrown when a user who is not logged in is to become the current one, or belongs to another app.
    case notLoggedIn(user: String)
    /// Thrown to whoever records for a user who was removed from the device: the events are refused.
    case userRemoved(user: String)
    /// Thrown when the accounts of an app could not be written; the change holds until the process ends.
    case accountsNotSaved(reason: String)
    /// Reported when the stored accounts cannot be read; the file was set aside and nobody is logged in.
    case accountsUnreadable(reason: String)
    /// Thrown when the receipts of an app cannot be read.
    case receiptsUnreadable(reason: String)
    /// Reported when the server refuses a user's writes or its schema; the partition is kept and waits for a restart.
    case partitionStopped(PartitionID, TransportError)
    /// Reported when a partition was set aside for a person to look at; it is kept and no longer uploaded.
    case partitionQuarantined(PartitionID, reason: String)
    /// Reported when an upload needs attention but goes on by itself; once until it has made progress again.
    case partitionDelayed(PartitionID, TransportError)
    /// Reported when a partition's file could not be read, noted, set aside or deleted; nothing is lost.
    case partitionFailed(PartitionID, reason: String)
    /// Reported and thrown when the partitions could not be listed.
    case partitionsUnavailable(reason: String)
    /// Reported when the server's log contradicts what it signed; nothing is sent or deleted until somebody has resolved it.
    case untrustedServer(TransportError)
    /// Reported when what the server shows as its log is not proven; partitions are kept until it is, and uploads go on.
    case logUnproven(reason: String)
    /// Reported when the server's log could not be read, and thrown when its contradiction cannot; uploads go on.
    case logUnchecked(reason: String)
    /// Thrown when these partitions, and nothing else, wait for their user to sign in; they are kept.
    case signInRequired([PartitionID])
    /// Thrown when everything else is proven, but these partitions are stopped or set aside.
    case uploadsBlocked([PartitionID])
    /// Thrown to those who wait when the uploader ends.
    case uploaderEnded

    /// Whether no later attempt can succeed without a person.
    public var isFatal: Bool {
        switch self {
        case .partitionStopped, .partitionQuarantined, .untrustedServer: true
        default: false
        }
    }
}

extension SyncTransportError: CustomStringConvertible {
    /// A sentence that says what happened and what became of the data.
    public var description: String {
        switch self {
        case .invalidBaseURL:
            "The base URL of the app is not an http or https address with a host."
        case .loginFailed(let error):
            "The log-in failed: \(error)"
        case .registrationFailed(let error):
            "The registration failed: \(error)"
        case .deletionFailed(let error):
            "The user could not be removed: \(error)"
        case .refreshFailed(let error):
            "The session could not be renewed: \(error)"
        case .notLoggedIn(let user):
            "The user \(user) is not logged in to this app."
        case .userRemoved(let user):
            "The user \(user) of the events was removed, so that no more events can be recorded for the account."
        case .accountsNotSaved(let reason):
            "The accounts could not be saved, so nobody is logged in after a restart: \(reason)."
        case .accountsUnreadable(let reason):
            "The stored accounts cannot be read and were set aside: \(reason)."
        case .receiptsUnreadable(let reason):
            "The receipts of the server cannot be read: \(reason)."
        case .partitionStopped(let partition, let error):
            "The upload of \(partition) has stopped, its events are kept: \(error)"
        case .partitionQuarantined(let partition, let reason):
            "The partition \(partition) was set aside with all its events: \(reason)"
        case .partitionDelayed(let partition, let error):
            "The upload of \(partition) is tried again and again: \(error)"
        case .partitionFailed(let partition, let reason):
            "The partition \(partition) could not be handled, its events are kept: \(reason)"
        case .partitionsUnavailable(let reason):
            "The partitions could not be listed: \(reason)"
        case .untrustedServer(let error):
            "The server is not believed any more, all events are kept: \(error)"
        case .logUnproven(let reason):
            "The log of the server is not proven, and what it holds is kept here until it is: \(reason)"
        case .logUnchecked(let reason):
            "The log of the server could not be checked: \(reason)"
        case .signInRequired(let partitions):
            "The events of \(partitions.map(\.value).joined(separator: ", ")) are kept until their user signs in again."
        case .uploadsBlocked(let partitions):
            "The events of \(partitions.map(\.value).joined(separator: ", ")) are kept but cannot be uploaded."
        case .uploaderEnded:
            "The uploader ended before everything was proven to be stored."
        }
    }
}

extension SyncTransportError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
