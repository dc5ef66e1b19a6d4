import Synchronization

/// Figures that a benchmark measures one after the other.
final class FigureSource: Sendable {
    private let rest: Mutex<ArraySlice<Double>>

    init(_ figures: [Double]) { rest = Mutex(figures[...]) }

    /// The next figure; 0 when there is none left.
    func next() -> Double { rest.withLock { $0.popFirst() ?? 0 } }
}
