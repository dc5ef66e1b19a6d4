import HouseRules
import Testing

@Suite("Report of the suites that ran")
struct SuiteReportTests {
    private let xunit = """
        <testsuites><testsuite name="TestResults" tests="3" failures="1">
        <testcase classname="LedgerTests.PageTests" name="a()" time="0.1" />
        <testcase classname="LedgerTests.PageTests" name="b()" time="0.1" >
          <failure message="Expectation failed: 1 &gt; 2" />
        </testcase>
        <testcase classname="LedgerTests.Outer/InnerTests" name="c()" time="0.1" />
        <testcase classname="LedgerTests.PageTests" name="d()" >
          <skipped>There is no ink.</skipped>
        </testcase>
        </testsuite></testsuites>
        """

    private func manifest(_ targets: String...) -> Manifest {
        Manifest(name: "Ledger", targets: targets.map { Manifest.Target(name: $0, kind: "test") })
    }

    @Test("passed, failed and skipped tests are told apart")
    func counts() {
        let report = SuiteReport(xunit: xunit)

        #expect(report.passed == 2)
        #expect(report.failed == ["LedgerTests.PageTests b()"])
        #expect(report.skipped == ["There is no ink.": 1])
    }

    @Test("a package whose targets and suites all ran lacks nothing")
    func complete() {
        let file = SourceFile.test(
            "@Suite(\"Pages\")\nstruct PageTests {}\n@Suite struct Outer { @Suite struct InnerTests {} }"
        )

        #expect(SuiteReport(xunit: xunit).missing(of: manifest("LedgerTests"), files: [file]) == [])
    }

    @Test("a suite of the sources that did not run is named")
    func silentSuite() {
        let file = SourceFile.test("@Suite(\"Covers\")\nfinal class CoverTests {}")

        let missing = SuiteReport(xunit: xunit).missing(of: manifest("LedgerTests"), files: [file])

        #expect(missing == ["No test of the suite CoverTests ran."])
    }

    @Test("a target without a test that ran is named, as when another package's tests were run")
    func silentTarget() {
        let missing = SuiteReport(xunit: xunit).missing(of: manifest("LedgerTests", "OtherTests"), files: [])

        #expect(missing == ["No test of the target OtherTests ran."])
    }

    @Test("a package without a test target is named")
    func untested() {
        #expect(SuiteReport(xunit: xunit).missing(of: manifest(), files: []) == ["The package Ledger has no tests."])
    }
}
