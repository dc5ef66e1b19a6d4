import AuditModel

/// One step from a version of the tables to the next; what was released never changes.
struct PostgreSQLMigration {
    /// The version that it leads to; the first is 1.
    let version: Int64
    /// What it does, for the table of migrations.
    let name: String
    /// The statements.
    let sql: String
    /// What statements alone cannot do, after them.
    var fill: @Sendable (PostgreSQLConnection) throws -> Void = { _ in }

    /// All steps in order.
    ///
    /// - `timestamp`, `daybook_received` and `daybook_committed` are microseconds since 1970: a device's clock may say
    ///   what no `timestamptz` can hold. `to_timestamp(timestamp / 1e6)` shows them.
    /// - Metadata is one `jsonb` and not a column for each key: a new key then needs no lock of the whole collection
    ///   while devices wait, and keys have no limit of columns and no rules of names.
    /// - An id is unique for its owner over all months, which no index of a partitioned table can say; hence
    ///   `EventIdentity`.
    /// - `PartitionAck` is apart from `EventPartition`, because every retry writes it and should not rewrite the tree.
    /// - Events have no foreign keys: they arrive in the transaction that locked the rows they would name.
    static let all: [PostgreSQLMigration] = [
        PostgreSQLMigration(
            version: 1,
            name: "collection",
            sql: """
                CREATE TABLE EventOwner (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    app text COLLATE "C" NOT NULL,
                    userid text COLLATE "C" NOT NULL,
                    UNIQUE (app, userid)
                );
                CREATE TABLE EventPartition (
                    value text COLLATE "C" PRIMARY KEY,
                    id text COLLATE "C" NOT NULL,
                    prefix text COLLATE "C" NOT NULL,
                    owner bigint NOT NULL REFERENCES EventOwner (id),
                    month integer NOT NULL,
                    count bigint NOT NULL CHECK (count >= 0),
                    root bytea NOT NULL CHECK (octet_length(root) = 32),
                    frontier bytea NOT NULL,
                    seal text,
                    received bigint NOT NULL,
                    UNIQUE (id, prefix)
                ) WITH (fillfactor = 70);
                CREATE TABLE PartitionAck (
                    partition text COLLATE "C" PRIMARY KEY REFERENCES EventPartition (value),
                    acks bigint NOT NULL
                ) WITH (fillfactor = 50);
                CREATE TABLE MetadataColumn (
                    ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    key text COLLATE "C" NOT NULL UNIQUE
                );
                CREATE TABLE EventIdentity (
                    owner bigint NOT NULL,
                    id bytea NOT NULL CHECK (octet_length(id) = 12),
                    leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
                    PRIMARY KEY (owner, id)
                );
                CREATE TABLE AuditEvent (
                    _id text COLLATE "C" NOT NULL,
                    _partition text COLLATE "C" NOT NULL,
                    activity text NOT NULL,
                    event text,
                    data text,
                    timestamp bigint NOT NULL,
                    metadata jsonb CHECK (jsonb_typeof(metadata) = 'object'),
                    daybook_month integer NOT NULL,
                    daybook_sequence bigint NOT NULL CHECK (daybook_sequence >= 1),
                    daybook_monotonic bigint NOT NULL,
                    daybook_boot uuid NOT NULL,
                    daybook_committed bigint,
                    daybook_marks smallint NOT NULL CHECK (daybook_marks BETWEEN 0 AND 255),
                    daybook_received bigint NOT NULL,
                    daybook_leaf bytea NOT NULL CHECK (octet_length(daybook_leaf) = 32),
                    daybook_owner bigint NOT NULL,
                    daybook_repeated boolean NOT NULL,
                    PRIMARY KEY (daybook_month, _partition, daybook_sequence)
                ) PARTITION BY LIST (daybook_month);
                """
        ),
        // Each app that has partitions gets a collection with the keys that its events use.
        PostgreSQLMigration(
            version: 2,
            name: "collection of each app",
            sql: """
                CREATE TABLE EventCollection (
                    app text COLLATE "C" PRIMARY KEY
                );
                CREATE TABLE CollectionColumn (
                    ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    app text COLLATE "C" NOT NULL REFERENCES EventCollection (app),
                    key text COLLATE "C" NOT NULL,
                    UNIQUE (app, key)
                );
                INSERT INTO EventCollection (app)
                SELECT DISTINCT app FROM EventOwner JOIN EventPartition ON owner = EventOwner.id;
                INSERT INTO CollectionColumn (app, key)
                SELECT app, key FROM (
                    SELECT DISTINCT app, used.key COLLATE "C" AS key
                    FROM AuditEvent JOIN EventOwner ON EventOwner.id = daybook_owner
                    CROSS JOIN LATERAL jsonb_object_keys(metadata) AS used (key)
                ) AS uses JOIN MetadataColumn USING (key)
                ORDER BY MetadataColumn.ordinal;
                DROP TABLE MetadataColumn;
                """
        ),
        PostgreSQLMigration(
            version: 3,
            name: "log of sealed partitions",
            sql: """
                CREATE TABLE PartitionLog (
                    position bigint PRIMARY KEY CHECK (position >= 0),
                    partition text COLLATE "C" NOT NULL UNIQUE,
                    owner bigint NOT NULL REFERENCES EventOwner (id),
                    received bigint NOT NULL,
                    seal text NOT NULL,
                    name bytea CHECK (octet_length(name) = 32),
                    key bytea NOT NULL,
                    replaced bytea,
                    nodes bytea NOT NULL
                );
                CREATE INDEX PartitionLogByName ON PartitionLog (owner, name);
                CREATE TABLE PartitionLogHead (
                    id integer PRIMARY KEY CHECK (id = 0),
                    frontier bytea NOT NULL
                ) WITH (fillfactor = 50);
                INSERT INTO PartitionLogHead (id, frontier) VALUES (0, '\\x0000000000000000');
                """,
            fill: { try PostgreSQLPartitionLog(connection: $0).begin() }
        ),
        PostgreSQLMigration(
            version: 4,
            name: "accounts and keys",
            sql: """
                CREATE TABLE PasswordAccount (
                    app text COLLATE "C" NOT NULL,
                    email text COLLATE "C" NOT NULL,
                    userid text COLLATE "C" NOT NULL,
                    hash text NOT NULL,
                    PRIMARY KEY (app, email),
                    UNIQUE (app, userid)
                );
                CREATE TABLE RemovedUser (
                    app text COLLATE "C" NOT NULL,
                    userid text COLLATE "C" NOT NULL,
                    PRIMARY KEY (app, userid)
                );
                CREATE TABLE IssuedToken (
                    id text COLLATE "C" PRIMARY KEY,
                    role text NOT NULL,
                    apps text,
                    name text NOT NULL,
                    issued bigint NOT NULL,
                    expires bigint NOT NULL,
                    revoked bigint
                );
                CREATE TABLE ServerKey (
                    ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    purpose text NOT NULL,
                    secret bytea NOT NULL,
                    sealed boolean NOT NULL,
                    created timestamptz NOT NULL DEFAULT now()
                );
                """
        ),
        // Payloads of earlier versions stay texts without a key. Keys do not compress, and parts of them are read.
        PostgreSQLMigration(
            version: 5,
            name: "keys, holds and erasures",
            sql: """
                ALTER TABLE AuditEvent ADD COLUMN daybook_payload bytea;
                ALTER TABLE AuditEvent ADD COLUMN daybook_erased bigint;
                CREATE TABLE PayloadKey (
                    partition text COLLATE "C" NOT NULL,
                    first bigint NOT NULL CHECK (first >= 1),
                    keys bytea NOT NULL CHECK (octet_length(keys) % 16 = 0),
                    PRIMARY KEY (partition, first)
                );
                ALTER TABLE PayloadKey ALTER COLUMN keys SET STORAGE EXTERNAL;
                CREATE TABLE Erasure (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    request text NOT NULL,
                    result text
                );
                CREATE TABLE ErasedRange (
                    erasure bigint NOT NULL REFERENCES Erasure (number),
                    partition text COLLATE "C" NOT NULL,
                    first bigint NOT NULL,
                    last bigint NOT NULL,
                    PRIMARY KEY (erasure, partition, first)
                );
                CREATE TABLE LegalHold (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    name text NOT NULL,
                    filter text NOT NULL,
                    placed text NOT NULL,
                    lifted text
                );
                """
        ),
        // Ids grow with time, so that new ones go to the end of the index. It is on every month, also on those that come.
        PostgreSQLMigration(
            version: 6,
            name: "events by id",
            sql: "CREATE INDEX AuditEventById ON AuditEvent (_id)"
        ),
        // Hashes do not compress.
        PostgreSQLMigration(
            version: 7,
            name: "trees of partitions",
            sql: """
                CREATE TABLE TreeNode (
                    partition text COLLATE "C" NOT NULL,
                    first bigint NOT NULL CHECK (first >= 1),
                    hashes bytea NOT NULL CHECK (octet_length(hashes) % 32 = 0),
                    PRIMARY KEY (partition, first)
                );
                ALTER TABLE TreeNode ALTER COLUMN hashes SET STORAGE PLAIN;
                """,
            fill: { try PostgreSQLStoredPartition.fill($0) }
        ),
        PostgreSQLMigration(
            version: 8,
            name: "sessions",
            sql: """
                CREATE TABLE UserSession (
                    id text COLLATE "C" PRIMARY KEY,
                    app text COLLATE "C" NOT NULL,
                    userid text COLLATE "C" NOT NULL,
                    provider text NOT NULL,
                    began bigint NOT NULL,
                    renewed bigint NOT NULL,
                    expires bigint NOT NULL,
                    address text COLLATE "C" NOT NULL,
                    generation bigint NOT NULL,
                    confirmed boolean NOT NULL
                ) WITH (fillfactor = 70);
                CREATE INDEX UserSessionByUser ON UserSession (app, userid, id);
                CREATE INDEX UserSessionByEnd ON UserSession (expires);
                """
        ),
        PostgreSQLMigration(
            version: 9,
            name: "conflicts of ids",
            sql: """
                CREATE TABLE EventConflict (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    partition text COLLATE "C" NOT NULL,
                    sequence bigint NOT NULL CHECK (sequence >= 1),
                    owner bigint NOT NULL REFERENCES EventOwner (id),
                    id text COLLATE "C" NOT NULL,
                    received bigint NOT NULL
                );
                """
        ),
        // Of events that are there already nothing says when they came; see StretchMark.
        PostgreSQLMigration(
            version: 10,
            name: "receipts",
            sql: "ALTER TABLE AuditEvent ADD COLUMN daybook_receipt bytea DEFAULT '\\x00'"
        ),
        PostgreSQLMigration(
            version: 11,
            name: "places in sync",
            sql: "ALTER TABLE AuditEvent ADD COLUMN daybook_sync bytea CHECK (octet_length(daybook_sync) = 40)"
        ),
        // Signed notes, which are no secret.
        PostgreSQLMigration(
            version: 12,
            name: "statements of keys",
            sql: """
                CREATE TABLE KeyStatement (
                    ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, statement bytea NOT NULL
                )
                """
        ),
    ]
}
