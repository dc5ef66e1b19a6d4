#if canImport(Combine)
public import Combine

extension Events {
    /// Records an event of the program's own; the future is fulfilled when it is durable.
    ///
    /// The event is recorded at the call, whether or not anybody subscribes.
    @_disfavoredOverload
    public func recordEvent(
        activity: String,
        eventType: String? = nil,
        data: String? = nil
    ) -> Future<Void, any Error> {
        Future { promise in
            let promise = PromiseBox(fulfil: promise)
            recordEvent(activity: activity, eventType: eventType, data: data) { promise.complete($0) }
        }
    }
}

extension Events.Scope {
    /// Ends the scope; the future is fulfilled when what it recorded is durable.
    ///
    /// The scope is committed at the call, whether or not anybody subscribes.
    @_disfavoredOverload
    public func commit() -> Future<Void, any Error> {
        Future { promise in
            let promise = PromiseBox(fulfil: promise)
            self.commit(completion: { promise.complete($0) })
        }
    }
}

private struct PromiseBox: @unchecked Sendable {
    // SAFETY: Combine allows a promise to be fulfilled from any thread; a completion is called once.
    let fulfil: Future<Void, any Error>.Promise

    func complete(_ error: (any Error)?) {
        fulfil(error.map { .failure($0) } ?? .success(()))
    }
}
#endif
