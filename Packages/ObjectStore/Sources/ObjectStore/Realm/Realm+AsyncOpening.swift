public import Dispatch

extension Realm {
    /// Opens a realm on another thread and hands it to a queue, which it is confined to.
    ///
    /// A realm that syncs gets what the server has before, always, as in RealmSwift.
    ///
    /// - Parameters:
    ///   - configuration: The file and how it is used.
    ///   - callbackQueue: The serial queue that the instance will belong to.
    ///   - callback: Called on the queue with the realm, or with what opening or the download throws.
    /// - Returns: What cancels the opening.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration,
        callbackQueue: DispatchQueue = .main,
        callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        let opening = RealmOpening(configuration, in: .of(callbackQueue))
        @Sendable func open(_ downloaded: Result<(any InstanceCompanion)?, any Swift.Error>) {
            DispatchQueue.global()
                .async {
                    let made = downloaded.flatMap { _ in Result { try opening.made() } }
                    callbackQueue.async {
                        defer { withExtendedLifetime(downloaded) {} }
                        task.end()
                        guard !task.isCancelled else { return }
                        callback(Result { Realm(core: try opening.arrived(try made.get())) })
                    }
                }
        }
        guard configuration.attachment is any OpeningAttachment else {
            open(.success(nil))
            return task
        }
        let work = Task {
            do {
                open(.success(try await opening.downloaded(.always, reporting: task.didTransfer)))
            } catch {
                open(.failure(error))
            }
        }
        task.hold(work)
        return task
    }
}
