#if canImport(Glibc)
import Glibc

/// The C library's allocator, which by its defaults keeps what a busy minute once took.
///
/// Each of its up to eight arenas for a core keeps what its threads freed, and blocks of up to 32 MB are no longer given back once
/// one of them was freed: while an auditor read half a million events, the server grew to 290 MB, most of it freed long before.
enum SystemAllocator {
    private struct Parameter {
        /// The parameter of `mallopt`, and the variable by which an operator sets it.
        let number: Int32
        let variable: String
        let value: Int32
    }

    /// Two arenas, and blocks from a megabyte on, such as pages of listings, go back to the system as soon as they are freed.
    private static let parameters = [
        Parameter(number: -8, variable: "MALLOC_ARENA_MAX", value: 2),
        Parameter(number: -3, variable: "MALLOC_MMAP_THRESHOLD_", value: 1_048_576),
        Parameter(number: -1, variable: "MALLOC_TRIM_THRESHOLD_", value: 2_097_152),
    ]

    /// Makes it give memory back, but for what the environment says otherwise.
    static func giveMemoryBack() {
        // Swift's module of the C library leaves its header out, and not every C library has the function.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let set = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        for parameter in parameters where getenv(parameter.variable) == nil {
            _ = set(parameter.number, parameter.value)
        }
    }
}
#else
/// The system's allocator, which gives memory back by itself.
enum SystemAllocator {
    static func giveMemoryBack() {}
}
#endif
