import Foundation
import Testing

@testable import PageEncryption

@Suite("Page ciphers")
struct PageCipherTests {
    private let salt: FileSalt
    private let ciphers: FileCiphers

    init() throws {
        let head = FileSalt.mark + Array(repeating: 7, count: 12)
        salt = try #require(head.withUnsafeBytes { FileSalt(head: $0) })
        ciphers = FileCiphers(SealedFolder.key(1), salt)
    }

    private func page(_ seed: UInt8) -> [UInt8] {
        (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ seed }
    }

    private func sealed(_ page: [UInt8], _ number: UInt64) -> [UInt8] {
        var stored = [UInt8](repeating: 0, count: 4096)
        let isSealed = stored.withUnsafeMutableBytes { place in
            page.withUnsafeBytes { page in
                guard let place = place.baseAddress, let page = page.baseAddress else { return false }
                return SealedPage.seal(page, number, ciphers, to: place)
            }
        }
        return isSealed ? stored : []
    }

    private func opened(_ stored: [UInt8], _ number: UInt64, _ ciphers: FileCiphers) -> [UInt8]? {
        var page = [UInt8](repeating: 0xEE, count: 4096)
        let isOpen = page.withUnsafeMutableBytes { place in
            stored.withUnsafeBytes { stored in
                guard let place = place.baseAddress, let stored = stored.baseAddress else { return false }
                return SealedPage.open(stored, number, ciphers, to: place)
            }
        }
        return isOpen ? page : nil
    }

    @Test(
        "a page is opened as it was sealed, without the bytes that SQLite leaves alone",
        arguments: [UInt64(2), 3, 1 << 31]
    )
    func roundTrip(_ number: UInt64) {
        let plain = page(5)

        let stored = sealed(plain, number)
        let result = opened(stored, number, ciphers)

        #expect(result == plain.prefix(4064) + [UInt8](repeating: 0, count: 32))
        #expect(stored != sealed(plain, number))
    }

    @Test("what is sealed for a frame opens with its header only, each byte of which counts")
    func frameHeader() {
        let plain = page(5)
        let header = [UInt8](0..<16)
        var sealed = [UInt8](repeating: 0, count: plain.count + PageCipher.overhead)
        func with(_ header: [UInt8], _ number: UInt64, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
            header.withUnsafeBytes { SealedPage.withContext(.frame, number, $0, body) }
        }
        let isSealed = sealed.withUnsafeMutableBytes { place in
            plain.withUnsafeBytes { plain in
                with(header, 32) { context in
                    place.baseAddress.map { ciphers.log.seal(plain, context, to: $0) } ?? false
                }
            }
        }
        func opens(_ header: [UInt8], _ number: UInt64) -> Bool {
            var page = [UInt8](repeating: 0, count: plain.count)
            return page.withUnsafeMutableBytes { place in
                sealed.withUnsafeBytes { sealed in
                    with(header, number) { context in
                        place.baseAddress.map { ciphers.log.open(sealed, context, to: $0) } ?? false
                    }
                }
            }
        }

        #expect(isSealed && opens(header, 32))
        #expect(!opens(header, 32 + 4120))
        for place in header.indices {
            var other = header
            other[place] ^= 1
            #expect(!opens(other, 32), "\(place)")
        }
    }

    @Test("the first page begins with the mark and the salt, and is given the words of a plain file")
    func firstPage() throws {
        let plain = page(5)

        let stored = sealed(plain, 1)
        let result = try #require(opened(stored, 1, ciphers))

        #expect(Array(stored.prefix(16)) == FileSalt.mark + [UInt8](repeating: 7, count: 12))
        #expect(Array(result.prefix(16)) == Array("SQLite format 3\0".utf8))
        #expect(Array(result[16..<4064]) == Array(plain[16..<4064]))
    }

    @Test("a page opens neither elsewhere, nor with another key or salt")
    func otherPlace() throws {
        let stored = sealed(page(5), 9)
        let head = FileSalt.mark + Array(repeating: 8, count: 12)
        let other = try #require(head.withUnsafeBytes { FileSalt(head: $0) })

        #expect(opened(stored, 9, ciphers) != nil)
        #expect(opened(stored, 8, ciphers) == nil)
        #expect(opened(stored, 1, ciphers) == nil)
        #expect(opened(stored, 9, FileCiphers(SealedFolder.key(2), salt)) == nil)
        #expect(opened(stored, 9, FileCiphers(SealedFolder.key(1), other)) == nil)
    }

    @Test("each changed byte of a page is found", arguments: [UInt64(1), 2])
    func changedBytes(_ number: UInt64) {
        var stored = sealed(page(5), number)
        var missed: [Int] = []
        // What the first page begins with is compared when the keys are derived.
        for place in (number == 1 ? 16 : 0)..<4096 {
            stored[place] ^= 0x10
            if opened(stored, number, ciphers) != nil { missed.append(place) }
            stored[place] ^= 0x10
        }

        #expect(missed == [])
        #expect(opened(stored, number, ciphers) != nil)
    }

    @Test("no nonce comes twice, and each cipher begins elsewhere")
    func nonces() {
        let plain = page(0)
        let nonces = (0..<2000).map { _ in Array(sealed(plain, 2).prefix(12)) }
        let others = Set((0..<50).map { _ in starts(FileCiphers(SealedFolder.key(1), salt)) })

        #expect(Set(nonces).count == 2000)
        #expect(others.count == 50)
    }

    private func starts(_ ciphers: FileCiphers) -> [UInt8] {
        var place = [UInt8](repeating: 0, count: 28)
        let context: [UInt8] = []
        let isSealed = place.withUnsafeMutableBytes { place in
            guard let start = place.baseAddress else { return false }
            return context.withUnsafeBytes { ciphers.pages.seal($0, $0, to: start) }
        }
        return isSealed ? Array(place.prefix(12)) : []
    }

    @Test("what another program derived and sealed by the description of the format is opened")
    func golden() {
        var text = [UInt8](repeating: 0, count: 4)
        let isOpen = text.withUnsafeMutableBytes { place in
            Self.sealedWord.withUnsafeBytes { sealed in
                guard let place = place.baseAddress else { return false }
                return SealedPage.withContext(.page, 2) { ciphers.pages.open(sealed, $0, to: place) }
            }
        }

        #expect(withUnsafeBytes(of: ciphers.check) { Array($0) } == [140, 238, 95, 55])
        #expect(isOpen)
        #expect(String(decoding: text, as: UTF8.self) == "Page")
    }

    /// The letters `Page`, sealed for the second page with the nonce 0, 1, 2 and so on.
    private static let sealedWord: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255, 90, 26, 58,
        117, 164, 34, 139, 45, 254, 183, 3, 244, 181, 2, 209, 111, 19, 135, 105,
    ]

    @Test("a key shows none of its bytes")
    func description() {
        var text = ""
        dump(SealedFolder.key(1), to: &text)

        #expect("\(SealedFolder.key(1))" == "a key")
        #expect(!text.contains("bytes") && text.count < 40, "\(text)")
        #expect(FileKey(Data(count: 63)) == nil)
        #expect(FileKey(Data(count: 64)) == FileKey(Data(count: 64)))
        #expect(SealedFolder.key(1) != SealedFolder.key(2))
    }
}
