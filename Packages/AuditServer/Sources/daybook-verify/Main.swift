import ArgumentParser
import AuditArchives

@main
enum Main {
    static func main() async {
        await VerifyCommand.main()
    }
}
