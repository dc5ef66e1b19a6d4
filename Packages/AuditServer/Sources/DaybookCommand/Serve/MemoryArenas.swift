#if canImport(Glibc)
import Glibc
#endif

/// How the C library of Linux keeps memory that is free again.
enum MemoryArenas {
    /// Lets all threads share two arenas.
    ///
    /// Without it glibc has eight arenas for each core, each of which keeps what its busiest moment took: with a thousand devices
    /// some 15 MB more than with two. Other systems need no such bound.
    static func bound() {
        #if canImport(Glibc)
        // A number that is refused leaves things as they are.
        _ = mallopt(M_ARENA_MAX, 2)
        #endif
    }
}
