import Foundation

/// A file that Realm's own database wrote, and what it said is in there.
enum GoldenOriginal: String, CaseIterable {
    case tiny, types, collections, links, mixed, wide, streaming, noobjects

    /// The bytes of the file.
    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: url("realm"))) }
    }

    /// The lines of what is in there.
    var lines: [String] {
        get throws {
            try String(contentsOf: url("ndjson"), encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    /// Where the file lies.
    var path: String { url("realm").path }

    private func url(_ type: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Golden/\(rawValue).\(type)")
    }
}
