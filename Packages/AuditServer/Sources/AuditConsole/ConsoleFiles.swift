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

    /// The name of the file that every address of the pages of a realm file begins with.
    public static let browserStart = "browse/browse.html"

    /// All files of the console by their paths, such as `search/search.js`.
    public static let all: [String: File] = folders.reduce(into: outside) { files, folder in
        for (name, file) in folder.value { files["\(folder.key)/\(name)"] = file }
    }

    /// The files of the pages of a realm file, which share `ui/` with the console.
    public static let browser: [String: File] = {
        var files = ["icon.svg": image(PackageResources.icon_svg)]
        for (name, file) in browsing { files["browse/\(name)"] = file }
        for (name, file) in folders["ui"] ?? [:] { files["ui/\(name)"] = file }
        return files
    }()

    /// The folder of the pages of a realm file, which the console does not serve.
    private static let browsing = [
        "browse.css": style(PackageResources.browse_css),
        "browse.html": page(PackageResources.browse_html),
        "browse.js": script(PackageResources.browse_js),
        "class-list.js": script(PackageResources.class_list_js),
        "class-table.js": script(PackageResources.class_table_js),
        "file-api.js": script(PackageResources.file_api_js),
        "object-page.js": script(PackageResources.object_page_js),
        "stored-values.js": script(PackageResources.stored_values_js),
    ]

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
            "alerts.css": style(PackageResources.alerts_css),
            "alerts.js": script(PackageResources.alerts_js),
        ],
        "completeness": [
            "check.js": script(PackageResources.check_js),
            "completeness.css": style(PackageResources.completeness_css),
            "completeness.js": script(PackageResources.completeness_js),
            "devices.js": script(PackageResources.devices_js),
            "findings.js": script(PackageResources.findings_js),
        ],
        "event": [
            "event.css": style(PackageResources.event_css),
            "event.js": script(PackageResources.event_js),
        ],
        "exports": [
            "exports.css": style(PackageResources.exports_css),
            "exports.js": script(PackageResources.exports_js),
        ],
        "find": [
            "find.css": style(PackageResources.find_css),
            "find.js": script(PackageResources.find_js),
        ],
        "keeping": [
            "keeping-forms.js": script(PackageResources.keeping_forms_js),
            "keeping.css": style(PackageResources.keeping_css),
            "keeping.js": script(PackageResources.keeping_js),
        ],
        "reconstruct": [
            "reconstruct.css": style(PackageResources.reconstruct_css),
            "reconstruct.js": script(PackageResources.reconstruct_js),
            "record-form.js": script(PackageResources.record_form_js),
        ],
        "report": [
            "report-words.js": script(PackageResources.report_words_js),
            "report.css": style(PackageResources.report_css),
            "report.js": script(PackageResources.report_js),
            "visits.js": script(PackageResources.visits_js),
        ],
        "reviews": [
            "reviews.js": script(PackageResources.reviews_js)
        ],
        "search": [
            "export-form.js": script(PackageResources.export_form_js),
            "filters.js": script(PackageResources.filters_js),
            "follow.js": script(PackageResources.follow_js),
            "save-view.js": script(PackageResources.save_view_js),
            "search.css": style(PackageResources.search_css),
            "search.js": script(PackageResources.search_js),
        ],
        "sign-in": [
            "session.js": script(PackageResources.session_js),
            "sign-in.css": style(PackageResources.sign_in_css),
            "sign-in.js": script(PackageResources.sign_in_js),
        ],
        "subject": [
            "subject.css": style(PackageResources.subject_css),
            "subject.js": script(PackageResources.subject_js),
            "tallies.js": script(PackageResources.tallies_js),
        ],
        "timeline": [
            "session-form.js": script(PackageResources.session_form_js),
            "step-list.js": script(PackageResources.step_list_js),
            "timeline-chart.js": script(PackageResources.timeline_chart_js),
            "timeline.css": style(PackageResources.timeline_css),
            "timeline.js": script(PackageResources.timeline_js),
        ],
        "ui": [
            "address.js": script(PackageResources.address_js),
            "api.js": script(PackageResources.api_js),
            "cards.css": style(PackageResources.cards_css),
            "changes.js": script(PackageResources.changes_js),
            "elements.js": script(PackageResources.elements_js),
            "event-bytes.js": script(PackageResources.event_bytes_js),
            "events.css": style(PackageResources.events_css),
            "forms.js": script(PackageResources.forms_js),
            "histogram.js": script(PackageResources.histogram_js),
            "lines.js": script(PackageResources.lines_js),
            "links.js": script(PackageResources.links_js),
            "masked.js": script(PackageResources.masked_js),
            "merkle.js": script(PackageResources.merkle_js),
            "notes.js": script(PackageResources.notes_js),
            "parts.js": script(PackageResources.parts_js),
            "payload.js": script(PackageResources.payload_js),
            "people.js": script(PackageResources.people_js),
            "print.css": style(PackageResources.print_css),
            "proof.js": script(PackageResources.proof_js),
            "reading.js": script(PackageResources.reading_js),
            "seals.js": script(PackageResources.seals_js),
            "sheets.js": script(PackageResources.sheets_js),
            "texts.js": script(PackageResources.texts_js),
            "times.js": script(PackageResources.times_js),
            "ui.css": style(PackageResources.ui_css),
            "unmask.js": script(PackageResources.unmask_js),
            "values.js": script(PackageResources.values_js),
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
