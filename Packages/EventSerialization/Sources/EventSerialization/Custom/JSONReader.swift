/// Reads JSON text and writes it in the form of ``CanonicalJSON``.
///
/// Depth is bounded, so that no text can exhaust the stack.
struct JSONReader: ~Copyable {
    private(set) var output: JSONOutput
    private let input: UnsafeRawBufferPointer
    private var position = 0

    init(_ input: UnsafeRawBufferPointer) {
        self.input = input
        output = JSONOutput(capacity: input.count + 64)
    }

    /// Reads all of the text and returns the members when it is an object.
    mutating func readDocument() throws(MalformedJSON) -> [CanonicalJSON.Member]? {
        skipSpace()
        var members: [CanonicalJSON.Member]?
        if next == 0x7B {
            members = try readObject(depth: 1)
        } else {
            try readValue(depth: 1)
        }
        skipSpace()
        guard position == input.count else { throw malformed }
        return members
    }

    // MARK: - Values

    private mutating func readValue(depth: Int) throws(MalformedJSON) {
        guard let first = next else { throw malformed }
        switch first {
        case 0x7B: _ = try readObject(depth: depth)
        case 0x5B: try readArray(depth: depth)
        case 0x22: _ = try readString()
        case 0x2D, 0x30...0x39: try readNumber()
        case 0x6E: try readWord("null")
        case 0x74: try readWord("true")
        case 0x66: try readWord("false")
        default: throw malformed
        }
    }

    private mutating func readArray(depth: Int) throws(MalformedJSON) {
        guard depth <= CanonicalJSON.maximumDepth else { throw malformed }
        position += 1
        let start = output.count
        skipSpace()
        if !take(0x5D) {
            repeat {
                skipSpace()
                output.append(",")
                try readValue(depth: depth + 1)
                skipSpace()
            } while take(0x2C)
            guard take(0x5D) else { throw malformed }
        }
        output.close(from: start, 0x5B, 0x5D)
    }

    private mutating func readObject(depth: Int) throws(MalformedJSON) -> [CanonicalJSON.Member] {
        guard depth <= CanonicalJSON.maximumDepth else { throw malformed }
        position += 1
        let start = output.count
        var members: [CanonicalJSON.Member] = []
        var isSorted = true
        skipSpace()
        if !take(0x7D) {
            repeat {
                skipSpace()
                output.append(",")
                let memberStart = output.count
                let key = try readString()
                skipSpace()
                guard take(0x3A) else { throw malformed }
                output.append(":")
                let valueStart = output.count
                skipSpace()
                try readValue(depth: depth + 1)
                if let last = members.last, !last.key.lexicographicallyPrecedes(key) { isSorted = false }
                members.append(
                    CanonicalJSON.Member(key: key, text: memberStart..<output.count, name: memberStart..<valueStart)
                )
                skipSpace()
            } while take(0x2C)
            guard take(0x7D) else { throw malformed }
        }
        if !isSorted { members = rewrite(members, from: start) }
        output.close(from: start, 0x7B, 0x7D)
        return members
    }

    /// Writes the members of an object again, sorted and each key once.
    private mutating func rewrite(_ members: [CanonicalJSON.Member], from start: Int) -> [CanonicalJSON.Member] {
        let written = Array(output.bytes)
        output.withdraw(output.count - start)
        let last = Dictionary(members.map { ($0.key, $0) }) { _, last in last }
        let sorted = last.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return sorted.map { member in
            output.append(",")
            let place = output.count
            written[member.text].withUnsafeBytes { output.append($0) }
            return CanonicalJSON.Member(
                key: member.key,
                text: place..<output.count,
                name: place..<(place + member.name.count)
            )
        }
    }

    // MARK: - Scalars

    private mutating func readWord(_ word: StaticString) throws(MalformedJSON) {
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index]) else { throw malformed }
        }
        output.append(word)
    }

    private mutating func readNumber() throws(MalformedJSON) {
        let start = position
        _ = take(0x2D)
        if !take(0x30) { try readDigits() }
        if take(0x2E) { try readDigits() }
        if take(0x65) || take(0x45) {
            if !take(0x2B) { _ = take(0x2D) }
            try readDigits()
        }
        output.append(UnsafeRawBufferPointer(rebasing: input[start..<position]))
    }

    private mutating func readDigits() throws(MalformedJSON) {
        guard let first = next, (0x30...0x39).contains(first) else { throw malformed }
        while let digit = next, (0x30...0x39).contains(digit) { position += 1 }
    }

    /// Reads text in quotes and returns it without them and without escapes.
    private mutating func readString() throws(MalformedJSON) -> [UInt8] {
        guard take(0x22) else { throw malformed }
        var text: [UInt8] = []
        var plainStart = position
        while let byte = next, byte != 0x22 {
            guard byte >= 0x20 else { throw malformed }
            position += 1
            guard byte == 0x5C else { continue }
            text.append(contentsOf: input[plainStart..<(position - 1)])
            try readEscape(&text)
            plainStart = position
        }
        text.append(contentsOf: input[plainStart..<position])
        guard take(0x22) else { throw malformed }
        // Text of Swift is UTF-8, and escapes make nothing else.
        _ = text.withUnsafeBytes { output.append(quoted: $0) }
        return text
    }

    private mutating func readEscape(_ text: inout [UInt8]) throws(MalformedJSON) {
        guard let kind = next else { throw malformed }
        switch kind {
        case 0x22, 0x5C, 0x2F: text.append(kind)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            position += 1
            let scalar = try readScalar()
            text.append(contentsOf: Character(scalar).utf8)
            return
        default: throw malformed
        }
        position += 1
    }

    /// Reads the four digits behind `\u`, and the second escape of a pair of surrogates.
    private mutating func readScalar() throws(MalformedJSON) -> Unicode.Scalar {
        let start = position
        let unit = try readUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, take(0x5C), take(0x75) else { throw MalformedJSON(offset: start) }
        let low = try readUnit()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
        else { throw MalformedJSON(offset: start) }
        return scalar
    }

    private mutating func readUnit() throws(MalformedJSON) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { throw malformed }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: - Bytes

    /// The byte at the position; nil at the end.
    private var next: UInt8? { position < input.count ? input[position] : nil }

    private var malformed: MalformedJSON { MalformedJSON(offset: position) }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}
