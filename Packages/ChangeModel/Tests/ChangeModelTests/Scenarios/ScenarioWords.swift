import ChangeModel
import ChangeModelTesting
import Testing

/// The devices and objects of all scenarios.
let deviceA: UInt32 = 1
let deviceB: UInt32 = 2
let deviceC: UInt32 = 3
let person = ObjectAddress.sample(1)
let other = ObjectAddress.sample(2)
let created = ObjectAddress.sample(9)

extension Scenario {
    /// What all have in the end, after it was checked that all have the same in every order of upload.
    func end(_ location: SourceLocation = #_sourceLocation) -> RealmContents {
        let outcome = outcome
        #expect(outcome.differences == [], sourceLocation: location)
        return outcome.contents
    }
}
