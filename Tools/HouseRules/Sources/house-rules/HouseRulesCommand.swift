import Foundation
import HouseRules

/// The program behind the scripts in `Tools`: `lint`, `drift`, `suites`, `libraries` and `symbols`.
///
/// Every check is one line that begins with `ok` or `FAILED`, so that a script can count them.
@main
enum HouseRulesCommand {
    static func main() {
        do {
            var arguments = Array(CommandLine.arguments.dropFirst())
            guard !arguments.isEmpty else { throw HouseRulesError.usage(usage) }
            let command = arguments.removeFirst()
            let options = try options(arguments)
            let passed =
                switch command {
                case "lint": try lint(options)
                case "drift": try drift(options)
                case "suites": try suites(options)
                case "libraries": try libraries(options)
                case "symbols": try symbols(options)
                default: throw HouseRulesError.usage(usage)
                }
            exit(passed ? EXIT_SUCCESS : EXIT_FAILURE)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(EX_USAGE)
        }
    }

    private static let usage = """
        Usage: house-rules lint --root DIR --manifests DIR < LIST OF FILES
               house-rules drift --manifests DIR
               house-rules suites --root DIR --manifests DIR --package FOLDER --xunit FILE < LIST OF FILES
               house-rules libraries --manifests DIR
               house-rules symbols --graphs DIR --list FILE --article FILE
        A manifest is the output of `swift package dump-package`, in a file named after the package's folder
        with '+' for '/': Packages+EventModel.json; the facade's is facade.json.
        """

    private static func lint(_ options: [String: String]) throws -> Bool {
        let (files, pictures) = try listedFiles(below: try option("root", of: options))
        let manifests = try manifests(try option("manifests", of: options))
        let house = House(files: files, manifests: manifests, pictures: pictures)
        var passed = true
        for rule in allRules {
            let findings = rule.findings(in: house)
            for finding in findings { print(finding) }
            print(findings.isEmpty ? "ok \(rule.name)" : "FAILED \(rule.name): \(findings.count) findings")
            passed = passed && findings.isEmpty
        }
        return passed
    }

    private static func drift(_ options: [String: String]) throws -> Bool {
        var packages = try manifests(try option("manifests", of: options))
        guard let facade = packages.removeValue(forKey: "") else {
            throw HouseRulesError.usage("The manifest of the facade is missing.")
        }
        // The server stays out of the facade, so that nobody resolves SwiftNIO for an app.
        packages = packages.filter { $0.key.hasPrefix("Packages/") && $0.key != "Packages/AuditServer" }
        let differences = FacadeDrift(facade: facade, packages: packages).differences()
        for difference in differences { print("Package.swift: \(difference)") }
        print(differences.isEmpty ? "ok facade" : "FAILED facade: \(differences.count) differences")
        return differences.isEmpty
    }

    private static func suites(_ options: [String: String]) throws -> Bool {
        let folder = try option("package", of: options)
        let manifests = try manifests(try option("manifests", of: options))
        guard let manifest = manifests[folder] else {
            throw HouseRulesError.usage("The manifest of \(folder) is missing.")
        }
        let (files, _) = try listedFiles(below: try option("root", of: options)) { $0.hasPrefix("\(folder)/Tests/") }
        let report = SuiteReport(xunit: try String(contentsOfFile: try option("xunit", of: options), encoding: .utf8))
        let missing = report.missing(of: manifest, files: files)
        for test in report.failed { print("failed: \(test)") }
        for (reason, count) in report.skipped.sorted(by: { $0.key < $1.key }) {
            print("skipped \(count) tests: \(reason)")
        }
        for sentence in missing { print(sentence) }
        print(missing.isEmpty ? "ok suites" : "FAILED suites: \(missing.count) did not run")
        print("tests \(report.passed) \(report.failed.count)")
        return missing.isEmpty && report.failed.isEmpty
    }

    /// Prints the libraries below `Packages`, each after its dependencies, with the folders of their packages.
    private static func libraries(_ options: [String: String]) throws -> Bool {
        let packages = try manifests(try option("manifests", of: options)).filter { $0.key.hasPrefix("Packages/") }
        for library in LibraryOrder(packages: packages).libraries { print("\(library.folder) \(library.name)") }
        return true
    }

    /// Compares the list of RealmSwift's symbols with the symbol graphs, and the article with the list; writes the article anew where it differs.
    private static func symbols(_ options: [String: String]) throws -> Bool {
        let folder = try option("graphs", of: options)
        let article = URL(filePath: try option("article", of: options))
        // LIVE: the program's own files, at its outermost layer.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".symbols.json") }
        let graphs = try SymbolGraphs(names.map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")) })
        let list = SymbolList(try String(contentsOfFile: try option("list", of: options), encoding: .utf8))

        var findings = list.errors(in: graphs)
        let written = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
        if written != list.article {
            try Data(list.article.utf8).write(to: article)
            findings.append("\(article.lastPathComponent) differed from the list and was written anew; commit it.")
        }
        for finding in findings { print(finding) }
        print(findings.isEmpty ? "ok symbols" : "FAILED symbols: \(findings.count) findings")
        return findings.isEmpty
    }

    // MARK: - Input

    private static func options(_ arguments: [String]) throws -> [String: String] {
        guard arguments.count.isMultiple(of: 2) else { throw HouseRulesError.usage(usage) }
        var options: [String: String] = [:]
        for place in stride(from: 0, to: arguments.count, by: 2) {
            guard arguments[place].hasPrefix("--") else { throw HouseRulesError.usage(usage) }
            options[String(arguments[place].dropFirst(2))] = arguments[place + 1]
        }
        return options
    }

    private static func option(_ name: String, of options: [String: String]) throws -> String {
        guard let value = options[name] else { throw HouseRulesError.usage(usage) }
        return value
    }

    /// Reads the Swift files, scripts and guides among the paths on standard input; the other ones, pictures, are only named.
    private static func listedFiles(
        below root: String,
        where isWanted: (String) -> Bool = { _ in true }
    ) throws -> (files: [SourceFile], pictures: [String]) {
        var files: [SourceFile] = []
        var pictures: [String] = []
        while let path = readLine() {
            guard isWanted(path) else { continue }
            let contents = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
            // What is not text, such as a picture, follows no rules.
            if let text = String(data: contents, encoding: .utf8) {
                files.append(SourceFile(path: path, text: text))
            } else {
                pictures.append(path)
            }
        }
        return (files, pictures)
    }

    private static func manifests(_ folder: String) throws -> [String: Manifest] {
        var manifests: [String: Manifest] = [:]
        // LIVE: the program's own files, at its outermost layer.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".json") {
            let place = name == "facade.json" ? "" : name.dropLast(5).replacing("+", with: "/")
            manifests[String(place)] = try Manifest(dump: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        }
        return manifests
    }
}
