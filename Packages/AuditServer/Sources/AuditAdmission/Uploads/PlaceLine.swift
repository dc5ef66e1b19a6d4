import DequeModule
import EventModel

/// The places of uploads, of which one network has a share at most, and who waits for one, in the order of arrival.
///
/// Whoever waits here costs an entry in a line; whoever waits in a route costs the stack of its task, some 25 KB.
struct PlaceLine {
    struct Waiter {
        let number: UploadGate.Number
        let network: ExactText
        let admitted: @Sendable () -> Void
    }

    private let share: Int
    private var free: Int
    /// How many places each network has.
    private var taken: [ExactText: Int] = [:]
    private var line: Deque<Waiter> = []
    private var nextNumber: UploadGate.Number = 0

    /// Creates a line that nobody waits in.
    init(places: Int, share: Int) {
        free = places
        self.share = share
    }

    var count: Int { line.count }

    private func hasPlace(for network: ExactText) -> Bool { free > 0 && taken[network, default: 0] < share }

    private mutating func take(_ network: ExactText) {
        free -= 1
        taken[network, default: 0] += 1
    }

    /// Takes a place, or a number in the line if there is none.
    mutating func enter(from network: ExactText, admitted: @escaping @Sendable () -> Void) -> UploadGate.Number? {
        if hasPlace(for: network) {
            take(network)
            return nil
        }
        let number = nextNumber
        nextNumber += 1
        line.append(Waiter(number: number, network: network, admitted: admitted))
        return number
    }

    /// Gives a place back, and returns who takes it.
    mutating func leave(_ network: ExactText) -> Waiter? {
        free += 1
        if let count = taken[network] { taken[network] = count > 1 ? count - 1 : nil }
        guard let index = line.firstIndex(where: { hasPlace(for: $0.network) }) else { return nil }
        let next = line.remove(at: index)
        take(next.network)
        return next
    }

    /// Leaves the line; false for who has a place already.
    mutating func giveUp(_ number: UploadGate.Number) -> Bool {
        guard let index = line.firstIndex(where: { $0.number == number }) else { return false }
        line.remove(at: index)
        return true
    }
}
