#if !canImport(ObjectiveC)
/// Walks the type metadata of every loaded image and picks the classes that derive from the model classes.
///
/// Only descriptors are read until a class is known to be a model: nothing else in the process is realized.
final class MetadataScan {
    private(set) var classes: [ObjectBase.Type] = []
    private let roots: Set<UnsafeRawPointer>

    init() {
        roots = Set(ModelClasses.bases.compactMap { TypeDescriptor(of: $0)?.address })
    }

    func run() {
        enumerateSections(
            { sections, context in
                guard let sections, let context else { return true }
                Unmanaged<MetadataScan>.fromOpaque(context).takeUnretainedValue().visit(sections)
                return true
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func visit(_ sections: UnsafeRawPointer) {
        // Four words (version, base address, two unused), then pairs of start and length; the third pair holds types.
        let word = MemoryLayout<UInt>.size
        guard sections.load(as: UInt.self) <= 5 else { return }
        let start = sections.load(fromByteOffset: 8 * word, as: UInt.self)
        let length = sections.load(fromByteOffset: 9 * word, as: Int.self)
        guard let records = UnsafeRawPointer(bitPattern: start) else { return }
        for position in stride(from: 0, to: length, by: 4) {
            guard let descriptor = TypeDescriptor(record: records + position), derives(descriptor) else { continue }
            if let type = descriptor.type as? ObjectBase.Type { classes.append(type) }
        }
    }

    private func derives(_ descriptor: TypeDescriptor) -> Bool {
        guard descriptor.isPlainClass else { return false }
        var ancestor = descriptor.superclass
        while let current = ancestor {
            if roots.contains(current.address) { return true }
            guard current.isPlainClass else { return false }
            ancestor = current.superclass
        }
        return false
    }
}

/// The compiler's description of a type, as the binary holds it.
private struct TypeDescriptor {
    let address: UnsafeRawPointer

    private init(_ address: UnsafeRawPointer) { self.address = address }

    /// Follows a record of the type section: a relative pointer whose lowest bits say what it points at.
    init?(record: UnsafeRawPointer) {
        let offset = Int(record.load(as: Int32.self))
        guard offset != 0 else { return nil }
        let target = record + (offset & ~3)
        switch offset & 3 {
        case 0: self.init(target)
        case 1: self.init(target.load(as: UnsafeRawPointer.self))
        default: return nil
        }
    }

    /// The description of a class that exists: in its metadata, behind kind, superclass, two words, flags and sizes.
    init?(of type: AnyClass) {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        // On Linux: kind, superclass, flags and address point (8), size and alignment (8), class size and address
        // point (8), then the descriptor.
        self.init(metadata.load(fromByteOffset: 40, as: UnsafeRawPointer.self))
    }

    private var flags: UInt32 { address.load(as: UInt32.self) }

    /// Whether this is a class and not generic.
    var isPlainClass: Bool { flags & 0x1F == 16 && flags & 0x80 == 0 }

    /// The description of the superclass, when it is a plain reference.
    var superclass: TypeDescriptor? {
        let field = address + 20
        let offset = Int(field.load(as: Int32.self))
        guard offset != 0 else { return nil }
        // A mangled name that is one symbolic reference: the byte says direct or indirect, a relative pointer follows.
        let name = field + offset
        let reference = name + 1
        let target = reference + Int(reference.loadUnaligned(as: Int32.self))
        switch name.load(as: UInt8.self) {
        case 1: return TypeDescriptor(target)
        case 2: return TypeDescriptor(target.loadUnaligned(as: UnsafeRawPointer.self))
        default: return nil
        }
    }

    /// The class itself, made ready for use.
    var type: Any.Type? {
        let field = address + 12
        let offset = Int(field.load(as: Int32.self))
        guard offset != 0 else { return nil }
        // The accessor returns the class and a state in two registers, of which the first is what C would return.
        typealias Accessor = @convention(c) (_ request: Int) -> UnsafeRawPointer
        let accessor = unsafeBitCast(field + offset, to: Accessor.self)
        return unsafeBitCast(accessor(0), to: Any.Type.self)
    }
}

@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateSections(
    _ body: @convention(c) (_ sections: UnsafeRawPointer?, _ context: UnsafeMutableRawPointer?) -> Bool,
    _ context: UnsafeMutableRawPointer
)
#endif
