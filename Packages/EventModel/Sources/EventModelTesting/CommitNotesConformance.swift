public import EventModel

/// The rules that every `CommitNotes` keeps, to be run against live ones and fakes alike.
public struct CommitNotesConformance {
    /// A file with notes, as the kit plays with it.
    public struct Subject {
        let notes: any CommitNotes
        let commit: ((any CommitNote)?) throws -> CommittedNote?
        let rollBack: (any CommitNote) throws -> Void
        let reopened: () throws -> Subject

        /// Creates a subject.
        ///
        /// - Parameters:
        ///   - notes: The notes of the file.
        ///   - commit: Commits a transaction that changes something, with a note or without.
        ///   - rollBack: Begins a transaction with a note and rolls it back.
        ///   - reopened: Opens the file again as the next process does, without closing this one in peace.
        public init(
            notes: any CommitNotes,
            commit: @escaping ((any CommitNote)?) throws -> CommittedNote?,
            rollBack: @escaping (any CommitNote) throws -> Void,
            reopened: @escaping () throws -> Subject
        ) {
            self.notes = notes
            self.commit = commit
            self.rollBack = rollBack
            self.reopened = reopened
        }
    }

    private let make: () throws -> Subject
    private let own = ObjectId(high: 1, low: 1)
    private let other = ObjectId(high: 2, low: 2)

    /// Creates the kit.
    ///
    /// - Parameter make: Makes a new file without notes for each rule.
    public init(make: @escaping () throws -> Subject) {
        self.make = make
    }

    /// Runs every rule on a file of its own and returns those that are broken, as sentences.
    public func brokenRules() -> [String] {
        let rules: [(sentence: String, check: (Subject) throws -> String?)] = [
            ("A new file has no notes.", empty),
            ("A committed note is there, byte for byte, in the order of commits, with growing keys.", committed),
            ("A note that was rolled back is not there.", rolledBack),
            ("Released notes of a stream go with the next transaction, and no others.", released),
            ("What was not released is there when the file is opened again.", reopened),
            ("Keys of a stream grow also after all its notes are gone.", keysAfterRelease),
        ]
        return rules.compactMap { rule in
            do {
                return try rule.check(make()).map { "\(rule.sentence) \($0)" }
            } catch {
                return "\(rule.sentence) It threw: \(error)"
            }
        }
    }

    private func commit(_ bytes: [UInt8], _ stream: ObjectId, to subject: Subject) throws -> KeptNote {
        let note = SampleNote(bytes, stream: stream)
        guard let committed = try subject.commit(note), committed.note === note, let key = committed.key else {
            throw NoteIsMissing()
        }
        return KeptNote(key: key, stream: stream, bytes: bytes)
    }

    private func empty(_ subject: Subject) throws -> String? { difference(try subject.notes.kept(), from: []) }

    private func committed(_ subject: Subject) throws -> String? {
        let large = [UInt8](repeating: 7, count: 20_000)
        let expected = try [
            commit([], own, to: subject), commit([1, 2, 0, 3], other, to: subject), commit(large, own, to: subject),
        ]
        guard try subject.commit(nil) == nil else { return "A transaction without a note has one." }
        guard expected.map(\.key) == expected.map(\.key).sorted(), Set(expected.map(\.key)).count == 3 else {
            return "The keys are \(expected.map(\.key))."
        }
        return difference(try subject.notes.kept(), from: expected)
    }

    private func rolledBack(_ subject: Subject) throws -> String? {
        let first = try commit([1], own, to: subject)
        try subject.rollBack(SampleNote([2], stream: own))
        let third = try commit([3], own, to: subject)
        return difference(try subject.notes.kept(), from: [first, third])
    }

    private func released(_ subject: Subject) throws -> String? {
        let notes = try [
            commit([1], own, to: subject), commit([2], other, to: subject), commit([3], own, to: subject),
            commit([4], own, to: subject),
        ]
        subject.notes.release(own, through: notes[2].key)
        try subject.rollBack(SampleNote([5], stream: own))
        if let difference = difference(try subject.notes.kept(), from: notes) {
            return "After a rollback: \(difference)"
        }
        let last = try commit([6], own, to: subject)
        return difference(try subject.notes.kept(), from: [notes[1], notes[3], last])
    }

    private func reopened(_ subject: Subject) throws -> String? {
        let notes = try [commit([1], own, to: subject), commit([2], own, to: subject)]
        subject.notes.release(own, through: notes[0].key)
        _ = try subject.commit(nil)
        subject.notes.release(own, through: notes[1].key)
        let next = try subject.reopened()
        if let difference = difference(try next.notes.kept(), from: [notes[1]]) { return difference }
        next.notes.release(own, through: notes[1].key)
        _ = try next.commit(nil)
        return difference(try next.notes.kept(), from: [])
    }

    private func keysAfterRelease(_ subject: Subject) throws -> String? {
        let first = try commit([1], own, to: subject)
        subject.notes.release(own, through: first.key)
        _ = try subject.commit(nil)
        let second = try commit([2], own, to: subject)
        guard second.key > first.key else { return "\(second.key) follows \(first.key)." }
        return difference(try subject.notes.kept(), from: [second])
    }

    private func difference(_ notes: [KeptNote], from expected: [KeptNote]) -> String? {
        notes == expected ? nil : "There are \(notes) instead of \(expected)."
    }
}

private struct NoteIsMissing: Error {}
