import Testing
import Ward

@Suite("ShiftGenerator")
struct ShiftGeneratorTests {
    @Test("equal seeds give equal numbers, and the first ones are those of the published method")
    func vectors() {
        var generator = ShiftGenerator(seed: 1_234_567)

        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ]
        )
    }
}
