import Daybook

/// Which requests of a device meet faults, and what they are for.
enum LinkTraffic: Sendable {
    /// Uploads of events.
    case events
    /// What synced realms exchange.
    case realms

    /// What a request is for.
    struct Route: Sendable, Hashable {
        /// The name that it is counted under.
        let name: String
        /// Whether it brings what the device recorded, so that it may come late and again.
        let isUpload: Bool
    }

    /// Returns what a request is for; nil for one that meets no faults.
    func route(of request: HTTPRequest) -> Route? {
        switch self {
        case .events:
            return request.headers["content-type"] == PartitionStretch.mediaType
                ? Route(name: "events", isUpload: true) : nil
        case .realms:
            guard request.url.contains("/api/v1/sync/") else { return nil }
            let name = request.url.prefix { $0 != "?" }.split(separator: "/").last ?? ""
            guard name == "changes" else { return Route(name: String(name), isUpload: false) }
            return request.method == .post
                ? Route(name: "changes", isUpload: true) : Route(name: "entries", isUpload: false)
        }
    }
}
