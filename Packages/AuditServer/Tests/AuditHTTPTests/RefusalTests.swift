import AuditModel
import EventModel
import Testing

@Suite("Refusals")
struct RefusalTests {
    @Test("each is one sentence that says what is wrong and what helps", arguments: AuditModel.Refusal.allCases)
    func sentence(refusal: AuditModel.Refusal) {
        let sentence = AuditServerError.refused(refusal).description

        #expect(sentence.hasSuffix("."))
        #expect(sentence.split(separator: ":").count == 2)
        #expect(!sentence.dropLast().contains("."))
        #expect(sentence.first?.isUppercase == true)
    }

    @Test("no device deletes or sets aside anything because there was too much at once")
    func codes() {
        let quotas: [AuditModel.Refusal] = [.userBytes, .appBytes, .userPartitions, .appPartitions, .newUsers]
        for refusal in [AuditModel.Refusal.slowBody, .userShare, .fullRoom] + quotas {
            #expect(AuditServerError.refused(refusal).code == .unavailable)
        }
    }
}
