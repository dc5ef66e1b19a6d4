import Foundation
import Testing

/// Devices that are processes of their own.
@Suite("Scenarios on real files: a device that is killed")
struct KilledDeviceStoryTests {
    /// Starts a device on a server.
    private func device(_ name: String, _ arguments: [String], on ward: WardUnderTest) throws -> StartedProgram {
        let folder = ward.folder.appending(path: name).path
        return try StartedProgram("event-kill", arguments + ["--folder", folder, "--url", ward.url])
    }

    /// What a device has when it has sent and got everything.
    private func settled(_ name: String, on ward: WardUnderTest) throws -> [String] {
        let program = try device(name, ["settle"], on: ward)
        let lines = program.remainingLines()
        let result = program.wait()
        #expect(result.code == 0, "\(result.errors)")
        return lines
    }

    @Test("S82: what an app had committed when it was killed, before it was sent, is sent at its next start")
    func killedBeforeItIsSent() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        // Signs in, and has the realm.
        #expect(try settled("a", on: ward).contains("position 0"))

        ward.killServer()
        let life = try device("a", ["device", "1", "--seed", "7", "--alone"], on: ward)
        var promised: [String] = []
        while promised.count < 20, let line = life.nextLine() {
            if line.hasPrefix("done ") { promised.append(String(line.dropFirst(5))) }
        }
        life.kill()
        try ward.restartServer()
        // What was killed is not there for others before its next start.
        #expect(try settled("b", on: ward).contains("position 0"))

        let sent = try settled("a", on: ward)
        for key in promised { #expect(sent.contains { $0.hasPrefix("trace \(key) ") }, "\(key) is lost") }
        #expect(try settled("b", on: ward) == sent)
        #expect(try settled("c, which is new", on: ward) == sent)
    }
}
