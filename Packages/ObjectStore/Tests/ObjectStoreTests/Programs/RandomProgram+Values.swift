import EventModelTesting
import ObjectStore

// Changes of scalars and of collections of scalars.
extension RandomProgram {
    /// Removes, replaces or moves an element of a list that has some, and does the same to the plain list.
    mutating func changeElement<Element, Plain>(
        of list: List<Element>,
        _ plain: inout [Plain],
        _ new: Element,
        _ plainNew: Plain
    ) {
        let index = generator.below(plain.count)
        switch generator.below(3) {
        case 0:
            list.remove(at: index)
            plain.remove(at: index)
        case 1:
            list[index] = new
            plain[index] = plainNew
        default:
            let target = generator.below(plain.count)
            list.move(from: index, to: target)
            plain.insert(plain.remove(at: index), at: target)
        }
    }

    mutating func changeScalars() {
        withItem { program, item, plain in
            switch program.generator.below(4) {
            case 0:
                plain.number = program.generator.below(50)
                item.number = plain.number
            case 1:
                plain.text = program.flip(3) ? nil : program.text()
                item.text = plain.text
            case 2:
                plain.amount = program.flip(3) ? nil : Double(program.generator.below(1000)) / 7
                item["amount"] = plain.amount
            default:
                plain.number += 1
                if program.flip() { item.number += 1 } else { item.increment(\.number) }
            }
        }
    }

    mutating func changeNumbers() {
        withItem { program, item, plain in
            let count = plain.numbers.count
            let new = program.flip(4) ? nil : program.generator.below(100)
            switch program.generator.below(count == 0 ? 3 : 10) {
            case 0:
                item.numbers.append(new)
                plain.numbers.append(new)
            case 1:
                item.numbers.append(objectsIn: [new, 5, nil])
                plain.numbers += [new, 5, nil]
            case 2:
                let list = List<Int?>()
                list.append(objectsIn: [9, new])
                item.numbers = list
                plain.numbers = [9, new]
            case 3:
                let index = program.generator.below(count + 1)
                item.numbers.insert(new, at: index)
                plain.numbers.insert(new, at: index)
            case 4, 5, 6:
                program.changeElement(of: item.numbers, &plain.numbers, new, new)
            case 7:
                let (first, second) = (program.generator.below(count), program.generator.below(count))
                item.numbers.swapAt(first, second)
                plain.numbers.swapAt(first, second)
            case 8:
                let start = program.generator.below(count)
                let range = start..<(start + program.generator.below(count - start + 1))
                item.numbers.replaceSubrange(range, with: [new, 1])
                plain.numbers.replaceSubrange(range, with: [new, 1])
            default:
                let length = program.generator.below(count + 1)
                item.numbers.removeLast(length)
                plain.numbers.removeLast(length)
            }
        }
    }

    mutating func changeTags() {
        withItem { program, item, plain in
            let tag = program.text()
            switch program.generator.below(5) {
            case 0, 1:
                item.tags.insert(tag)
                plain.tags.insert(tag)
            case 2:
                item.tags.remove(tag)
                plain.tags.remove(tag)
            case 3:
                item.tags.insert(objectsIn: [tag, "b", "b"])
                plain.tags.formUnion([tag, "b"])
            default:
                item.setValue([tag, "c"], forKey: "tags")
                plain.tags = [tag, "c"]
            }
        }
    }

    mutating func changeScores() {
        withItem { program, item, plain in
            let key = program.key()
            switch program.generator.below(5) {
            case 0, 1:
                let score = program.generator.below(100)
                item.scores[key] = score
                plain.scores[key] = score
            case 2:
                item.scores[key] = .some(nil)
                plain.scores[key] = .some(nil)
            case 3:
                item.scores.removeObject(for: key)
                plain.scores[key] = nil
            default:
                item.scores.merge(["a": 1, "b": 2]) { old, new in (old ?? 0) + (new ?? 0) }
                plain.scores.merge(["a": 1, "b": 2]) { old, new in (old ?? 0) + (new ?? 0) }
            }
        }
    }

    mutating func changePayload() {
        withItem { program, item, plain in
            // What is inside is changed where it is, when there is something.
            switch (item.payload, plain.payload) {
            case (.list(let list), .list(var elements)) where program.flip():
                let value = program.anyValue(depth: 2)
                if elements.count > 2 {
                    list.remove(at: 1)
                    elements.remove(at: 1)
                    list.swapAt(0, 1)
                    elements.swapAt(0, 1)
                }
                list.insert(value.realmValue(program.realm), at: 0)
                elements.insert(value, at: 0)
                plain.payload = .list(elements)
            case (.dictionary(let map), .dictionary(var entries)) where program.flip():
                let (key, value) = (program.key(), program.anyValue(depth: 2))
                map[key] = value.realmValue(program.realm)
                entries[key] = value
                plain.payload = .dictionary(entries)
            default:
                plain.payload = program.anyValue()
                item.payload = plain.payload.realmValue(program.realm)
            }
        }
    }

    mutating func changeExtras() {
        withItem { program, item, plain in
            let value = program.anyValue()
            let stored = value.realmValue(program.realm)
            switch program.generator.below(plain.extras.isEmpty ? 2 : 5) {
            case 0:
                item.extras.append(stored)
                plain.extras.append(value)
            case 1:
                let key = program.key()
                item.extrasByName[key] = stored
                plain.extrasByName[key] = value
            case 2:
                let index = program.generator.below(plain.extras.count)
                item.extras[index] = stored
                plain.extras[index] = value
            case 3:
                item.extras.removeFirst()
                plain.extras.removeFirst()
            default:
                let key = program.key()
                item.extrasByName.removeObject(for: key)
                plain.extrasByName[key] = nil
            }
        }
    }
}
