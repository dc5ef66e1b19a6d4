extension GeoRegion {
    /// The shape as bytes: a kind, then numbers of 64 bits, the lowest byte first; each ring of a polygon begins with its count.
    package var bytes: [UInt8] {
        switch self {
        case .box(let box): [1] + Self.bytes([box.bottomLeft, box.topRight])
        case .circle(let circle): [2] + Self.bytes([circle.center]) + circle.radiusInRadians.bytes
        case .polygon(let polygon): [3] + polygon.rings.flatMap { Double($0.count).bytes + Self.bytes($0) }
        }
    }

    private static func bytes(_ points: [GeoPoint]) -> [UInt8] {
        points.flatMap { $0.latitude.bytes + $0.longitude.bytes }
    }

    /// Reads a shape; nil when the bytes are none.
    package init?(bytes: some Collection<UInt8>) {
        var numbers = GeoNumbers(bytes.dropFirst())
        switch bytes.first {
        case 1:
            guard let low = numbers.point(), let high = numbers.point() else { return nil }
            self = .box(GeoBox(bottomLeft: low, topRight: high))
        case 2:
            guard let center = numbers.point(), let radius = numbers.next(),
                let circle = GeoCircle(center: center, radiusInRadians: radius)
            else { return nil }
            self = .circle(circle)
        case 3:
            var rings: [[GeoPoint]] = []
            while let count = numbers.next() {
                guard let points = numbers.points(count) else { return nil }
                rings.append(points)
            }
            // Only a polygon that was checked is written.
            guard let polygon = GeoPolygon(known: rings) else { return nil }
            self = .polygon(polygon)
        default: return nil
        }
        guard numbers.isAtEnd else { return nil }
    }
}

extension Double {
    fileprivate var bytes: [UInt8] {
        let pattern = bitPattern
        return (0..<8).map { UInt8(truncatingIfNeeded: pattern >> ($0 * 8)) }
    }
}

/// Numbers one after the other, out of bytes.
private struct GeoNumbers {
    private let numbers: [Double]
    private var position = 0
    private let isWhole: Bool

    init(_ bytes: some Collection<UInt8>) {
        var numbers: [Double] = []
        var pattern: UInt64 = 0
        var count = 0
        for byte in bytes {
            pattern |= UInt64(byte) << (count % 8 * 8)
            count += 1
            guard count % 8 == 0 else { continue }
            numbers.append(Double(bitPattern: pattern))
            pattern = 0
        }
        self.numbers = numbers
        isWhole = count % 8 == 0
    }

    var isAtEnd: Bool { isWhole && position == numbers.count }

    mutating func next() -> Double? {
        guard position < numbers.count else { return nil }
        position += 1
        return numbers[position - 1]
    }

    mutating func point() -> GeoPoint? {
        guard let latitude = next(), let longitude = next() else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    mutating func points(_ count: Double) -> [GeoPoint]? {
        guard let count = Int(exactly: count), count >= 0, count <= (numbers.count - position) / 2 else { return nil }
        var points: [GeoPoint] = []
        for _ in 0..<count {
            guard let point = point() else { return nil }
            points.append(point)
        }
        return points
    }
}
