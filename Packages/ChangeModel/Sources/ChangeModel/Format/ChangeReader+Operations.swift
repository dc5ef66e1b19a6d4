import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ChangeReader {
    /// Reads operations with their count, which is at most a limit.
    mutating func operations(limit: Int = .max) throws(ChangeModelError) -> [ChangeOperation] {
        var operations: [ChangeOperation] = []
        for _ in 0..<(try count(limit: limit)) {
            let kind = try byte()
            let object = try object()
            operations.append(ChangeOperation(object, try action(kind)))
        }
        return operations
    }

    /// Reads what follows a kind and an object.
    mutating func action(_ kind: UInt8) throws(ChangeModelError) -> ChangeOperation.Action {
        switch kind {
        case 1: return .create(given: try cells(), defaults: try cells())
        case 2: return .delete
        case 3: return .set(try path(), try value())
        case 4: return .add(try path(), try signed())
        case 5: return .listInsert(try path(), try element(), before: try elementOrEnd(), try value())
        case 6: return .listRemove(try path(), try element())
        case 7: return .listSet(try path(), try element(), try value())
        case 8: return .listMove(try path(), try element(), before: try elementOrEnd())
        case 9: return .clear(try path())
        case 10: return .setInsert(try path(), try value())
        case 11: return .setRemove(try path(), try value())
        case 12: return .mapSet(try path(), try text(limit: ChangeLimits.keyBytes), try value())
        case 13: return .mapRemove(try path(), try text(limit: ChangeLimits.keyBytes))
        case 14: return .embeddedNew(try path(), try element(), try cells())
        case 15:
            let path = try path()
            guard let kind = Life.Kind(rawValue: try byte()) else { throw malformed("A life has no such kind.") }
            return .collectionNew(path, Life(try element(), kind))
        case 16: return .post(try text(limit: ChangeLimits.valueBytes))
        default: throw malformed("An operation has no such kind.")
        }
    }

    mutating func object() throws(ChangeModelError) -> ObjectAddress {
        let className = try name()
        return ObjectAddress(className, try key())
    }

    /// Reads a primary key.
    mutating func key() throws(ChangeModelError) -> PrimaryKey {
        switch try byte() {
        case 0: return .null
        case 3: return .int(try fixed(Int64.self))
        case 6: return .string(try text(limit: ChangeLimits.keyBytes))
        case 9: return .objectId(try objectId())
        case 10: return .uuid(try uuid())
        default: throw malformed("A primary key has no such type.")
        }
    }

    private mutating func cells() throws(ChangeModelError) -> ChangeOperation.Cells {
        let count = try count()
        guard count > 0 else { return [:] }
        var elements: [ChangeOperation.Cells.Element] = []
        // A reader takes no memory for what is not there, whatever the count says.
        elements.reserveCapacity(min(count, 64))
        readNames.removeAll(keepingCapacity: true)
        for _ in 0..<count {
            let number = try number()
            readNames.append(number)
            elements.append((try name(number), try value()))
        }
        if readNames != orderedNames {
            guard ChangeOperation.Cells.areInOrder(elements) else {
                return ChangeOperation.Cells(inOrder: try inOrder(elements))
            }
            swap(&readNames, &orderedNames)
        }
        return ChangeOperation.Cells(inOrder: elements)
    }

    /// Puts the cells that were read last into the order of their names, which are those of ``readNames``.
    ///
    /// No device of ours sends them otherwise, so that somebody who does must not make it dear: names are compared once for all cells.
    private mutating func inOrder(
        _ elements: [ChangeOperation.Cells.Element]
    ) throws(ChangeModelError) -> [ChangeOperation.Cells.Element] {
        let ranks = ranksOfNames()
        let order = readNames.enumerated().map { (rank: ranks[Int($1)], index: $0) }.sorted { $0.rank < $1.rank }
        for (left, right) in zip(order, order.dropFirst()) where left.rank == right.rank {
            throw malformed("A property is there twice.")
        }
        return order.map { elements[$0.index] }
    }

    private mutating func path() throws(ChangeModelError) -> CellPath {
        let count = try count()
        guard count <= CellPath.maximumDepth else { throw malformed("A path is too deep.") }
        var steps: [CellPath.Step] = []
        for _ in 0..<count {
            switch try byte() {
            case 1: steps.append(.property(try name()))
            case 2: steps.append(.life(try element()))
            case 3: steps.append(.key(try text(limit: ChangeLimits.keyBytes)))
            case 4: steps.append(.element(try element()))
            case 5: steps.append(.member(try value()))
            default: throw malformed("A step has no such kind.")
            }
        }
        return CellPath(steps: steps)
    }

    private mutating func value() throws(ChangeModelError) -> CellValue {
        switch try byte() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return .int(try fixed(Int64.self))
        case 4: return .float(Float(bitPattern: try fixed(UInt32.self)))
        case 5: return .double(Double(bitPattern: try fixed(UInt64.self)))
        case 6: return .string(try text(limit: ChangeLimits.valueBytes))
        case 7:
            let count = try count()
            guard count <= ChangeLimits.valueBytes else {
                throw .tooLarge(bytes: count, limit: ChangeLimits.valueBytes)
            }
            return .data(Array(try raw(count)))
        case 8: return .date(Double(bitPattern: try fixed(UInt64.self)))
        case 9: return .objectId(try objectId())
        case 10: return .uuid(try uuid())
        case 11:
            let low = try fixed(UInt64.self)
            return .decimal128(Decimal128(high: try fixed(UInt64.self), low: low))
        case 12: return .link(try object())
        case 13: return .life(Life(try element(), .list))
        case 14: return .life(Life(try element(), .dictionary))
        case 15: return .life(Life(try element(), .embedded))
        case 16: return .anyLink(try object())
        default: throw malformed("A value has no such type.")
        }
    }

    mutating func objectId() throws(ChangeModelError) -> ObjectId {
        let high = try fixed(UInt64.self)
        return ObjectId(high: high.byteSwapped, low: try fixed(UInt32.self).byteSwapped)
    }

    private mutating func uuid() throws(ChangeModelError) -> UUID {
        let raw = try raw(16)
        return UUID(uuid: raw.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
