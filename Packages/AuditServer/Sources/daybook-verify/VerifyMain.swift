import ArgumentParser
import AuditArchives

@main
enum VerifyMain {
    static func main() async {
        await VerifyCommand.main()
    }
}
