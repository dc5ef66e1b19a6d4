import EventModel

// The rules for one scope, each on its own, in the order in which the documentation says them.
extension PlainRecording {
    struct ExpectedEvent {
        let kind: String
        let time: EventInstant
        let version: Int
        var payload: PlainEvent.Payload
    }

    /// An object of a read event, and which capture brought it.
    private struct Member {
        let name: PlainCapture.Name
        let index: Int
    }

    /// A read or a write before links are expanded.
    private struct Draft {
        let time: EventInstant
        let version: Int
        let className: String
        var members: [Member] = []
        var written: String?
    }

    /// The events of a scope's captures.
    func expectedEvents(of captures: [PlainCapture]) -> [ExpectedEvent] {
        drafts(of: captures)
            .map { draft in
                if let written = draft.written {
                    return ExpectedEvent(
                        kind: "write",
                        time: draft.time,
                        version: draft.version,
                        payload: .text(written)
                    )
                }
                let objects = draft.members.map { shown($0.name, after: $0.index, in: captures, inside: []) }
                return ExpectedEvent(
                    kind: "read",
                    time: draft.time,
                    version: draft.version,
                    payload: .read(className: draft.className, objects: objects)
                )
            }
    }

    // MARK: - Merging

    /// Merges queries and reads, with two memories: the last query and the last object.
    private func drafts(of captures: [PlainCapture]) -> [Draft] {
        var drafts: [Draft] = []
        var lastQuery: (index: Int, className: String, version: Int, foundNothing: Bool)?
        var lastObject: PlainCapture.Name?
        for (index, capture) in captures.enumerated() {
            switch capture.kind {
            case .write(let payload, let version):
                drafts.append(Draft(time: capture.time, version: version, className: "", written: payload))
            case .emptyWrite:
                lastQuery = nil
                lastObject = nil
            case .query(let className, let keys, let version):
                let matches = keys.map { Member(name: .init(className, $0, version: version), index: index) }
                if let query = lastQuery, query.className == className, query.version == version,
                    query.foundNothing == keys.isEmpty
                {
                    drafts[query.index].members += matches
                } else {
                    lastQuery = (drafts.count, className, version, keys.isEmpty)
                    lastObject = nil
                    drafts.append(
                        Draft(time: capture.time, version: version, className: className, members: matches)
                    )
                }
            case .read(let name), .follow(_, _, let name, _):
                let member = Member(name: name, index: index)
                if let query = lastQuery, query.className == name.className, query.version == name.version,
                    !query.foundNothing
                {
                    drafts[query.index].members.append(member)
                } else if lastObject != name {
                    drafts.append(
                        Draft(
                            time: capture.time,
                            version: name.version,
                            className: name.className,
                            members: [member]
                        )
                    )
                    lastObject = name
                    lastQuery = nil
                }
            }
        }
        // Each object is once in an event, where it was first.
        for index in drafts.indices {
            var seen: Set<PlainCapture.Name> = []
            drafts[index].members = drafts[index].members.filter { seen.insert($0.name).inserted }
        }
        return drafts
    }

    // MARK: - Expanding

    /// An object with the targets of each property that was followed from it after a capture, and theirs in turn.
    private func shown(
        _ name: PlainCapture.Name,
        after index: Int,
        in captures: [PlainCapture],
        inside path: [PlainCapture.Name]
    ) -> PlainEvent.Shown {
        var followed: [String: [PlainEvent.Shown]] = [:]
        for capture in captures.dropFirst(index + 1) {
            guard case .follow(let parent, let property, _, let all) = capture.kind, parent == name else { continue }
            guard followed[property] == nil else { continue }
            followed[property] = all.filter { $0 != name && !path.contains($0) }
                .map { shown($0, after: index, in: captures, inside: path + [name]) }
        }
        return PlainEvent.Shown(name: name, followed: followed)
    }
}
