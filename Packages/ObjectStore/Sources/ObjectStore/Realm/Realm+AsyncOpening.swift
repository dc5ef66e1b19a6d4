public import Dispatch

extension Realm {
    /// Opens a realm on another thread and hands it to a queue, which it is confined to.
    ///
    /// - Parameters:
    ///   - configuration: The file and how it is used.
    ///   - callbackQueue: The serial queue that the instance will belong to.
    ///   - callback: Called on the queue with the realm, or with what opening throws.
    /// - Returns: What cancels the opening.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration,
        callbackQueue: DispatchQueue = .main,
        callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        let opening = RealmOpening(configuration, in: .of(callbackQueue))
        DispatchQueue.global()
            .async {
                let made = Result { try opening.made() }
                callbackQueue.async {
                    guard !task.isCancelled else { return }
                    callback(Result { Realm(core: try opening.arrived(try made.get())) })
                }
            }
        return task
    }
}
