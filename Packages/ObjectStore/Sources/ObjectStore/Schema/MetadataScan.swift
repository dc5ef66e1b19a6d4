#if !canImport(ObjectiveC)
/// Walks the type metadata of every loaded image and picks the classes that derive from the model classes.
///
/// Only descriptors are read until a class is known to be a model: nothing else in the process is realized. The layout is that of
/// `swift/ABI/Metadata.h`, which no API speaks of: ``differences()`` says what a toolchain changed, and a test asks it.
final class MetadataScan {
    private(set) var classes: [ObjectBase.Type] = []
    /// The versions of sections that the scan does not know, and whose classes it therefore does not find.
    private(set) var unknownVersions: Set<UInt> = []
    /// The latest version of sections that it knows.
    private static let latestVersion: UInt = 5
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
        let version = sections.load(as: UInt.self)
        guard version <= Self.latestVersion else {
            unknownVersions.insert(version)
            return
        }
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

// MARK: - Toolchains

extension MetadataScan {
    /// What the records of the running program have otherwise than the scan reads them, as sentences; none while it finds all classes.
    ///
    /// A layout that is different enough ends the process instead: ask in one that may end.
    static func differences() -> [String] {
        var differences: [String] = []
        for type in ModelClasses.bases {
            let name = "\(type)"
            guard let descriptor = TypeDescriptor(of: type), descriptor.isPlainClass, descriptor.name == name else {
                differences.append("The metadata of '\(name)' does not lead to its description.")
                continue
            }
            if descriptor.superclass?.name != "\(ObjectBase.self)" {
                differences.append("The description of '\(name)' does not lead to that of its superclass.")
            }
            if descriptor.type.map({ $0 == type }) != true {
                differences.append("The description of '\(name)' does not lead to the class.")
            }
        }
        guard differences.isEmpty else { return differences }
        let scan = MetadataScan()
        scan.run()
        return scan.unknownVersions.sorted()
            .map { "The types of an image lie in sections of the unknown version \($0)." }
    }
}

// MARK: - Descriptions

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

    /// The name of the type, without its module.
    var name: String? {
        let field = address + 8
        let offset = Int(field.load(as: Int32.self))
        guard offset != 0 else { return nil }
        return String(cString: (field + offset).assumingMemoryBound(to: CChar.self))
    }

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
