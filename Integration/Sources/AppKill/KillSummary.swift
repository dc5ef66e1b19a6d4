/// What a loop of kills did, which can be added up.
public protocol KillSummary: Sendable {
    /// Nothing yet.
    init()
    /// How many processes were killed.
    var killedProcesses: Int { get }
    /// Adds what another run did.
    static func += (left: inout Self, right: Self)
}
