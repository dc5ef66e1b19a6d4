import EventModel

extension JSONOutput {
    /// Appends `null`.
    @inline(__always)
    mutating func appendNull() {
        append("null")
    }

    /// Appends `true` or `false`.
    @inline(__always)
    mutating func append(_ truth: Bool) {
        if truth { append("true") } else { append("false") }
    }

    /// Appends an integer.
    @inline(__always)
    mutating func append(_ number: Int64) {
        reserve(20)
        if number < 0 { write(0x2D) }
        write(digits: number.magnitude)
    }

    /// Appends the shortest text that reads as the same number, with `.0` behind an integral one; `null` for NaN and
    /// infinity, which JSON does not have.
    mutating func append(_ number: Double) {
        guard number.isFinite else { return appendNull() }
        let magnitude = number.magnitude
        reserve(32)
        guard magnitude < 1e15, magnitude >= 1e-3 || magnitude == 0 else { return appendAnyDouble(number) }
        if number.sign == .minus { write(0x2D) }
        // Conversions to integers are single instructions, unlike the functions that round.
        let whole = UInt64(magnitude)
        if Double(whole) == magnitude {
            write(digits: whole)
            write(0x2E)
            write(0x30)
            return
        }
        var scale = 1.0
        for places in 1...6 {
            scale *= 10
            let scaled = magnitude * scale + 0.5
            // Numbers of up to 15 digits have a double each, so when the first count of places that gives the number
            // back is found, its digits are the shortest.
            guard scaled < 1e15 else { break }
            let digits = UInt64(scaled)
            if Double(digits) / scale == magnitude { return write(fraction: digits, places: places) }
        }
        if number.sign == .minus { withdraw(1) }
        appendAnyDouble(number)
    }

    private mutating func appendAnyDouble(_ number: Double) {
        var text = number.description
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Writes `digits` with a point in front of the last `places` of them.
    private mutating func write(fraction digits: UInt64, places: Int) {
        var power: UInt64 = 1
        for _ in 0..<places { power *= 10 }
        write(digits: digits / power)
        write(0x2E)
        write(digits: digits % power, width: places)
    }

    /// Writes an integer to reserved room of 20 bytes.
    @inline(__always)
    mutating func write(digits number: UInt64) {
        if number < 10 {
            write(0x30 + UInt8(truncatingIfNeeded: number))
            return
        }
        var width = 2
        var limit: UInt64 = 100
        while width < 19, number >= limit {
            limit *= 10
            width += 1
        }
        write(digits: number, width: number >= limit ? 20 : width)
    }

    /// Writes the last `width` digits of an integer to reserved room, with zeros in front.
    @inline(__always)
    mutating func write(digits number: UInt64, width: Int) {
        var rest = number
        var position = width
        withRoom(width) { room in
            while position >= 2 {
                let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
                rest = quotient
                position -= 2
                room[position] = 0x30 + UInt8(truncatingIfNeeded: pair / 10)
                room[position + 1] = 0x30 + UInt8(truncatingIfNeeded: pair % 10)
            }
            if position == 1 { room[0] = 0x30 + UInt8(truncatingIfNeeded: rest % 10) }
        }
    }

    /// Writes a byte as two hexadecimal digits to reserved room.
    @inline(__always)
    mutating func write(hexadecimal byte: UInt8) {
        write(Hexadecimal.digit(byte >> 4))
        write(Hexadecimal.digit(byte & 0xF))
    }
}
