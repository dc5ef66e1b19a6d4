public import ChangeModel
public import EventModel

/// The promises of every `SyncedStore`, to be checked against live ones and fakes alike.
public struct SyncedStoreConformance {
    /// A file that syncs, as the kit plays with it.
    public struct Subject {
        let store: any SyncedStore
        let commit: ([ChangeOperation]) throws -> Void
        let value: (ObjectAddress, CellPath) throws -> CellValue?
        let close: () throws -> Void

        /// Creates a subject.
        ///
        /// - Parameters:
        ///   - store: The store of a new file whose schema has the kit's class, with an integer key and the properties
        ///     `name`, a text, and `age`, an integer, both of which may be null.
        ///   - commit: Commits operations as an app does that makes these changes.
        ///   - value: Returns the value of a property that an app sees; nil where the object is not there.
        ///   - close: Closes the file, which ends the streams of the store.
        public init(
            store: any SyncedStore,
            commit: @escaping ([ChangeOperation]) throws -> Void,
            value: @escaping (ObjectAddress, CellPath) throws -> CellValue?,
            close: @escaping () throws -> Void
        ) {
            self.store = store
            self.commit = commit
            self.value = value
            self.close = close
        }
    }

    let person: ObjectAddress
    let other: ObjectAddress
    private let make: () throws -> Subject

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - className: The stored name of the class that the files have.
    ///   - make: Makes a new file for each promise.
    public init(className: ExactText = "Person", make: @escaping () throws -> Subject) {
        person = ObjectAddress(className, .int(1))
        other = ObjectAddress(className, .int(2))
        self.make = make
    }

    /// Checks every promise on a file of its own, and returns those that are broken, as sentences.
    public func brokenPromises() async -> [String] {
        let promises: [(sentence: String, check: (Subject) throws -> String?)] = [
            ("A binding is kept, and another one refused.", binding),
            ("Pending changes come in order, within the bytes, but one at least.", pendingInOrder),
            ("A change that was sent keeps its bytes, and others get the server's time.", corrected),
            ("Acknowledged changes stay pending until their entries.", acknowledged),
            ("Entries are integrated in order, all or none.", inOrder),
            ("An own entry that was not acknowledged is refused.", unacknowledged),
            ("A refused write is undone and told.", rejected),
            ("A pending write stays over an older one.", pendingStays),
            ("A snapshot goes on from its cursor and keeps what is pending.", snapshot),
            ("A snapshot takes away what the realm has no more.", takenAway),
            ("A change that was acknowledged before a snapshot is in it.", inSnapshot),
            ("A snapshot leaves an object that was made anew as it is.", madeAnew),
            ("An object of a snapshot is passed over by older entries.", newerObject),
        ]
        var broken: [String] = []
        for promise in promises {
            do {
                if let wrong = try promise.check(make()) { broken.append("\(promise.sentence) \(wrong)") }
            } catch {
                broken.append("\(promise.sentence) It threw: \(error)")
            }
        }
        do {
            if let wrong = try await toldOnce(make()) { broken.append("Commits are told, several at once. \(wrong)") }
        } catch {
            broken.append("Commits are told, several at once. It threw: \(error)")
        }
        return broken
    }

    private func toldOnce(_ subject: Subject) async throws -> String? {
        let commits = subject.store.commits()
        try subject.commit([person.create()])
        try subject.commit([person.set("age", 1)])
        try subject.close()
        // Both commits and the end are behind us, so that this waits for nothing.
        let count = await commits.reduce(0) { count, _ in count + 1 }
        return count == 1 ? nil : "There are \(count) elements."
    }
}
