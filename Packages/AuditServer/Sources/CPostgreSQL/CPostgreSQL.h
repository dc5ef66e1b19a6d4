// libpq, the client library of PostgreSQL: its notices and its COPY are what the store needs and other drivers hide.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
// Where Debian has it, for a system without pkg-config to say so.
#include <postgresql/libpq-fe.h>
#endif
