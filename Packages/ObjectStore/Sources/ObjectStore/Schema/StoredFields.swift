/// One stored property of a class as reflection reports it.
struct StoredField {
    let name: String
    let type: Any.Type
    let offset: Int

    /// The stored properties of a class and of its superclasses, those of the superclasses first.
    static func all(of type: Any.Type) -> [StoredField] {
        (0..<recursiveCount(type))
            .map { index in
                var description = FieldDescription()
                let fieldType = fieldMetadata(type, index, &description)
                defer { description.free?(description.name) }
                return StoredField(
                    name: description.name.map { String(cString: $0) } ?? "",
                    type: fieldType,
                    offset: fieldOffset(type, index)
                )
            }
    }
}

// The entry points that `Mirror` is made of; they also tell offsets, which `Mirror` does not.

private struct FieldDescription {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldMetadata(_: Any.Type, _ index: Int, _ description: UnsafeMutablePointer<FieldDescription>) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_: Any.Type, _ index: Int) -> Int
