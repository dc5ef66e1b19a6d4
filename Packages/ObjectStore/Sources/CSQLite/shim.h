// The system's own SQLite: part of Apple's systems, the package libsqlite3-dev on Debian.
#include <sqlite3.h>

// A name in double quotes that no column has is an error, not a text. A function of C that takes any arguments cannot be called
// from Swift.
static inline void csqlite_refuse_quoted_texts(sqlite3 *connection) {
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
#endif
}
