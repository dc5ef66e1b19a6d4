import EventModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension ObjectSnapshot {
    /// Whether a slot holds another value than in an earlier snapshot of the same object.
    ///
    /// Stored values are compared, not their JSON: a decimal that got more zeros, a date that moved by less than a
    /// millisecond, an integer that became a floating-point number and data all count. NaN equals itself.
    ///
    /// - Complexity: O(*n*) in the bytes of the value.
    func differs(from before: ObjectSnapshot, in slot: Int) -> Bool {
        let isMissing = isNull(slot)
        guard isMissing == before.isNull(slot) else { return !isEmptyCollection(slot, before) }
        guard !isMissing else { return false }
        let property = shape.properties[slot]
        if property.isPacked {
            guard let value = packedValue(slot), let old = before.packedValue(slot) else { return false }
            return !bytes(slot).isSame(as: before.bytes(slot)) && value.differs(from: old)
        }
        switch property.kind {
        case .int, .bool: return int(slot) != before.int(slot)
        case .double, .date: return double(slot).differs(from: before.double(slot))
        case .float: return Double(float(slot)).differs(from: Double(before.float(slot)))
        case .string, .data, .objectId, .uuid, .decimal128: return !bytes(slot).isSame(as: before.bytes(slot))
        case .any, .link, .embedded: return false
        }
    }

    /// Whether one snapshot has no collection and the other one without elements, which is the same.
    private func isEmptyCollection(_ slot: Int, _ before: ObjectSnapshot) -> Bool {
        guard shape.properties[slot].collection != .none else { return false }
        return (packedValue(slot) ?? before.packedValue(slot))?.count == 0
    }
}

extension PackedValue {
    /// Whether this is another value than an earlier one whose bytes differ.
    ///
    /// Embedded objects carry their version in their bytes, and dictionaries have no order: both are compared part by
    /// part.
    fileprivate func differs(from before: PackedValue) -> Bool {
        guard tag == before.tag else { return true }
        switch tag {
        case .null, .false, .true: return false
        case .int: return int != before.int
        case .float: return Double(float).differs(from: Double(before.float))
        case .double, .date: return double.differs(from: before.double)
        case .string, .data: return !bytes.isSame(as: before.bytes)
        case .objectId: return objectId != before.objectId
        case .uuid: return uuid != before.uuid
        case .decimal128:
            return decimal128.high != before.decimal128.high || decimal128.low != before.decimal128.low
        case .link:
            return linkKey != before.linkKey || linkClassName != before.linkClassName
                || linkPrimaryKey.differs(from: before.linkPrimaryKey)
        case .embedded:
            let (embedded, old) = (embedded, before.embedded)
            return embedded.shape.properties.indices.contains { embedded.differs(from: old, in: $0) }
        case .list:
            return count != before.count || zip(elements, before.elements).contains { $0.differs(from: $1) }
        case .dictionary:
            return count != before.count
                || zip(sortedEntries, before.sortedEntries)
                    .contains { entry, old in !entry.key.isSame(as: old.key) || entry.value.differs(from: old.value) }
        }
    }

    private var elements: [PackedValue] {
        var elements: [PackedValue] = []
        elements.reserveCapacity(count)
        forEachElement { elements.append($0) }
        return elements
    }
}

extension Double {
    /// Whether this is another number; NaN equals NaN, but 0 is not -0, which has another text.
    fileprivate func differs(from before: Double) -> Bool {
        bitPattern != before.bitPattern && !(isNaN && before.isNaN)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both have the same bytes.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left, right, count) == 0
    }
}
