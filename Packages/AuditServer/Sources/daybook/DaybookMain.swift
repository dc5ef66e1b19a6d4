import ArgumentParser
import DaybookCommand

@main
enum DaybookMain {
    static func main() async {
        await DaybookCommand.main()
    }
}
