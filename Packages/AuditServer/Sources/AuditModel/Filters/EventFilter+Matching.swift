import EventModel

extension EventFilter {
    /// Returns whether a listing looks at the events of a partition at all.
    ///
    /// What auditors did is listed when their app or a partition is named, and never among the events of devices.
    package func includes(_ record: PartitionRecord) -> Bool {
        guard access.includes(record.partition, of: record.owner) else { return false }
        if let device, record.seal?.publicKey != device { return false }
        if let partition { return record.partition == partition }
        return app.map { $0.hasSameBytes(as: record.app) } ?? (record.app != TrailEvent.app)
    }

    /// Returns whether an event fits; one whose columns are damaged fits every filter, so that nobody misses it.
    ///
    /// The device is not compared, as it is the partition's: see `includes(_:)`.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload when an object or a text is looked for, else O(1).
    public func matches(_ stored: StoredEvent) -> Bool {
        if let owner = stored.owner, !access.includes(stored.partition, of: owner) { return false }
        if let partition, stored.partition != partition { return false }
        if stored.isRepeated && !includesRepeated { return false }
        if let app, let owner = stored.owner, !owner.app.hasSameBytes(as: app) { return false }
        guard let found = stored.event else { return stored.erasure == nil || fitsErased(stored) }
        if let activity, !found.activity.hasSameBytes(as: activity) { return false }
        if let event, !(found.event?.hasSameBytes(as: event) ?? false) { return false }
        if let since, found.timestamp < since { return false }
        if let until, found.timestamp >= until { return false }
        if let outcome, stored.outcome != outcome { return false }
        if let boot, found.clock.boot.hex != boot { return false }
        guard isReceived(stored.received) else { return false }
        if !asksForContent { return true }
        // Whatever a search finds an event by, it shows.
        guard let shown = masks.shown(stored).event else { return true }
        guard hasMetadata(shown), isOf(person, shown, stored.owner) else { return false }
        return hasObject(shown) && hasText(shown)
    }

    /// Whether it asks for what the app recorded, of which values may be masked.
    private var asksForContent: Bool {
        person != nil || objectClass != nil || objectKey != nil || text != nil || !metadata.isEmpty
    }

    /// Returns whether an erased event fits, of which only its place, its owner and its receipt are known.
    ///
    /// Who asks for erased events finds them by the time of their receipt, as no other is left.
    private func fitsErased(_ stored: StoredEvent) -> Bool {
        if let outcome, outcome != .erased { return false }
        if let person, !(stored.owner?.user.hasSameBytes(as: person) ?? false) { return false }
        if [activity, event, boot, objectClass, objectKey, text].contains(where: { $0 != nil }) { return false }
        guard metadata.isEmpty, isReceived(stored.received) else { return false }
        if since == nil && until == nil { return true }
        guard outcome == .erased, let received = stored.received else { return false }
        return since.map { received >= $0 } ?? true && until.map { received < $0 } ?? true
    }

    private func isReceived(_ received: EventInstant?) -> Bool {
        if receivedSince == nil && receivedUntil == nil { return true }
        // Files know nothing of a server, so that no event of theirs was received at any time.
        guard let received else { return false }
        if let receivedSince, received < receivedSince { return false }
        if let receivedUntil, received >= receivedUntil { return false }
        return true
    }

    private func hasMetadata(_ event: AuditEvent) -> Bool {
        metadata.allSatisfy { key, value in
            event.metadata.entries.contains { entry in
                entry.key.hasSameBytes(as: key.string) && entry.value.hasSameBytes(as: value)
            }
        }
    }

    private func isOf(_ person: String?, _ event: AuditEvent, _ owner: EventOwner?) -> Bool {
        guard let person else { return true }
        return owner?.user.hasSameBytes(as: person) ?? false
            || event.metadata.entries.contains { $0.value.hasSameBytes(as: person) }
    }

    private func hasObject(_ event: AuditEvent) -> Bool {
        guard let objectKey else {
            guard let objectClass else { return true }
            // Also the class of a search that found no object.
            return EventObject.classes(in: event).contains { $0.hasSameBytes(as: objectClass) }
        }
        return !EventObject.visit(in: event) { [objectClass] object in
            guard object.key.hasSameBytes(as: objectKey) else { return true }
            return objectClass != nil && object.objectClass != nil && !object.isOf(objectClass)
        }
    }

    private func hasText(_ event: AuditEvent) -> Bool {
        guard let text else { return true }
        let search = TextSearch(text)
        return search.isFound(in: event.activity.utf8)
            || event.event.map { search.isFound(in: $0.utf8) } ?? false
            || event.data.map { search.isFound(in: $0) } ?? false
            || event.metadata.entries.contains { search.isFound(in: $0.value.utf8) }
    }
}

extension EventObject {
    /// Returns whether the object is of a class, in the same bytes.
    package func isOf(_ name: String?) -> Bool {
        guard let objectClass, let name else { return objectClass == nil && name == nil }
        return objectClass.hasSameBytes(as: name)
    }
}
