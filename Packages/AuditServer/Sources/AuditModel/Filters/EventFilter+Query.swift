package import EventModel

extension EventFilter {
    /// The filter as the query of a request.
    package var query: [ExactText: String] {
        var query: [ExactText: String] = [:]
        query["partition"] = partition?.value
        query["app"] = app
        query["person"] = person
        query["class"] = objectClass
        query["key"] = objectKey
        query["activity"] = activity
        query["event"] = event
        query["outcome"] = outcome?.rawValue
        query["boot"] = boot
        query["device"] = device.map { Hexadecimal.text($0) }
        query["text"] = text
        query["since"] = since?.description
        query["until"] = until?.description
        query["receivedSince"] = receivedSince?.description
        query["receivedUntil"] = receivedUntil?.description
        for (key, value) in metadata { query[ExactText("metadata.\(key)")] = value }
        return query
    }
}
