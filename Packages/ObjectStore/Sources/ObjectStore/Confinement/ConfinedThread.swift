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

    /// No thread: equal to none that runs.
    static var none: ConfinedThread { ConfinedThread(bits: 0) }

    /// The thread that runs this code.
    @inlinable
    static var current: ConfinedThread {
        #if canImport(Darwin)
        ConfinedThread(bits: UInt(bitPattern: pthread_self()))
        #else
        ConfinedThread(bits: UInt(pthread_self()))
        #endif
    }
}

extension ConfinedThread: CustomStringConvertible {
    /// Names the thread in messages.
    @usableFromInline var description: String { "the thread 0x\(String(bits, radix: 16))" }
}
