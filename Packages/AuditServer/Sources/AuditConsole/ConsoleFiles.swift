/// The pages of the console, as bytes inside the program.
///
/// A target of its own, so that a change of a page compiles nothing else anew.
public enum ConsoleFiles {
    /// One file.
    public struct File: Sendable {
        /// The bytes.
        public let bytes: [UInt8]
        /// What kind of file it is, as HTTP names it.
        public let mediaType: String
    }

    /// The name of the file that every address of the console begins with.
    public static let start = "index.html"

    /// All files by their paths, such as `search/search.js`.
    public static let all: [String: File] = folders.reduce(into: outside) { files, folder in
        for (name, file) in folder.value { files["\(folder.key)/\(name)"] = file }
    }

    /// The files that no page or shared part has to itself.
    private static let outside = [
        "console.js": script(PackageResources.console_js),
        "icon.svg": image(PackageResources.icon_svg),
        "index.html": page(PackageResources.index_html),
        "pages.js": script(PackageResources.pages_js),
    ]

    /// The files of each folder.
    ///
    /// SwiftPM looks into the folders of what it embeds, but names each file by its last part alone and refuses a name that is
    /// there twice. So every name is there once, and the folder is said here.
    private static let folders: [String: [String: File]] = [
        "alerts": [
            "alerts.js": script(PackageResources.alerts_js)
        ],
        "completeness": [
            "completeness.js": script(PackageResources.completeness_js),
            "devices.js": script(PackageResources.devices_js),
        ],
        "event": [
            "event.js": script(PackageResources.event_js)
        ],
        "exports": [
            "exports.css": style(PackageResources.exports_css),
            "exports.js": script(PackageResources.exports_js),
        ],
        "keeping": [
            "keeping-forms.js": script(PackageResources.keeping_forms_js),
            "keeping.js": script(PackageResources.keeping_js),
        ],
        "reconstruct": [
            "reconstruct.js": script(PackageResources.reconstruct_js)
        ],
        "reviews": [
            "reviews.js": script(PackageResources.reviews_js)
        ],
        "search": [
            "search.js": script(PackageResources.search_js)
        ],
        "sign-in": [
            "session.js": script(PackageResources.session_js),
            "sign-in.js": script(PackageResources.sign_in_js),
        ],
        "subject": [
            "subject.css": style(PackageResources.subject_css),
            "subject.js": script(PackageResources.subject_js),
            "tallies.js": script(PackageResources.tallies_js),
        ],
        "timeline": [
            "timeline-chart.js": script(PackageResources.timeline_chart_js),
            "timeline.js": script(PackageResources.timeline_js),
        ],
        "ui": [
            "api.js": script(PackageResources.api_js),
            "cards.css": style(PackageResources.cards_css),
            "changes.js": script(PackageResources.changes_js),
            "elements.js": script(PackageResources.elements_js),
            "histogram.js": script(PackageResources.histogram_js),
            "links.js": script(PackageResources.links_js),
            "notes.js": script(PackageResources.notes_js),
            "payload.js": script(PackageResources.payload_js),
            "proof.js": script(PackageResources.proof_js),
            "ui.css": style(PackageResources.ui_css),
            "unmask.js": script(PackageResources.unmask_js),
            "volume.js": script(PackageResources.volume_js),
            "words.js": script(PackageResources.words_js),
        ],
        "views": [
            "views.js": script(PackageResources.views_js)
        ],
    ]

    private static func script(_ bytes: [UInt8]) -> File {
        File(bytes: bytes, mediaType: "text/javascript; charset=utf-8")
    }
    private static func style(_ bytes: [UInt8]) -> File { File(bytes: bytes, mediaType: "text/css; charset=utf-8") }
    private static func page(_ bytes: [UInt8]) -> File { File(bytes: bytes, mediaType: "text/html; charset=utf-8") }
    private static func image(_ bytes: [UInt8]) -> File { File(bytes: bytes, mediaType: "image/svg+xml") }
}
