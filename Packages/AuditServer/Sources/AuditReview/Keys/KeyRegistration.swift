package import AuditModel
package import EventModel
package import EventProofs

/// That the key of a device was registered under a session: the statement that device and server signed.
package struct KeyRegistration: Sendable, Hashable, Codable {
    /// How many keys of one app are registered at most, so that users who come and go fill neither memory nor the trail.
    package static let maximumPerApp = 200_000

    /// Whose device it is.
    package let name: DeviceKeyName
    /// The statement, as `DeviceRegistration` reads it.
    package let text: String

    package init(_ registration: DeviceRegistration) {
        name = Self.name(registration.claim)
        text = registration.text
    }

    /// Names the key that a claim is about.
    package static func name(_ claim: DeviceKeyClaim) -> DeviceKeyName {
        DeviceKeyName(owner: claim.owner, publicKey: claim.publicKey)
    }
}

/// Where the registrations of keys lie in the auditors' trail; their texts stay there.
package struct RegisteredKeys: Sendable, Hashable {
    private var places: [DeviceKeyName: EntryPlace] = [:]
    private var ofOwners: [EventOwner: Int] = [:]
    private var ofApps: [ExactText: Int] = [:]

    /// Enters one; of several of the same key and user the first counts, as it was answered.
    mutating func add(_ name: DeviceKeyName, at place: EntryPlace) {
        if let known = places[name] {
            if place < known { places[name] = place }
            return
        }
        places[name] = place
        ofOwners[name.owner, default: 0] += 1
        ofApps[ExactText(name.app), default: 0] += 1
    }

    /// Returns where the registration of a key is; nil when there is none.
    package subscript(_ name: DeviceKeyName) -> EntryPlace? { places[name] }

    /// Returns how many keys a user has registered.
    package func count(of owner: EventOwner) -> Int { ofOwners[owner] ?? 0 }

    /// Returns how many keys the users of an app have registered.
    package func count(ofApp app: String) -> Int { ofApps[ExactText(app)] ?? 0 }

    /// Returns the registrations behind a time and an id, the oldest first.
    ///
    /// - Complexity: O(*n* log *n*) in the registrations behind it.
    package func page(
        behind last: (time: EventInstant, id: ObjectId)?,
        limit: Int
    ) -> [ReviewBook.Placed<DeviceKeyName>] {
        let rest = places.filter { place in last.map { $0 < (place.value.time, place.value.id) } ?? true }
        return rest.sorted { $0.value < $1.value }.prefix(limit)
            .map { ReviewBook.Placed(value: $0.key, place: $0.value) }
    }
}
