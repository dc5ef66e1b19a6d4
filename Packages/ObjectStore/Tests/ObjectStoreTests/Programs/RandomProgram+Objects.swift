import EventModelTesting
import ObjectStore

// Changes of links, of collections of objects, and of embedded objects.
extension RandomProgram {
    mutating func changeFriends() {
        if generator.below(4) == 0 {
            // An unmanaged object is added by being linked to.
            let new = FuzzItem(value: ["id": -world.items.count - 1_000_000 - operationCount])
            guard world.items[new.id] == nil else { return }
            withItem { _, item, plain in
                item.friends.append(new)
                plain.friends.append(new.id)
            }
            if new.realm != nil { addKnown(new.id) }
            return
        }
        withItem { program, item, plain in
            guard let other = program.someItem() else { return }
            let id = other.id
            let count = plain.friends.count
            switch program.generator.below(count == 0 ? 4 : 8) {
            case 0:
                item.friend = other
                plain.friend = id
            case 1:
                item.friend = nil
                plain.friend = nil
            case 2:
                item.friends.append(other)
                plain.friends.append(id)
            case 3:
                item.friends.append(objectsIn: program.realm.objects(FuzzItem.self).sorted(byKeyPath: "id").prefix(2))
                plain.friends += program.world.ids.prefix(2)
            case 4, 5, 6:
                program.changeElement(of: item.friends, &plain.friends, other, id)
            default:
                item.friends.removeAll()
                plain.friends.removeAll()
            }
        }
    }

    mutating func changeCircle() {
        withItem { program, item, plain in
            guard let other = program.someItem() else { return }
            switch program.generator.below(4) {
            case 0, 1:
                item.circle.insert(other)
                plain.circle.insert(other.id)
            case 2:
                item.circle.remove(other)
                plain.circle.remove(other.id)
            default:
                item.circle.formUnion(other.circle)
                // The item may be the other one, which is not in the world meanwhile as it is here.
                plain.circle.formUnion(other.circle.map(\.id))
            }
        }
    }

    mutating func changeByName() {
        withItem { program, item, plain in
            let key = program.key()
            switch program.generator.below(4) {
            case 0, 1:
                guard let other = program.someItem() else { return }
                item.byName[key] = other
                plain.byName[key] = other.id
            case 2:
                item.byName[key] = .some(nil)
                plain.byName[key] = .some(nil)
            default:
                item.byName[key] = nil
                plain.byName[key] = nil
            }
        }
    }

    // MARK: Embedded objects

    mutating func changePlace() {
        withItem { program, item, plain in
            switch program.generator.below(5) {
            case 0: (item.place, plain.place) = program.newPlace()
            case 1:
                item.place = nil
                plain.place = nil
            case 2:
                guard let place = item.place else { return }
                program.realm.delete(place)
                plain.place = nil
            default:
                guard let place = item.place, var changed = plain.place else { return }
                program.change(place, &changed)
                plain.place = changed
            }
        }
    }

    mutating func changePlaces() {
        withItem { program, item, plain in
            let count = plain.places.count
            let (place, new) = program.newPlace()
            switch program.generator.below(count == 0 ? 1 : 7) {
            case 0:
                item.places.append(place)
                plain.places.append(new)
            case 1:
                item.places.insert(place, at: 0)
                plain.places.insert(new, at: 0)
            case 2, 3, 4:
                program.changeElement(of: item.places, &plain.places, place, new)
            case 5:
                let index = program.generator.below(count)
                program.realm.delete(item.places[index])
                plain.places.remove(at: index)
            default:
                let index = program.generator.below(count)
                program.change(item.places[index], &plain.places[index])
            }
        }
    }

    mutating func changePlacesByName() {
        withItem { program, item, plain in
            let key = program.key()
            switch program.generator.below(5) {
            case 0, 1:
                let (place, new) = program.newPlace()
                item.placesByName[key] = place
                plain.placesByName[key] = new
            case 2:
                item.placesByName.removeObject(for: key)
                plain.placesByName[key] = nil
            case 3:
                item.placesByName[key] = .some(nil)
                plain.placesByName[key] = .some(nil)
            default:
                guard let key = plain.placesByName.keys.sorted().first, let place = item.placesByName[key] ?? nil,
                    var changed = plain.placesByName[key] ?? nil
                else { return }
                program.change(place, &changed)
                plain.placesByName[key] = changed
            }
        }
    }

    /// Changes an embedded object where it is.
    private mutating func change(_ place: FuzzPlace, _ plain: inout PlainPlace) {
        switch generator.below(5) {
        case 0:
            plain.name = text()
            place.name = plain.name
        case 1:
            place.guest = flip(3) ? nil : someItem()
            plain.guest = place.guest?.id
        case 2:
            let number = generator.below(10)
            place.rooms.append(FuzzRoom(value: ["number": number]))
            plain.rooms.append(PlainRoom(number: number))
        case 3:
            guard !plain.rooms.isEmpty else { return }
            place.rooms[0].number += 1
            plain.rooms[0].number += 1
        default:
            guard !plain.rooms.isEmpty, let visitor = someItem() else { return }
            place.rooms[plain.rooms.count - 1].visitors.append(visitor)
            plain.rooms[plain.rooms.count - 1].visitors.append(visitor.id)
        }
    }
}
