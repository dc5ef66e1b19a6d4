#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#endif

/// Names the running thread at the cost of one call: what an instance is confined to.
@frozen
@usableFromInline
struct ConfinedThread: Equatable, Sendable {
    @usableFromInline let bits: UInt

    @inlinable
    init(bits: UInt) { self.bits = bits }

    /// The thread that runs this code.
    @inlinable
    static var current: ConfinedThread {
        #if canImport(Darwin)
        ConfinedThread(bits: UInt(bitPattern: pthread_self()))
        #else
        ConfinedThread(bits: UInt(pthread_self()))
        #endif
    }

    /// What the running code finds its instance of a file by: the same on all threads of the main queue.
    static var instanceKey: UInt { MainQueue.isCurrent ? 0 : current.bits }
}
