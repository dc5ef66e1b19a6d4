import AuditServer
import EventModel
import Testing

@Suite("Refusals")
struct RefusalTests {
    @Test("each is one sentence that says what is wrong and what helps", arguments: AuditServer.Refusal.allCases)
    func sentence(refusal: AuditServer.Refusal) {
        let sentence = AuditServerError.refused(refusal).description

        #expect(sentence.hasSuffix("."))
        #expect(sentence.split(separator: ":").count == 2)
        #expect(!sentence.dropLast().contains("."))
        #expect(sentence.first?.isUppercase == true)
    }

    @Test("no device deletes or sets aside anything because there was too much at once")
    func codes() {
        let quotas: [AuditServer.Refusal] = [.userBytes, .appBytes, .userPartitions, .appPartitions, .newUsers]
        for refusal in [AuditServer.Refusal.slowBody, .userShare, .fullRoom] + quotas {
            #expect(AuditServerError.refused(refusal).code == .unavailable)
        }
    }
}
