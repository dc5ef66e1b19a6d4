import Daybook
import ObjectStoreTesting
import Synchronization
import Testing

/// A call of the asynchronous API that fails, and where its caller goes on.
struct AsyncCall: Sendable, CustomTestStringConvertible {
    /// Fails in one way; returns whether the code behind the error runs where it belongs, nil when nothing failed.
    typealias Body =
        @Sendable (_ actor: isolated any Actor, _ caller: CallerActor, _ device: AsyncDevice) async throws -> Bool?

    let testDescription: String
    let body: Body

    init(_ name: String, _ body: @escaping Body) {
        testDescription = name
        self.body = body
    }

    /// Every public function of the umbrella that is asynchronous and throws, by each way in which it suspends and fails.
    static let all: [AsyncCall] = recording + opening + writing + accounts + uploads

    private static let recording: [AsyncCall] = [
        AsyncCall("a scope whose events cannot be stored is committed") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let scope = try #require(realm.events).beginScope(activity: "read")
            try realm.write { realm.create(Reading.self, value: ["value": 1]) }
            try #require(realm.eventDestination).files.close()
            do { try await scope.commit() } catch { return caller.isCurrent && realm.objects(Reading.self).count == 1 }
            return nil
        },
        AsyncCall("a scope whose events cannot be stored is persisted") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let scope = try #require(realm.events).beginScope(activity: "read")
            try realm.write { realm.create(Reading.self, value: ["value": 1]) }
            try #require(realm.eventDestination).files.close()
            do { try await scope.persist() } catch { return caller.isCurrent && realm.objects(Reading.self).count == 1 }
            return nil
        },
        AsyncCall("a scope that has ended is persisted") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let scope = try #require(realm.events).beginScope(activity: "read")
            try await scope.persist()
            do { try await scope.persist() } catch { return caller.isCurrent && realm.objects(Reading.self).isEmpty }
            return nil
        },
        AsyncCall("a scope that has ended is committed") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let scope = try #require(realm.events).beginScope(activity: "read")
            try await scope.commit()
            do { try await scope.commit() } catch { return caller.isCurrent && realm.objects(Reading.self).isEmpty }
            return nil
        },
        AsyncCall("a custom event cannot be stored") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let events = try #require(realm.events)
            try #require(realm.eventDestination).files.close()
            do {
                try await events.persistEvent(activity: "press", data: String(repeating: "x", count: 1 << 20))
            } catch { return caller.isCurrent && realm.objects(Reading.self).isEmpty }
            return nil
        },
        AsyncCall("a partition is closed whose files are closed already") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            let events = try #require(realm.events)
            try #require(realm.eventDestination).files.close()
            do { try await events.closePartition() } catch { return caller.isCurrent && realm.isEmpty }
            return nil
        },
    ]

    private static let opening: [AsyncCall] = [
        AsyncCall("a file that is no realm is opened") { actor, caller, device in
            let configuration = try device.damaged()
            do { _ = try await Realm.open(configuration: configuration) } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a file that is no realm is opened for a named actor") { actor, caller, device in
            let configuration = try device.damaged()
            do { _ = try await Realm(configuration: configuration, actor: actor) } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a realm is opened in a task that was cancelled") { actor, caller, device in
            let configuration = device.recording
            device.cancelTask()
            do { _ = try await Realm.open(configuration: configuration) } catch { return caller.isCurrent }
            return nil
        },
    ]

    private static let writing: [AsyncCall] = [
        AsyncCall("a transaction's block fails") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            do { try await realm.asyncWrite { throw AsyncDevice.Refusal() } } catch {
                return caller.isCurrent && realm.objects(Reading.self).isEmpty
            }
            return nil
        },
        AsyncCall("a transaction that waits for another one is cancelled") { actor, caller, device in
            let realm = try await Realm.open(configuration: device.recording)
            // Another thread holds the write lock, cancels the task that waits for it, and releases it.
            let (held, hold) = AsyncStream<Void>.makeStream()
            let thread = Thread {
                do {
                    let other = try Realm(configuration: device.recording)
                    try other.write {
                        hold.finish()
                        device.waitUntilAsked()
                        device.cancelTask()
                    }
                } catch { Issue.record(error) }
            }
            thread.start()
            for await _ in held {}
            device.ask()
            do { try await realm.asyncWrite {} } catch {
                return caller.isCurrent && realm.objects(Reading.self).isEmpty
            }
            return nil
        },
    ]

    private static let accounts: [AsyncCall] = [
        AsyncCall("a user logs in while the server is away") { actor, caller, device in
            do { _ = try await device.app.login(credentials: .userAPIKey("key")) } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a user logs in whose account cannot be saved") { actor, caller, device in
            _ = try await device.userWithoutServer()
            try device.blockAccounts()
            do { _ = try await device.userWithoutServer() } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a user registers while the server is away") { actor, caller, device in
            do {
                try await device.app.emailPasswordAuth.registerUser(email: "anna@ward.example", password: "password")
            } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a session is renewed while the server is away") { actor, caller, device in
            let user = try await device.userWithoutServer()
            do { try await user.refreshSession() } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a user is deleted while the server is away") { actor, caller, device in
            let user = try await device.userWithoutServer()
            do { try await user.delete() } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a user logs out whose account cannot be saved") { actor, caller, device in
            let user = try await device.userWithoutServer()
            try device.blockAccounts()
            do { try await user.logOut() } catch { return caller.isCurrent }
            return nil
        },
        AsyncCall("a user is removed whose account cannot be saved") { actor, caller, device in
            let user = try await device.userWithoutServer()
            try device.blockAccounts()
            do { try await user.remove() } catch { return caller.isCurrent }
            return nil
        },
    ]

    private static let uploads: [AsyncCall] = [
        AsyncCall("whoever waits for uploads is cancelled at a request") { actor, caller, device in
            let realm = try await device.realmWithUnsentEvent()
            let uploader = try #require(realm.eventDestination?.uploader)
            device.atNextRequest { device.cancelTask() }
            uploader.retryNow()
            do { try await uploader.waitForUploads() } catch { return caller.isCurrent && realm.isEmpty }
            return nil
        },
        AsyncCall("whoever uploads everything is cancelled at a request") { actor, caller, device in
            let realm = try await device.realmWithUnsentEvent()
            let uploader = try #require(realm.eventDestination?.uploader)
            device.atNextRequest { device.cancelTask() }
            uploader.retryNow()
            do { try await uploader.uploadEverything() } catch { return caller.isCurrent && realm.isEmpty }
            return nil
        },
        AsyncCall("whoever waits for uploads has to sign in first") { actor, caller, device in
            let realm = try await device.realmWithUnsentEvent()
            let uploader = try #require(realm.eventDestination?.uploader)
            try await #require(device.app.currentUser).logOut()
            uploader.retryNow()
            do { try await uploader.waitForUploads() } catch { return caller.isCurrent && realm.isEmpty }
            return nil
        },
    ]
}
