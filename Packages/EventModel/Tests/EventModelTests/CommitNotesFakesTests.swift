import EventModel
import EventModelTesting
import Synchronization
import Testing

@Suite("Notes of commits in memory")
struct CommitNotesFakesTests {
    private static func subject(_ notes: InMemoryCommitNotes) -> CommitNotesConformance.Subject {
        CommitNotesConformance.Subject(
            notes: notes,
            commit: { notes.commit($0) },
            rollBack: { _ in },
            reopened: {
                notes.endProcess()
                return subject(notes)
            }
        )
    }

    @Test("they keep the rules of notes")
    func conformance() {
        let kit = CommitNotesConformance { Self.subject(InMemoryCommitNotes()) }

        #expect(kit.brokenRules() == [])
    }

    @Test("notes that forget, that stay after a rollback, or that go too early are found out")
    func liars() {
        let forgetful = CommitNotesConformance {
            let notes = InMemoryCommitNotes()
            return .init(
                notes: notes,
                commit: { note in note.map { CommittedNote($0, key: 1) } },
                rollBack: { _ in },
                reopened: { Self.subject(notes) }
            )
        }
        let leaky = CommitNotesConformance {
            let notes = InMemoryCommitNotes()
            return .init(
                notes: notes,
                commit: { notes.commit($0) },
                rollBack: { notes.commit($0) },
                reopened: { Self.subject(notes) }
            )
        }

        #expect(forgetful.brokenRules().count == 5)
        #expect(leaky.brokenRules().count == 2)
    }
}
