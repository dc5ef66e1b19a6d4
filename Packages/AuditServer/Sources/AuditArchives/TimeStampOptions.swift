package import ArgumentParser
import TimeStamping

/// What `daybook verify` is told to verify time-stamps with.
package struct TimeStampOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time-stamp of the checkpoint in the proof, as /log/time-stamps has it.",
            valueName: "file"
        ),
        completion: .file()
    )
    package var timeStamp: String?

    @Option(
        help: ArgumentHelp(
            "The root certificates of the authority of time that you believe, as PEM.",
            valueName: "file"
        ),
        completion: .file()
    )
    package var authority: String?

    package init() {}

    package func validate() throws {
        guard timeStamp == nil || authority != nil else {
            throw ValidationError("--time-stamp needs --authority: whose clock is believed is for you to say.")
        }
    }

    /// Whose time-stamps are believed; nil when nobody asks for any.
    ///
    /// - Throws: ``CommandError`` when the file cannot be read.
    func trust() throws -> TimeStampTrust? { try authority.map { try TimeStampTrust(reading: $0) } }
}
