import Testing

@testable import AuditAdmission

@Suite("A line in which each place has its turn")
struct FairLineTests {
    private static func all(_ line: inout FairLine<String>) -> [String] {
        var left: [String] = []
        while let next = line.next() { left.append(next) }
        return left
    }

    @Test("places take turns, and within a place who came first goes first")
    func turns() {
        var line = FairLine<String>(maximum: 10)
        for (element, place) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("b2", "b")] {
            #expect(line.enter(element, from: place) == nil)
        }

        #expect(Self.all(&line) == ["a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(line.count == 0)
        #expect(line.next() == nil)
    }

    @Test(
        "when it is full, the last of the place that has the most has to go, and a place with as many pushes nobody out"
    )
    func full() {
        var line = FairLine<String>(maximum: 3)
        for element in ["a1", "a2", "a3"] { #expect(line.enter(element, from: "a") == nil) }

        #expect(line.enter("a4", from: "a") == "a4")
        #expect(line.enter("b1", from: "b") == "a3")
        #expect(line.enter("b2", from: "b") == "b2")
        #expect(line.enter("c1", from: "c") == "a2")
        #expect(line.enter("d1", from: "d") == "d1")
        #expect(line.count == 3)
        #expect(Self.all(&line) == ["a1", "b1", "c1"])
    }

    @Test(
        "a random line never holds more than it may, loses nobody, and serves a lone place after one of each other place"
    )
    func random() {
        for _ in 0..<200 {
            var line = FairLine<Int>(maximum: Int.random(in: 1...8))
            var waiting: Set<Int> = []
            for number in 0..<60 {
                if Bool.random() {
                    waiting.insert(number)
                    if let gone = line.enter(number, from: "\(Int.random(in: 0..<4))") { waiting.remove(gone) }
                } else if let next = line.next() {
                    #expect(waiting.remove(next) != nil)
                }
                #expect(line.count == waiting.count)
            }
        }
    }
}
