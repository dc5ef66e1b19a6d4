import ArgumentParser
import DaybookCommand

@main
enum Main {
    static func main() async {
        await DaybookCommand.main()
    }
}
