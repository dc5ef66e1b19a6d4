import Synchronization

/// The packers that no call uses at the moment.
final class PackerPool: Sendable {
    /// How many packers are kept; more are made when more calls pack at once, and go afterwards.
    private static let kept = 4

    /// The pool of the process: a packer knows nothing of the contents that it has packed.
    static let shared = PackerPool()

    private let idle = Mutex<[ContentPacker]>([])

    /// Packs a content; nil when it would not become smaller, or when there is no memory for a packer.
    func pack(_ content: UnsafeRawBufferPointer) -> [UInt8]? {
        guard content.count >= ContentPacker.minimum else { return nil }
        guard let packer = idle.withLock({ $0.popLast() }) ?? ContentPacker() else { return nil }
        defer {
            idle.withLock { idle in
                if idle.count < Self.kept { idle.append(packer) }
            }
        }
        return packer.pack(content)
    }
}
