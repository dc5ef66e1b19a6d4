import Testing

@Suite("A process that is killed in front of any of its calls")
struct KillPointTests {
    /// What else happens on the device.
    enum Circumstance: String, CaseIterable, CustomTestStringConvertible {
        case alone = "nobody else looks at the files"
        case neighbour = "another process uploads and deletes what the dead one has left"
        case otherRealm = "another realm of the same account is opened first"
        case fastUpload = "everything is uploaded and deleted before the recorder knows that it is stored"

        var testDescription: String { rawValue }
    }

    /// Runs a device on which one process after the other dies, and says what is wrong in the end.
    ///
    /// - Parameters:
    ///   - deaths: The call that each process does not live to make.
    ///   - circumstance: What else happens.
    /// - Returns: What is wrong, in sentences, and how many calls the last of the processes made.
    /// - Throws: What a process throws that nobody killed.
    private static func run(_ deaths: [Int?], _ circumstance: Circumstance) throws -> (problems: [String], calls: Int) {
        let device = try MortalDevice()
        var calls = 0
        for (number, death) in deaths.enumerated() {
            let uploadsAtOnce = circumstance == .fastUpload
            calls = DeviceProcess(device, number: number + 1, dyingAt: death, uploadsAtOnce: uploadsAtOnce).run()
            if circumstance == .neighbour { try device.uploadLeftovers() }
            if circumstance == .otherRealm {
                try DeviceProcess(device, number: number + 1, dyingAt: nil).openAnotherRealm()
            }
        }
        _ = DeviceProcess(device, number: 8, dyingAt: nil).run()
        try DeviceProcess(device, number: 9, dyingAt: nil).recover()
        try device.uploadLeftovers()
        return (device.problems + device.leftovers, calls)
    }

    @Test("what is promised is stored once, and nothing twice", arguments: Circumstance.allCases)
    func killed(_ circumstance: Circumstance) throws {
        let alive = try Self.run([nil], circumstance)
        #expect(alive.problems == [])
        #expect(alive.calls > 200)

        for call in 1...alive.calls {
            let problems = try Self.run([call], circumstance).problems
            #expect(problems == [], "call \(call)")
        }
    }

    @Test("nor when the process is killed that recovers what it left", arguments: Circumstance.allCases)
    func killedAgain(_ circumstance: Circumstance) throws {
        let calls = try Self.run([nil], circumstance).calls
        let recovering = try Self.run([nil, nil], circumstance).calls

        for call in 1...calls {
            // A step of its own for each call, so that the second death comes everywhere.
            let death = call * 31 % recovering + 1
            let problems = try Self.run([call, death], circumstance).problems
            #expect(problems == [], "calls \(call) and \(death)")
        }
    }
}
