import AppKill
import ArgumentParser
import Foundation

/// What the processes of the app are told.
struct AppOptions: ParsableArguments {
    @Option(help: "The folder of the app.")
    var folder: String

    @Option(help: "The server.")
    var url: String

    /// The app that uploads events.
    @MainActor var app: KilledApp { KilledApp(folder: URL(fileURLWithPath: folder), url: url) }
    /// The device that shares a realm.
    @MainActor var device: KilledDevice { KilledDevice(folder: URL(fileURLWithPath: folder), url: url) }
}

/// `event-kill live`: the app, until it is killed.
struct LiveCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "live",
            abstract: "Records and uploads until it is killed.",
            shouldDisplay: false
        )
    }

    @Argument(help: "Which process this is.")
    var life: Int

    @Option(help: "Decides what is recorded.")
    var seed: UInt64

    @OptionGroup var options: AppOptions

    @MainActor
    func run() async throws { try await options.app.live(life, seed: seed) }
}

/// `event-kill finish`: the app, which uploads what is left.
struct FinishCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "finish",
            abstract: "Uploads what is left, and lists what is in the realm.",
            shouldDisplay: false
        )
    }

    @Argument(help: "Of which processes the objects are listed; none, and nothing is.")
    var lives: [Int] = []

    @OptionGroup var options: AppOptions

    @MainActor
    func run() async throws { try await options.app.finish(lives) }
}

/// `event-kill device`: a device that shares a realm, until it is killed.
struct DeviceCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "device",
            abstract: "Writes to a realm that syncs until it is killed.",
            shouldDisplay: false
        )
    }

    @Argument(help: "Which process this is.")
    var life: Int

    @Option(help: "Decides what is written.")
    var seed: UInt64

    @Flag(help: "Never waits until the server has what was written.")
    var alone = false

    @OptionGroup var options: AppOptions

    @MainActor
    func run() async throws { try await options.device.live(life, seed: seed, isAlone: alone) }
}

/// `event-kill settle`: the device, which sends what is left and gets what is new.
struct SettleCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "settle",
            abstract: "Sends what is left, gets what is new, and lists what is in the realm.",
            shouldDisplay: false
        )
    }

    @OptionGroup var options: AppOptions

    @MainActor
    func run() async throws { try await options.device.settle() }
}
