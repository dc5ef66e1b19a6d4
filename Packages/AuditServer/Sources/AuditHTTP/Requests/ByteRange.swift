/// Which bytes of a file a request asks for: one range of RFC 9110, section 14.
enum ByteRange: Sendable, Hashable {
    /// The whole file; also for a header of another form, which is ignored as the standard says.
    case whole
    /// These bytes.
    case part(Range<UInt64>)
    /// None, because the file is shorter.
    case unsatisfiable

    /// Reads the header `Range`.
    ///
    /// - Parameters:
    ///   - header: The header; nil when there is none.
    ///   - size: The size of the file.
    init(_ header: String?, of size: UInt64) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return
        }
        let (first, last) = (UInt64(bounds[0]), UInt64(bounds[1]))
        switch (first, last) {
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            // The comparison comes first, as the last byte may be the greatest number.
            self = first < size ? .part(first..<(last < size ? last + 1 : size)) : .unsatisfiable
        case (nil, let count?) where bounds[0].isEmpty:
            self = count > 0 && size > 0 ? .part((size - min(count, size))..<size) : .unsatisfiable
        default: return
        }
    }
}
