import EventModelTesting

/// A network that loses, repeats, delays and reorders what it carries, as a seed says, and cuts devices off for a
/// while.
public struct SimulatedNetwork<Message: Sendable>: Sendable {
    private struct Letter: Sendable {
        let message: Message
        let device: Int
        let arrival: Int
    }

    private var random: SeededGenerator
    private var letters: [Letter] = []
    private var cutUntil: [Int: Int] = [:]
    private var time = 0
    /// Whether everything arrives at once, as it does in the end.
    public var isCalm = false

    /// Starts the network of a seed.
    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// How many messages are on their way.
    public var count: Int { letters.count }

    /// Sends a message from or to a device; one of six is lost, one of six arrives twice, and all may overtake each
    /// other.
    public mutating func send(_ message: Message, device: Int) {
        guard !isCalm else {
            letters.append(Letter(message: message, device: device, arrival: time))
            return
        }
        guard time >= cutUntil[device] ?? 0, !random.once(in: 6) else { return }
        for _ in 0..<(random.once(in: 6) ? 2 : 1) {
            letters.append(Letter(message: message, device: device, arrival: time + random.below(12)))
        }
    }

    /// Lets a moment pass, in which a device may be cut off.
    ///
    /// - Parameter devices: How many devices there are.
    /// - Returns: What arrives in it, in any order.
    public mutating func pass(devices: Int) -> [Message] {
        time += 1
        if !isCalm, random.once(in: 40) { cutUntil[random.below(devices)] = time + 10 + random.below(30) }
        let arrived = letters.filter { $0.arrival <= time && (isCalm || time >= cutUntil[$0.device] ?? 0) }
        letters.removeAll { $0.arrival <= time }
        return arrived.map(\.message).shuffled(using: &random)
    }
}
