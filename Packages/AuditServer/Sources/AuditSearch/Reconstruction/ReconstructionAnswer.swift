package import AuditModel
import EventModel

/// A reconstruction as the console gets it: each value with the place of its event in ``sources``.
package struct ReconstructionAnswer: Sendable, Encodable {
    /// The most bytes of a value; of a longer one the size is told, and the event has it.
    private static let maximumBytes = 65_536

    /// A value.
    package struct Claim: Sendable, Encodable {
        /// The value as JSON; nil when it is too long.
        package let value: String?
        /// Its size in bytes.
        package let bytes: Int
        /// How the event came to hold it.
        package let origin: Reconstruction.Origin
        /// The event's place in the sources.
        package let source: Int
    }

    /// A property.
    package struct Field: Sendable, Encodable {
        /// Its name.
        package let name: String
        /// What the person had been shown last, or had written.
        package let shown: Claim?
        /// Whether the last time that the record was shown, this property was not.
        package let isOlder: Bool
        /// What the server knows and the person had not been shown.
        package let known: Claim?
        /// Whether that is from before what was shown.
        package let isKnownEarlier: Bool
    }

    /// An object with the same key inside another one.
    package struct Mention: Sendable, Encodable {
        /// The outer object.
        package let within: EventObject
        /// What stood there.
        package let fields: [Property]
        /// The event's place in the sources.
        package let source: Int

        /// A property and its value as JSON.
        package struct Property: Sendable, Encodable {
            package let name: String
            package let value: String?
        }
    }

    /// An event that a value stands in.
    package struct Source: Sendable, Encodable {
        /// The event in short.
        package let line: SearchLine
        /// Whether it is the person's own.
        package let isOwn: Bool
        /// Whether it had happened by then, by its device's clock.
        package let hadHappened: Bool
        /// Whether the server had received it by then.
        package let wasReceived: Bool
    }

    /// The moment, by the device's clock.
    package let moment: String
    /// What the person last knew of the record as a whole.
    package let state: Reconstruction.State
    /// The person's event that deleted it.
    package let deletion: Int?
    /// Somebody else's event that had deleted it.
    package let knownDeletion: Int?
    /// The properties by name.
    package let fields: [Field]
    /// Objects with the same key inside others.
    package let mentions: [Mention]
    /// The events that are named.
    package let sources: [Source]
    /// Texts that are keys of objects which the server knows.
    package let links: [String]
    /// How many events about the object were read that are the person's own.
    package let ownEvents: Int
    /// How many others.
    package let otherEvents: Int
    /// How many could not be read, because they are damaged.
    package let damagedEvents: Int
    /// Whether these are all that the server has.
    package let isComplete: Bool

    package init(
        _ record: Reconstruction,
        of material: ReconstructionReader.Material,
        at moment: ReconstructionMoment,
        links: [String]
    ) {
        var places: [EventAddress: Int] = [:]
        var addresses: [EventAddress] = []
        func place(of address: EventAddress) -> Int {
            if let place = places[address] { return place }
            addresses.append(address)
            places[address] = addresses.count - 1
            return addresses.count - 1
        }
        func claim(_ claim: Reconstruction.Claim) -> Claim {
            let bytes = claim.value.utf8.count
            return Claim(
                value: bytes > Self.maximumBytes ? nil : claim.value,
                bytes: bytes,
                origin: claim.origin,
                source: place(of: claim.source)
            )
        }
        self.moment = moment.wall.description
        state = record.state
        deletion = record.deletion.map(place)
        knownDeletion = record.knownDeletion.map(place)
        fields = record.fields.map {
            Field(
                name: $0.name,
                shown: $0.shown.map(claim),
                isOlder: $0.isOlder,
                known: $0.known.map(claim),
                isKnownEarlier: $0.isKnownEarlier
            )
        }
        mentions = record.mentions.map { mention in
            Mention(
                within: EventObject(objectClass: mention.objectClass, key: mention.key ?? "", action: .read),
                fields: mention.fields.map {
                    .init(name: $0.name, value: $0.value.utf8.count > Self.maximumBytes ? nil : $0.value)
                },
                source: place(of: mention.source)
            )
        }
        let observed = Dictionary(material.observations.map { ($0.address, $0) }) { first, _ in first }
        sources = addresses.compactMap { address in
            guard let line = material.lines[address], let observation = observed[address] else { return nil }
            return Source(
                line: line,
                isOwn: observation.isOwn,
                hadHappened: moment.includes(observation),
                wasReceived: moment.hasReceived(observation)
            )
        }
        self.links = links
        ownEvents = material.observations.filter(\.isOwn).count
        otherEvents = material.observations.count - ownEvents
        damagedEvents = material.damaged
        isComplete = material.isComplete
    }
}
