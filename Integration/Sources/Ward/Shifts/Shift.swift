public import Daybook

/// Replays what one nurse does in a shift: each step is a scope or a custom event of its own.
///
/// The steps depend only on the seed and on the chart, so two replays over equal charts record equal events.
public struct Shift {
    let realm: Realm
    let events: Events
    let nurse: Nurse
    let number: Int
    let ledger: StepLedger
    let now: () -> Date
    let didStep: (Int) -> Void
    var random: ShiftGenerator
    var step = 0

    /// How many steps a nurse takes, for a progress bar.
    public static func stepCount(rounds: Int) -> Int { 3 + rounds * 10 + 4 }

    /// Creates a shift.
    ///
    /// - Parameters:
    ///   - realm: The chart, opened with an event configuration.
    ///   - events: The recorder of the realm.
    ///   - nurse: Who works.
    ///   - number: Which shift of the ward it is, from 1.
    ///   - ledger: Where completed steps are noted.
    ///   - now: The time of entries in the chart.
    ///   - didStep: Called with the count of steps done, after each.
    public init(
        realm: Realm,
        events: Events,
        nurse: Nurse,
        number: Int,
        ledger: StepLedger,
        now: @escaping () -> Date,
        didStep: @escaping (Int) -> Void
    ) {
        self.realm = realm
        self.events = events
        self.nurse = nurse
        self.number = number
        self.ledger = ledger
        self.now = now
        self.didStep = didStep
        let name = nurse.username.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
        random = ShiftGenerator(seed: name &+ UInt64(number))
    }

    /// Replays the shift.
    ///
    /// - Parameter rounds: How many patients the nurse sees.
    /// - Throws: When the chart cannot be written.
    public mutating func replay(rounds: Int) throws {
        signIn()
        let patients = Array(realm.objects(Patient.self).sorted(byKeyPath: "_id").map(\._id))
        for _ in 0..<rounds {
            guard let patient = patients.randomElement(using: &random) else { break }
            try visit(patient)
        }
        try handOver(patients)
    }

    private mutating func signIn() {
        press("signed in", data: ["nurse": nurse.name])
        show("ward list")
        record("review ward list") { shift in
            // Results map lazily: what nobody reads was not shown.
            for patient in shift.realm.objects(Patient.self).sorted(byKeyPath: "_id") { _ = patient.name?.family }
        }
    }

    /// One round at a bed: look, enter, correct, remove.
    private mutating func visit(_ patient: String) throws {
        show("chart")
        openChart(patient)
        reviewVitals(patient)
        glance(patient)
        press("pressed Enter vital sign")
        let entered = try enterVitalSign(patient)
        try correct(entered)
        press("pressed Save")
        let mistaken = try enterVitalSign(patient)
        try remove(mistaken)
    }

    /// The end of a shift: the hand-over overlaps the medication check.
    private mutating func handOver(_ patients: [String]) throws {
        show("hand-over")
        let handOver = begin("hand-over")
        _ = realm.objects(Encounter.self).filter("status == %@", "in-progress").first
        let medication = begin("medication check")
        let orders = realm.objects(MedicationRequest.self).filter("status == %@", "active")
        for order in orders { _ = order.patient?.name?.family }
        commit(handOver)
        _ = patients.first.flatMap { realm.object(ofType: Patient.self, forPrimaryKey: $0) }
        commit(medication)
        press("signed off")
    }
}
