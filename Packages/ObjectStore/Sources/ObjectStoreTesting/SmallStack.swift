import Foundation

/// Runs work on a thread with the stack that threads of Apple's systems have.
public func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
        let thread = Thread { continuation.resume(returning: Result { try body() }) }
        thread.stackSize = 512 << 10
        thread.start()
    }
    return try result.get()
}
