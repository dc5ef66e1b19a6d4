#if !canImport(ObjectiveC)
import Testing

@testable import ObjectStore

@Suite("Classes of models that the process has")
struct ModelClassTests {
    private static let remedy: Comment = """
        This toolchain describes classes otherwise than MetadataScan reads them: compare it with swift/ABI/Metadata.h. Until it is \
        changed, programs on Linux have to name their classes in 'objectTypes'.
        """

    @Test("the records of this toolchain have the layout that the scan for classes reads")
    func layout() async {
        // In a process of its own, because what is read as an address may be none.
        await #expect(processExitsWith: .success, Self.remedy) {
            #expect(MetadataScan.differences() == [], Self.remedy)
        }
    }
}
#endif
