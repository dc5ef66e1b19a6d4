import Foundation
import ObjectStore
import Testing

extension QueryMatrix {
    private typealias Typed = (Query<MatrixCell<V>>, V) -> Query<Bool>

    /// Every operator that compares, on every kind of property, with every value on either side.
    var comparisons: [MatrixCondition<V>] {
        let isEqual = column.isEqual
        var operators: [(name: String, flipped: String, holds: (V, V) -> Bool)] = [
            ("==", "=", isEqual), ("!=", "<>", { !isEqual($0, $1) }),
        ]
        if let isLess = column.isLess {
            operators += [
                ("<", ">", isLess), ("<=", "=>", { isLess($0, $1) || isEqual($0, $1) }),
                (">", "<", { isLess($1, $0) }), (">=", "=<", { isLess($1, $0) || isEqual($0, $1) }),
            ]
        }
        var conditions: [MatrixCondition<V>] = []
        for (name, flipped, holds) in operators {
            for value in column.values {
                /// A missing value is different from every other one, and nothing else.
                func holdsOptional(_ optional: V?) -> Bool {
                    optional.map { holds($0, value) } ?? (name == "!=")
                }
                let typed = typed(name)
                conditions += [
                    MatrixCondition("required \(name) %@", value) {
                        holds($0.required, value)
                    } typed: {
                        typed.required($0, value)
                    },
                    MatrixCondition("optional \(name) %@", value) {
                        holdsOptional($0.optional)
                    } typed: {
                        typed.optional($0, value)
                    },
                    MatrixCondition("NOT optional \(name) %@", value) {
                        !holdsOptional($0.optional)
                    } typed: {
                        !typed.optional($0, value)
                    },
                    MatrixCondition("%@ \(flipped) required", value) { holds($0.required, value) },
                    MatrixCondition("ANY list \(name) %@", value) {
                        $0.elements.contains { holds($0, value) }
                    } typed: {
                        typed.list($0, value)
                    },
                    MatrixCondition("SOME set \(name) %@", value) {
                        $0.elements.contains { holds($0, value) }
                    } typed: {
                        typed.set($0, value)
                    },
                    MatrixCondition("NONE map \(name) %@", value) {
                        !$0.elements.contains { holds($0, value) }
                    } typed: {
                        !typed.map($0, value)
                    },
                    MatrixCondition("map['key1'] \(name) %@", value) {
                        holdsOptional($0.elements.count > 1 ? $0.elements[1] : nil)
                    } typed: {
                        typed.entry($0, value)
                    },
                ]
            }
            conditions += [
                MatrixCondition("required \(name) optional") { row in
                    row.optional.map { holds(row.required, $0) } ?? (name == "!=")
                },
                MatrixCondition("ANY list \(name) required") { row in row.elements.contains { holds($0, row.required) }
                },
            ]
        }
        return conditions
    }

    /// The operator in the typed front end, for each kind of property.
    private func typed(
        _ name: String
    ) -> (required: Typed, optional: Typed, list: Typed, set: Typed, map: Typed, entry: Typed) {
        switch name {
        case "==":
            (
                { $0.required == $1 }, { $0.optional == $1 }, { $0.list == $1 }, { $0.set == $1 }, { $0.map == $1 },
                { $0.map["key1"] == $1 }
            )
        case "!=":
            (
                { $0.required != $1 }, { $0.optional != $1 }, { $0.list != $1 }, { $0.set != $1 }, { $0.map != $1 },
                { $0.map["key1"] != $1 }
            )
        case "<":
            (
                { $0.required < $1 }, { $0.optional < $1 }, { $0.list < $1 }, { $0.set < $1 }, { $0.map < $1 },
                { $0.map["key1"] < $1 }
            )
        case "<=":
            (
                { $0.required <= $1 }, { $0.optional <= $1 }, { $0.list <= $1 }, { $0.set <= $1 }, { $0.map <= $1 },
                { $0.map["key1"] <= $1 }
            )
        case ">":
            (
                { $0.required > $1 }, { $0.optional > $1 }, { $0.list > $1 }, { $0.set > $1 }, { $0.map > $1 },
                { $0.map["key1"] > $1 }
            )
        default:
            (
                { $0.required >= $1 }, { $0.optional >= $1 }, { $0.list >= $1 }, { $0.set >= $1 }, { $0.map >= $1 },
                { $0.map["key1"] >= $1 }
            )
        }
    }

