import EventModel
import EventModelTesting
import EventSerializationTesting
import Foundation
import Testing

@Suite("Random payloads")
struct RandomPayloadTests {
    private func randomText(_ generator: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 0...30, using: &generator))
            .compactMap { _ in
                let limits: [UInt32] = [0x20, 0x7F, 0x7F, 0x7F, 0x7FF, 0xFFFF, 0x10FFFF]
                let limit = limits.randomElement(using: &generator) ?? 0x7F
                return Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator))
            }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private func randomDouble(_ generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return Double(Int64.random(in: -1_000_000...1_000_000, using: &generator)) / 100
        case 1: return Double.random(in: -1e6...1e6, using: &generator)
        case 2: return Double(Int64.random(in: .min ... .max, using: &generator))
        default:
            let number = Double(bitPattern: generator.next())
            return number.isFinite ? number : 0
        }
    }

    private func randomValue(_ generator: inout SeededGenerator, depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2:
            return .int(
                Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator)
            )
        case 3: return .double(randomDouble(&generator))
        case 4, 5: return .string(randomText(&generator))
        case 6:
            return .list(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in randomValue(&generator, depth: depth - 1) }
            )
        default:
            let entries = (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in (randomText(&generator), randomValue(&generator, depth: depth - 1)) }
            return .dictionary(Dictionary(entries) { first, _ in first })
        }
    }

    /// Whether Foundation read the value that was written.
    private func isSame(_ value: Value, _ json: Any) -> Bool {
        switch value {
        case .null: return json is NSNull
        case .bool(let truth): return (json as? Bool) == truth
        case .int(let number): return (json as? NSNumber)?.int64Value == number
        case .double(let number):
            // Foundation reads numbers through its decimal type and is off by some of the last bits.
            guard let read = (json as? NSNumber)?.doubleValue else { return false }
            return abs(read - number) <= number.magnitude * 1e-14
        case .string(let text):
            return (json as? String).map { Array($0.utf8) == Array(text.utf8) } == true
        case .list(let elements):
            guard let array = json as? [Any], array.count == elements.count else { return false }
            return zip(elements, array).allSatisfy(isSame)
        case .dictionary(let entries):
            guard let object = json as? [String: Any], object.count == entries.count else { return false }
            return entries.allSatisfy { key, value in object[key].map { isSame(value, $0) } == true }
        default: return false
        }
    }

    @Test("Foundation reads back what was written", arguments: 0..<300 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = randomValue(&generator, depth: 4)
        let snapshot = ObjectSnapshot.sample(.sampleHolder(of: .any), ["single": value])
        let text = try objectText(snapshot)

        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let object = try #require(json as? [String: Any])
        let single = try #require(object["single"])
        #expect(isSame(value, single), "seed \(seed): \(text)")
    }

    @Test("numbers are the shortest text that Swift reads back", arguments: 0..<20 as Range<UInt64>)
    func shortestNumbers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<200).map { _ in randomDouble(&generator) }
        let shape = ClassShape.sampleHolder(of: .double)
        let text = try objectText(.sample(shape, ["list": .list(numbers.map { .double($0) })]))

        #expect(
            text == #"{"list":[\#(numbers.map(\.description).joined(separator: ","))],"map":{},"set":[],"single":null}"#
        )
    }
}
