/// How much load there is, and how bad the network is.
public struct LoadOptions: Sendable, Hashable {
    /// How many devices there are.
    public var devices: Int
    /// How many attack the server beside them.
    public var attackers: Int
    /// For how long devices record, in seconds; what waits then is uploaded over a network without faults.
    public var seconds: Double
    /// How often each device records at most; what comes first ends the recording.
    public var rounds: Int
    /// The longest time that a device rests between two rounds, in milliseconds; 0 for none.
    public var restMilliseconds: Int
    /// Decides what is recorded and what goes wrong; when is decided by the machine.
    public var seed: UInt64
    /// How much memory the server may ever have, in megabytes.
    public var serverMegabytes: Double

    /// Creates options.
    public init(
        devices: Int = 1000,
        attackers: Int = 0,
        seconds: Double = 60,
        rounds: Int = .max,
        restMilliseconds: Int = 2000,
        seed: UInt64,
        serverMegabytes: Double = 150
    ) {
        self.devices = devices
        self.attackers = attackers
        self.seconds = seconds
        self.rounds = rounds
        self.restMilliseconds = restMilliseconds
        self.seed = seed
        self.serverMegabytes = serverMegabytes
    }
}
