import GRDB

/// The tables of the search index; all of it can be made anew from the store.
enum SearchIndexSchema {
    /// The version of the tables and of the terms; an index of another version is emptied and filled again.
    static let version = 8

    /// Makes the tables, and empties those of another version.
    static func prepare(_ database: Database) throws {
        if try Int.fetchOne(database, sql: "PRAGMA user_version") == version { return }
        try reset(database)
    }

    /// Empties the index when other values were masked in it, or objects were called otherwise; returns whether it did.
    static func show(_ database: Database, by fingerprint: String) throws -> Bool {
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS Mask (fingerprint TEXT NOT NULL)")
        let known = try String.fetchOne(database, sql: "SELECT fingerprint FROM Mask") ?? ""
        if known == fingerprint { return false }
        try reset(database)
        try database.execute(sql: "DELETE FROM Mask")
        try database.execute(sql: "INSERT INTO Mask (fingerprint) VALUES (?)", arguments: [fingerprint])
        return true
    }

    /// Makes the table of the words of labels, see ``LabelWords``.
    private static let words = """
        CREATE TABLE Word (
            form BLOB NOT NULL,
            term INTEGER NOT NULL,
            PRIMARY KEY (form, term)
        ) WITHOUT ROWID;
        """

    /// Makes the table of terms.
    private static let terms = """
        CREATE TABLE Term (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            text BLOB NOT NULL,
            count INTEGER NOT NULL,
            UNIQUE (kind, text)
        );
        CREATE INDEX TermByCount ON Term (kind, count);
        """

    /// Writes the tables of terms and of words anew.
    ///
    /// Pages between which rows were moved keep parts of them, also after these rows are deleted. The pages of a table that is
    /// dropped are overwritten.
    ///
    /// - Complexity: O(*n*) in the terms.
    static func rewriteTerms(_ database: Database) throws {
        try database.execute(
            sql: """
                DROP INDEX TermByCount;
                ALTER TABLE Term RENAME TO OldTerm;
                \(terms)
                INSERT INTO Term (id, kind, text, count) SELECT id, kind, text, count FROM OldTerm ORDER BY id;
                DROP TABLE OldTerm;
                ALTER TABLE Word RENAME TO OldWord;
                \(words)
                INSERT INTO Word (form, term) SELECT form, term FROM OldWord ORDER BY form, term;
                DROP TABLE OldWord;
                """
        )
    }

    /// Empties the index, whose numbers begin anew in a new generation.
    ///
    /// A posting says that an event has a term. Its table is one tree in the order of terms and times, so that a page is a walk
    /// along neighbours. A tally counts neighbours, so that nobody has to walk along all of them for their number, see
    /// ``PostingTally``. An entry names its terms in the other direction, so that what events have in common can be counted
    /// without reading them; one of an erased event names none. `kind` has the realm of a term, too. What a clock level is,
    /// ``ClockLevels`` says.
    static func reset(_ database: Database) throws {
        for table in [
            "Posting", "Tally", "Term", "Word", "Entry", "Shelf", "ClockLevel", "Forgotten", "PartlyForgotten",
            "Generation",
        ] {
            try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
        try database.execute(
            sql: """
                CREATE TABLE Shelf (
                    id INTEGER PRIMARY KEY,
                    value TEXT NOT NULL UNIQUE,
                    count INTEGER NOT NULL,
                    app TEXT,
                    account TEXT,
                    newest INTEGER,
                    device BLOB
                );
                CREATE TABLE Entry (
                    number INTEGER PRIMARY KEY,
                    shelf INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    received INTEGER NOT NULL,
                    terms BLOB NOT NULL
                );
                \(terms)
                \(words)
                CREATE TABLE Posting (
                    term INTEGER NOT NULL,
                    time INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    PRIMARY KEY (term, time, number)
                ) WITHOUT ROWID;
                CREATE TABLE Tally (
                    term INTEGER NOT NULL,
                    start INTEGER NOT NULL,
                    count INTEGER NOT NULL,
                    PRIMARY KEY (term, start)
                ) WITHOUT ROWID;
                CREATE TABLE ClockLevel (
                    id INTEGER PRIMARY KEY,
                    app TEXT NOT NULL,
                    account TEXT NOT NULL,
                    boot TEXT NOT NULL,
                    difference INTEGER NOT NULL,
                    firstTicks INTEGER NOT NULL,
                    firstShelf INTEGER NOT NULL,
                    firstSequence INTEGER NOT NULL,
                    lastTicks INTEGER NOT NULL,
                    lastShelf INTEGER NOT NULL,
                    lastSequence INTEGER NOT NULL,
                    ahead INTEGER NOT NULL
                );
                CREATE INDEX ClockLevelByRun ON ClockLevel (app, account, boot);
                CREATE TABLE Forgotten (
                    id INTEGER PRIMARY KEY CHECK (id = 0),
                    erasure INTEGER NOT NULL
                );
                INSERT INTO Forgotten (id, erasure) VALUES (0, 0);
                CREATE TABLE PartlyForgotten (
                    erasure INTEGER PRIMARY KEY,
                    events INTEGER NOT NULL
                );
                CREATE TABLE Generation (
                    id INTEGER PRIMARY KEY CHECK (id = 0),
                    name INTEGER NOT NULL
                );
                INSERT INTO Generation (id, name) VALUES (0, random());
                PRAGMA user_version = \(version);
                """
        )
    }
}