    /// Membership, nil, ranges and counts.
    var sets: [MatrixCondition<V>] {
        let isEqual = column.isEqual
        let few = Array(column.values.prefix(2))
        func isFew(_ value: V) -> Bool { few.contains { isEqual($0, value) } }
        var conditions: [MatrixCondition<V>] = [
            MatrixCondition("required IN %@", few) {
                isFew($0.required)
            } typed: {
                $0.required.in(few)
            },
            MatrixCondition("required IN {%@, %@}", few[0], few[1]) { isFew($0.required) },
            MatrixCondition("NOT required IN %@", few) {
                !isFew($0.required)
            } typed: {
                !$0.required.in(few)
            },
            MatrixCondition("optional IN %@", few) {
                $0.optional.map(isFew) ?? false
            } typed: {
                $0.optional.in(few)
            },
            MatrixCondition(
                "optional IN %@",
                few.map(Optional.some) + [nil]
            ) {
                $0.optional.map(isFew) ?? true
            } typed: {
                $0.optional.in(few.map { $0 } + [nil])
            },
            MatrixCondition("required IN {}") { _ in
                false
            } typed: {
                $0.required.in([])
            },
            MatrixCondition("ANY list IN %@", few) {
                $0.elements.contains(where: isFew)
            } typed: {
                $0.list.containsAny(in: few)
            },
            MatrixCondition("ANY set IN %@", few) {
                $0.elements.contains(where: isFew)
            } typed: {
                $0.set.containsAny(in: few)
            },
            MatrixCondition("ANY map.@allValues IN %@", few) {
                $0.elements.contains(where: isFew)
            } typed: {
                $0.map.values.in(few)
            },
            MatrixCondition("%@ IN list", few[0]) {
                $0.elements.contains { isEqual($0, few[0]) }
            } typed: {
                $0.list.contains(few[0])
            },
            MatrixCondition("required IN list") { row in row.elements.contains { isEqual($0, row.required) } },
            MatrixCondition("optional == nil") {
                $0.optional == nil
            } typed: {
                $0.optional == nil
            },
            MatrixCondition("optional != NULL") {
                $0.optional != nil
            } typed: {
                $0.optional != nil
            },
            MatrixCondition("list.@count == 2") {
                $0.elements.count == 2
            } typed: {
                $0.list.count == 2
            },
            MatrixCondition("set.@size > 1") {
                $0.elements.count > 1
            } typed: {
                $0.set.count > 1
            },
            MatrixCondition("map.@count <= 1") {
                $0.elements.count <= 1
            } typed: {
                $0.map.count <= 1
            },
            MatrixCondition("ANY map.@allKeys == 'key1'") {
                $0.elements.count > 1
            } typed: {
                $0.map.keys == "key1"
            },
        ]
        if let isLess = column.isLess {
            let bounds = [column.values[1], column.values[2]].sorted(by: isLess)
            let (low, high) = (bounds[0], bounds[1])
            func isBetween(_ value: V) -> Bool {
                (isLess(low, value) || isEqual(low, value)) && (isLess(value, high) || isEqual(value, high))
            }
            conditions += [
                MatrixCondition("required BETWEEN %@", [low, high]) { isBetween($0.required) },
                MatrixCondition("optional BETWEEN {%@, %@}", low, high) { $0.optional.map(isBetween) ?? false },
                MatrixCondition("ANY list BETWEEN %@", [low, high]) { $0.elements.contains(where: isBetween) },
                MatrixCondition("required BETWEEN %@", [high, low]) { isEqual(low, high) && isEqual($0.required, low) },
            ]
        }
        return conditions
    }

    /// What is computed of numbers.
    var aggregates: [MatrixCondition<V>] {
        guard let number = column.number, let isLess = column.isLess else { return [] }
        func numbers(_ row: MatrixRow<V>) -> [V] { row.elements.filter { !number($0).isNaN } }
        var conditions: [MatrixCondition<V>] = [
            MatrixCondition("list.@min == nil") { numbers($0).isEmpty },
            MatrixCondition("map.@avg != nil") { !numbers($0).isEmpty },
            MatrixCondition("set.@sum == 0") { numbers($0).map(number).reduce(0, +) == 0 },
        ]
        for value in column.values where !number(value).isNaN {
            let limit = number(value)
            conditions += [
                MatrixCondition("list.@min == %@", value) { row in
                    numbers(row).min(by: isLess).map { number($0) == limit } ?? false
                },
                MatrixCondition("set.@max > %@", value) { row in
                    numbers(row).max(by: isLess).map { number($0) > limit } ?? false
                },
                MatrixCondition("map.@sum >= %@", value) { numbers($0).map(number).reduce(0, +) >= limit },
                MatrixCondition("list.@avg < %@", value) { row in
                    let all = numbers(row).map(number)
                    return !all.isEmpty && all.reduce(0, +) / Double(all.count) < limit
                },
            ]
        }
        return conditions
    }

    /// What makes no sense for any type, and what makes none for this one.
    func checkRefusals() {
        let value = column.values[0]
        checkRefused("required == %@", column.other)
        checkRefused("required == nil")
        checkRefused("list == %@", value)
        checkRefused("ANY required == %@", value)
        checkRefused("required.@count == 1")
        checkRefused("required.name == 1")
        checkRefused("list == set")
        checkRefused("set[0] == %@", value)
        checkRefused("map[0] == %@", value)
        checkRefused("required['a'] == %@", value)
        checkRefused("requierd == %@", value)
        checkRefused("SUBQUERY(list, $x, $x == 1).@count > 0")
        if column.isLess == nil {
            for name in ["<", "<=", ">", ">="] { checkRefused("required \(name) %@", value) }
            checkRefused("required BETWEEN %@", [value, value])
        }
        if column.number == nil {
            for name in ["sum", "avg"] { checkRefused("list.@\(name) == 1") }
        }
        guard !(value is Data), V._kind != .string else { return }
        for name in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"] { checkRefused("required \(name) %@", value) }
        checkRefused("required ==[c] %@", value)
    }
}
