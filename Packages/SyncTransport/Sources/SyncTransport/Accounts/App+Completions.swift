// The forms with completions, for programs that are not asynchronous yet. Each has to start a task of its own, because its
// caller does not wait; the task ends with the call of the completion.

extension App {
    /// Logs a user in, as ``login(credentials:)`` does.
    ///
    /// - Parameters:
    ///   - credentials: What the user proves to be the user with.
    ///   - completion: Called once, on any thread, with the user or a ``SyncTransportError``.
    public func login(
        credentials: Credentials,
        _ completion: @escaping @Sendable (Result<User, any Error>) -> Void
    ) {
        Task { completion(await Completion.result { try await self.login(credentials: credentials) }) }
    }
}

extension User {
    /// Forgets the tokens, as ``logOut()`` does.
    ///
    /// - Parameter completion: Called once, on any thread, with nil or a ``SyncTransportError``.
    public func logOut(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        Task { completion(await Completion.error { try await self.logOut() }) }
    }

    /// Forgets the user on this device, as ``remove()`` does.
    ///
    /// - Parameter completion: Called once, on any thread, with nil or a ``SyncTransportError``.
    public func remove(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        Task { completion(await Completion.error { try await self.remove() }) }
    }

    /// Removes the user on the server, as ``delete()`` does.
    ///
    /// - Parameter completion: Called once, on any thread, with nil or a ``SyncTransportError``.
    public func delete(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
        Task { completion(await Completion.error { try await self.delete() }) }
    }
}

extension EmailPasswordAuth {
    /// Registers a user, as ``registerUser(email:password:)`` does.
    ///
    /// - Parameters:
    ///   - email: The address; letters of either case are the same.
    ///   - password: The password; the server says what it asks of one.
    ///   - completion: Called once, on any thread, with nil or a ``SyncTransportError``.
    public func registerUser(
        email: String,
        password: String,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task {
            completion(await Completion.error { try await self.registerUser(email: email, password: password) })
        }
    }
}

/// What an asynchronous call came to, as a value.
private enum Completion {
    static func result<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    static func error(_ body: @Sendable () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}
