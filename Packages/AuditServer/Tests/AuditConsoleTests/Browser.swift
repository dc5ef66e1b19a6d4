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

    /// After how long a test that waits for something on a page fails.
    ///
    /// It bounds tests that hang, and decides no others: a busy machine may take many seconds.
    private static let patienceMilliseconds = 60_000

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
        let wanted: [String: Any] = [
            "browserName": "chrome", "goog:chromeOptions": options,
            "timeouts": ["script": 2 * Self.patienceMilliseconds],
        ]
        let capabilities = ["capabilities": ["alwaysMatch": wanted]]
        let body = try await Self.send(.POST, driver, capabilities)
        session = try JSONDecoder().decode(Answer<Session>.self, from: body).value.sessionId
    }

    private struct Answer<Value: Decodable>: Decodable {
        let value: Value
    }

    private struct Session: Decodable {
        let sessionId: String
    }

    private struct Outcome: Decodable {
        let value: String?
        let problem: String?
    }

    private struct Window: Decodable {
        let handle: String
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

    /// Sets the size of the window, the colours that the system asks for, and whether it asks for less motion.
    func resize(_ width: Int, _ height: Int, isDark: Bool, isCalm: Bool = false) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500]
        )
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        let motion = ["name": "prefers-reduced-motion", "value": isCalm ? "reduce" : "no-preference"]
        try await devTools("Emulation.setEmulatedMedia", ["features": [scheme, motion]])
    }

    /// Sets the time zone of the machine, as pages see it; none is its own.
    func setZone(_ name: String) async throws {
        try await devTools("Emulation.setTimezoneOverride", ["timezoneId": name])
    }

    /// Opens an address.
    func open(_ address: String) async throws {
        try await command("url", ["url": address])
    }

    /// Loads the page anew.
    func reload() async throws {
        try await command("refresh", [:])
    }

    /// Runs the body of an async function in the page and returns its result as text.
    @discardableResult
    func run(_ script: String) async throws -> String {
        let body = try await command(
            "execute/async",
            [
                "script": """
                const done = arguments[arguments.length - 1];
                (async () => { \(script) })().then((value) => done({ value: String(value) }), (error) => done({ problem: String(error) }))
                """,
                "args": [String](),
            ]
        )
        let outcome = try JSONDecoder().decode(Answer<Outcome>.self, from: body).value
        guard let value = outcome.value else { throw Failure(description: "\(outcome.problem ?? "nothing was said")") }
        return value
    }

    /// Waits in the page until something fits a selector of CSS, and returns its text.
    ///
    /// - Throws: ``Failure`` with what the page shows, when nothing fits for a minute.
    func text(of selector: String) async throws -> String {
        try await run(
            """
            const found = () => document.querySelector(\(Self.quoted(selector)))
            if (!found()) {
              await new Promise((resolve, reject) => {
                setTimeout(() => reject(`nothing is ${\(Self.quoted(selector))} in: ${document.body.innerText.slice(0, 2000)}`), \(Self.patienceMilliseconds))
                new MutationObserver((_, observer) => { if (found()) { observer.disconnect(); resolve() } })
                  .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
              })
            }
            return found().innerText
            """
        )
    }

    /// Writes a text as JavaScript does.
    static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// A key that a test presses.
    enum Key: String {
        case tab = "Tab"
        case enter = "Enter"
        case escape = "Escape"
        case right = "ArrowRight"
        case down = "ArrowDown"
        case slash = "/"

        fileprivate var code: Int {
            switch self {
            case .tab: 9
            case .enter: 13
            case .escape: 27
            case .right: 39
            case .down: 40
            case .slash: 191
            }
        }
    }

    /// Presses and releases a key.
    func press(_ key: Key, isShifted: Bool = false) async throws {
        for type in ["keyDown", "keyUp"] {
            var parameters: [String: Any] = [
                "type": type, "key": key.rawValue, "code": key.rawValue, "windowsVirtualKeyCode": key.code,
                "modifiers": isShifted ? 8 : 0,
            ]
            if key == .enter && type == "keyDown" { parameters["text"] = "\r" }
            if key == .slash && type == "keyDown" { parameters["text"] = "/" }
            try await devTools("Input.dispatchKeyEvent", parameters)
        }
    }

    /// Types a text where the focus is.
    func type(_ text: String) async throws {
        try await devTools("Input.insertText", ["text": text])
    }

    /// Cuts the network, or mends it, and waits until a request of the page says so.
    ///
    /// The browser tells the process that has its network and does not wait for it. On a busy machine, what the page asks next may overtake
    /// that.
    ///
    /// - Throws: ``Failure`` when nothing has changed after a minute.
    func setOffline(_ isOffline: Bool) async throws {
        try await tellOffline(isOffline)
        try await run(
            """
            const end = Date.now() + \(Self.patienceMilliseconds)
            const isOffline = () => fetch('/', { method: 'HEAD', cache: 'no-store' }).then(() => false, () => true)
            while (await isOffline() !== \(isOffline)) {
              if (Date.now() > end) throw 'the network is as it was before'
            }
            """
        )
    }

    private func tellOffline(_ isOffline: Bool) async throws {
        let conditions: [String: Any] = ["offline": isOffline, "latency": 0, "throughput": -1]
        try await command("chromium/network_conditions", ["network_conditions": conditions])
    }

    /// Opens another window with an address and turns to it; returns the one that was there.
    func openWindow(_ address: String) async throws -> String {
        let first = try await windows().first ?? ""
        let body = try await command("window/new", ["type": "window"])
        try await turn(to: try JSONDecoder().decode(Answer<Window>.self, from: body).value.handle)
        try await open(address)
        return first
    }

    /// Turns to a window.
    func turn(to window: String) async throws {
        try await command("window", ["handle": window])
    }

    /// Goes back as the button of the browser does.
    func goBack() async throws {
        try await command("back", [:])
    }

    /// Makes the browser as if nobody had used it before.
    func reset() async throws {
        let windows = try await windows()
        for window in windows.dropFirst() {
            try await turn(to: window)
            _ = try await Self.send(.DELETE, path("window"), nil)
        }
        if let first = windows.first { try await turn(to: first) }
        try await tellOffline(false)
        try await setZone("")
        try await open("about:blank")
        try await devTools("Network.clearBrowserCookies", [:])
        try await devTools("Page.resetNavigationHistory", [:])
    }

    private func windows() async throws -> [String] {
        let body = try await Self.send(.GET, path("window/handles"), nil)
        return try JSONDecoder().decode(Answer<[String]>.self, from: body).value
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

    /// Shows the page as it would be on paper, or on the screen again.
    func showPrinted(_ isPrinted: Bool) async throws {
        try await devTools("Emulation.setEmulatedMedia", ["media": isPrinted ? "print" : ""])
    }

    /// Prints the page; returns the PDF.
    func printed() async throws -> Data {
        let body = try await command("print", [:])
        let text = try JSONDecoder().decode(Answer<String>.self, from: body).value
        guard let document = Data(base64Encoded: text) else { throw Failure(description: "the PDF is none") }
        return document
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

    /// How long the driver may say nothing: on a machine that others use, a page takes its time.
    private static let patience = TimeAmount.seconds(180)

    /// Lives as long as the tests; the one that all share gives up an answer that says nothing for a minute and a half.
    private static let client = HTTPClient(
        configuration: HTTPClient.Configuration(timeout: .init(connect: .seconds(10), read: patience))
    )

    private static func send(_ method: HTTPMethod, _ url: String, _ body: [String: Any]?) async throws -> Data {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body {
            request.body = .bytes(ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: body)))
            request.headers.add(name: "Content-Type", value: "application/json")
        }
        let response = try await client.execute(request, timeout: patience)
        let answer = try await response.body.collect(upTo: 1 << 26)
        let data = Data(answer.readableBytesView)
        guard response.status == .ok else {
            throw Failure(description: String(decoding: data.prefix(600), as: UTF8.self))
        }
        return data
    }
}
