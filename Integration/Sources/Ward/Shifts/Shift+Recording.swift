import Daybook
import Foundation

extension Shift {
    /// A scope with the step that its events carry.
    struct OpenStep {
        let scope: Events.Scope
        let name: String
        let number: Int
    }

    /// Begins the next step as a scope.
    mutating func begin(_ activity: String) -> OpenStep {
        let name = nextStep()
        return OpenStep(scope: events.beginScope(activity: activity), name: name, number: step)
    }

    /// Commits a step's scope and notes it when it is durable.
    func commit(_ open: OpenStep) {
        let ledger = ledger
        let name = open.name
        open.scope.commit { error in ledger.note(name, error: error) }
        didStep(step)
    }

    /// Writes to the chart; a write that fails ends the step, too, and nothing of it is recorded.
    func write(in open: OpenStep, _ changes: (Realm) -> Void) throws {
        do {
            try realm.write(changes)
        } catch {
            open.scope.cancel()
            throw error
        }
    }

    /// Takes a step that only reads.
    mutating func record(_ activity: String, _ reads: (Shift) -> Void) {
        let open = begin(activity)
        reads(self)
        commit(open)
    }

    /// Records that a screen was shown.
    mutating func show(_ screen: String) {
        note(activity: "show \(screen)", type: "screen", data: ["screen": screen])
    }

    /// Records that a button was pressed.
    mutating func press(_ button: String, data: [String: String] = [:]) {
        note(activity: button, type: "button", data: data)
    }

    private mutating func note(activity: String, type: String, data: [String: String]) {
        let name = nextStep()
        let ledger = ledger
        events.recordEvent(activity: activity, eventType: type, data: json(data)) { error in
            ledger.note(name, error: error)
        }
        didStep(step)
    }

    /// Counts the step and puts it, with the nurse, into the metadata of what is recorded next.
    private mutating func nextStep() -> String {
        step += 1
        let name = "\(number)/\(nurse.username)/\(step)"
        events.updateMetadata(["nurse": nurse.username, "shift": "\(number)", "step": name])
        return name
    }

    private func json(_ data: [String: String]) -> String? {
        guard !data.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // A dictionary of strings always has a JSON form, so nil here only ever means "no data".
        return (try? encoder.encode(data)).map { String(decoding: $0, as: UTF8.self) }
    }
}
