/// How many devices share how many realms, what they do, and how bad their networks are.
public struct RealmLoadOptions: Sendable, Hashable {
    /// How many devices there are.
    public var devices: Int
    /// How many realms there are; device *n* is one of realm *n* modulo this number.
    public var realms: Int
    /// How many devices are in the foreground at once, with a realm that is open.
    public var foreground: Int
    /// For how long devices work, in seconds; what waits then is exchanged over a network without faults.
    public var seconds: Double
    /// How many steps each device takes at most; what comes first ends its work.
    public var steps: Int
    /// The longest time that a device rests between two steps, in milliseconds; 0 for none, and then networks come back at once.
    public var restMilliseconds: Int
    /// For how many seconds the server keeps entries while devices work; nil keeps them all.
    public var historySeconds: Double?
    /// Decides what is written and what goes wrong; when is decided by the machine.
    public var seed: UInt64
    /// How much memory the server may ever have, in megabytes.
    public var serverMegabytes: Double
    /// After how many seconds a device that waits in the end hangs; nil where that is not to be decided by time.
    public var patienceSeconds: Double?

    /// Creates options.
    public init(
        devices: Int = 1000,
        realms: Int = 100,
        foreground: Int = .max,
        seconds: Double = 60,
        steps: Int = .max,
        restMilliseconds: Int = 4000,
        historySeconds: Double? = nil,
        seed: UInt64,
        serverMegabytes: Double = 250,
        patienceSeconds: Double? = 300
    ) {
        self.devices = devices
        self.realms = realms
        self.foreground = foreground
        self.seconds = seconds
        self.steps = steps
        self.restMilliseconds = restMilliseconds
        self.historySeconds = historySeconds
        self.seed = seed
        self.serverMegabytes = serverMegabytes
        self.patienceSeconds = patienceSeconds
    }
}
