import EventModel
import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Registers the key of this device for its user, beside the uploads of one run: see `DeviceRegistration`.
///
/// Nothing waits for it and nothing depends on it: what the key seals is uploaded, proven and deleted with and without.
struct DeviceRegistrar {
    /// How many rounds are left out at most while nobody answers.
    private static let maximumRest = 64
    /// How long an answer may make no progress, as somebody who ends the program may wait for it.
    private static let timeout = Duration.seconds(10)

    private struct Order: Encodable {
        let claim: String
    }

    private struct Answer: Decodable {
        let registration: String
    }

    private let key: DeviceKey
    private let user: User
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    /// Whether nothing is asked any more in this run.
    private var isOver = false
    /// How many rounds are left out before the next attempt, and how many after it.
    private var rest = 0
    private var nextRest = 1

    /// Begins a run, in which nothing was asked yet.
    init(key: DeviceKey, user: User, logger: @escaping @Sendable (SyncLogLevel, String) -> Void) {
        self.key = key
        self.user = user
        self.logger = logger
    }

    private var keys: KeyBook { user.book.receipts.keys }
    private var owner: EventOwner { EventOwner(app: user.appID, user: user.id) }
    private var file: OwnerFile { OwnerFile(path: user.book.folder.registration(of: key.publicKey, user: user.id)) }

    /// Registers the key when a round of uploads is over, unless that was done; what fails is tried in later rounds or runs.
    mutating func attend() async {
        guard !isOver else { return }
        guard rest == 0 else {
            rest -= 1
            return
        }
        do throws(TransportError) {
            // Known with the first receipt: a claim is for one server alone.
            guard let server = try keys.present() else { return }
            if try !isKept() { try await register(with: server) }
            isOver = true
        } catch {
            // Who ends the run has found out nothing.
            if !Task.isCancelled { settle(error) }
        }
    }

    private mutating func settle(_ error: TransportError) {
        let app = user.appID
        switch error.code {
        case .unreachable, .unavailable, .unauthorized, .malformedAnswer, .notKept:
            rest = nextRest
            nextRest = min(nextRest * 2, Self.maximumRest)
            logger(
                .info,
                "Events: the key of this device is not registered with the server of \(app) yet. \(error.message)"
            )
        default:
            isOver = true
            logger(
                .warn,
                "Events: the server of \(app) does not register the key of this device in this run. \(error.message)"
            )
        }
    }

    /// Whether the registration lies here, signed with a key that the server has or had.
    private func isKept() throws(TransportError) -> Bool {
        let bytes: [UInt8]?
        do {
            bytes = try file.read()
        } catch {
            throw .notKept("the registration of its key", error)
        }
        guard let bytes else { return false }
        let registration: DeviceRegistration
        do {
            registration = try DeviceRegistration(bytes)
        } catch {
            logger(.warn, "Events: \(file.path) is not what the server signed, and is asked for anew. \(error)")
            return false
        }
        return try isOurs(registration)
    }

    private func isOurs(_ registration: DeviceRegistration) throws(TransportError) -> Bool {
        let claim = registration.claim
        guard claim.owner == owner, claim.publicKey == key.publicKey else { return false }
        return try keys.receiptKeys().contains(claim.server)
    }

    private func register(with server: ServerKey) async throws(TransportError) {
        try user.book.receipts.log.check()
        let now = user.book.service.clock.now().wall
        let body: [UInt8]
        do {
            let claim = try DeviceKeyClaim(of: key, for: owner, to: server.bytes, at: now)
            body = Array(try JSONEncoder().encode(Order(claim: claim.text)))
        } catch {
            // A key that is locked away may sign later.
            throw TransportError(.unavailable, message: "The device cannot sign: \(error)")
        }
        let response = try await user.send(
            .post,
            "api/v1/device-keys",
            headers: ["accept": "application/json", "content-type": "application/json"],
            body: body,
            timeout: Self.timeout,
            maximumAnswerBytes: 4 * DeviceRegistration.maximumBytes
        )
        if response.status == 404, user.error(of: response).code == .rejected {
            throw TransportError(.rejected, message: "It is of an earlier version, which knows of no such thing.")
        }
        let answer = try ServerAnswer.decode(Answer.self, from: response, now: now)
        let registration = try await checked(answer.registration)
        do {
            try file.replace(with: registration.note.bytes)
        } catch {
            throw .notKept("the registration of its key", error)
        }
        logger(.info, "Events: the key of this device is registered with the server of \(user.appID).")
    }

    /// Reads what the server answered, and compares it with what was asked for.
    private func checked(_ text: String) async throws(TransportError) -> DeviceRegistration {
        let registration: DeviceRegistration
        do {
            registration = try DeviceRegistration(Array(text.utf8))
        } catch {
            throw .untrusted("answers with a registration that is none (\(error))")
        }
        if try isOurs(registration) { return registration }
        // The first one counts for ever: it may be of a key that the server had before this device knew it.
        _ = try keys.follow(try await successions())
        guard try isOurs(registration) else {
            throw .untrusted("has registered something else than the key of this device, or not with its own key")
        }
        return registration
    }

    private func successions() async throws(TransportError) -> [String] {
        do throws(LogDoubt) {
            return try await LogRequests(user: user).key()?.successions ?? []
        } catch {
            if case .away(let error) = error { throw error }
            return []
        }
    }
}
