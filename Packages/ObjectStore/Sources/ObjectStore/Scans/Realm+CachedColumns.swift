import Dispatch

extension Realm {
    /// Gives back the memory of the columns that queries look through, of all files; the next queries read them again.
    ///
    /// On Apple's systems this happens by itself when memory gets short. Elsewhere nobody tells a process, so that a program calls it
    /// when it knows; ``Configuration/maximumColumnCacheSize`` bounds the memory everywhere.
    ///
    /// It may be called on any thread.
    public static func removeCachedColumns() { FileCoordinator.removeCachedColumns() }
}

#if canImport(Darwin)
/// Tells all files when the system is short of memory.
enum MemoryPressure {
    private static let source: any DispatchSourceMemoryPressure = {
        let source = DispatchSource.makeMemoryPressureSource(
            eventMask: [.warning, .critical],
            queue: .global(qos: .utility)
        )
        source.setEventHandler { FileCoordinator.removeCachedColumns() }
        source.activate()
        return source
    }()

    /// Begins to watch, once for the process.
    static func watch() { _ = source }
}
#endif
