import ArgumentParser
import AuditArchives
import DaybookCommand
import Testing

@Suite("What the programs say of their version")
struct ReleaseTextTests {
    @Test("a build between two versions says that it is not released, and which format of exports it writes")
    func unreleased() {
        let text = ReleaseText.text(of: nil)

        #expect(text == "not released yet; writes exports of format 2")
    }

    @Test("a version is said in front of the format of exports")
    func released() {
        let text = ReleaseText.text(of: "0.1.0")

        #expect(text == "0.1.0; writes exports of format 2")
    }

    @Test("both programs say the version of this build")
    func said() {
        let versions = [
            DaybookCommand.configuration.version, VerifyCommand.configuration(named: "v", calledAs: "v").version,
        ]

        #expect(versions == [ReleaseText.text(of: ReleaseText.version), ReleaseText.text(of: ReleaseText.version)])
    }
}
