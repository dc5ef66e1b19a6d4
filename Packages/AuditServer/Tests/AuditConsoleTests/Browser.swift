import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// A window of headless Chromium, driven by chromedriver as the W3C's WebDriver describes.
///
/// A shell starts the driver and waits at a pipe from this process. When the pipe closes, with the last reference or because
/// the process is gone, the shell ends the driver, and that its browser.
final class Browser: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether both programs are there; `Tools/test` installs them.
    static let isInstalled = ["chromium", "chromedriver"]
        .allSatisfy { name in
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
        }
    static let skipped: Comment = "chromium and chromium-driver are not installed"

    /// Where pictures go; nil keeps none.
    private static let pictures = ProcessInfo.processInfo.environment["DAYBOOK_SCREENSHOTS"]

    private let input: FileHandle
    private let driver: String
    private let session: String

    /// Starts a browser.
    init() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // A group of its own, because a driver that is asked to end waits for a window that is open.
        process.arguments = ["-c", "setsid chromedriver --port=0 & group=$!; cat >/dev/null; kill -s KILL -- -$group"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.input = input.fileHandleForWriting
        let port = try await Self.port(in: output.fileHandleForReading)
        driver = "http://127.0.0.1:\(port)/session"
        let options = [
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        ]
        let capabilities = ["capabilities": ["alwaysMatch": ["browserName": "chrome", "goog:chromeOptions": options]]]
        let body = try await Self.send(.POST, driver, capabilities)
        session = try JSONDecoder().decode(Answer<Session>.self, from: body).value.sessionId
    }

    private struct Answer<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Session: Decodable {
        let sessionId: String
    }

    /// Reads the port out of what the driver says when it is ready.
    private static func port(in output: FileHandle) async throws -> Int {
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    var text = ""
                    while !text.contains("successfully on port") || !text.hasSuffix("\n") {
                        let next = output.availableData
                        if next.isEmpty { break }
                        text += String(decoding: next, as: UTF8.self)
                    }
                    continuation.resume(returning: text)
                }
        }
        guard
            let range = text.range(of: "successfully on port "),
            let port = Int(text[range.upperBound...].prefix { $0.isNumber })
        else { throw Failure(description: "chromedriver did not start: \(text)") }
        return port
    }

    // MARK: - Commands

    /// Sets the size of the window and the colours that the system asks for.
    func resize(_ width: Int, _ height: Int, isDark: Bool) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500]
        )
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await devTools("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Opens an address.
    func open(_ address: String) async throws {
        try await command("url", ["url": address])
    }

    /// Runs the body of an async function in the page and returns its result as text.
    @discardableResult
    func run(_ script: String) async throws -> String {
        let body = try await command(
            "execute/async",
            [
                "script": """
                const done = arguments[arguments.length - 1];
                (async () => { \(script) })().then((value) => done(String(value)), (error) => done("failed: " + error))
                """,
                "args": [String](),
            ]
        )
        return try JSONDecoder().decode(Answer<String>.self, from: body).value
    }

    /// Waits in the page until something fits a selector of CSS, and returns its text.
    func text(of selector: String) async throws -> String {
        let quoted = try String(decoding: JSONEncoder().encode(selector), as: UTF8.self)
        return try await run(
            """
            const found = () => document.querySelector(\(quoted))
            if (!found()) {
              await new Promise((resolve) => {
                new MutationObserver((_, observer) => { if (found()) { observer.disconnect(); resolve() } })
                  .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
              })
            }
            return found().innerText
            """
        )
    }

    /// Presses and releases a key that makes no character, by its name and its code.
    func press(_ key: String, code: Int) async throws {
        for type in ["keyDown", "keyUp"] {
            try await devTools("Input.dispatchKeyEvent", ["type": type, "key": key, "windowsVirtualKeyCode": code])
        }
    }

    /// Takes a picture of the window when somebody asked for pictures.
    func takePicture(_ name: String) async throws {
        guard let folder = Self.pictures else { return }
        let body = try await Self.send(.GET, path("screenshot"), nil)
        let text = try JSONDecoder().decode(Answer<String>.self, from: body).value
        guard let picture = Data(base64Encoded: text) else { throw Failure(description: "the picture is none") }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try picture.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
    }

    /// Ends the browser.
    func close() async throws {
        _ = try await Self.send(.DELETE, "\(driver)/\(session)", nil)
        try input.close()
    }

    // MARK: - WebDriver

    private func path(_ command: String) -> String { "\(driver)/\(session)/\(command)" }

    @discardableResult
    private func command(_ name: String, _ body: [String: Any]) async throws -> Data {
        try await Self.send(.POST, path(name), body)
    }

    private func devTools(_ name: String, _ parameters: [String: Any]) async throws {
        try await command("goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    private static func send(_ method: HTTPMethod, _ url: String, _ body: [String: Any]?) async throws -> Data {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body {
            request.body = .bytes(ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: body)))
            request.headers.add(name: "Content-Type", value: "application/json")
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let answer = try await response.body.collect(upTo: 1 << 26)
        let data = Data(answer.readableBytesView)
        guard response.status == .ok else {
            throw Failure(description: String(decoding: data.prefix(600), as: UTF8.self))
        }
        return data
    }
}
