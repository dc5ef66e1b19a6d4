// libpq, the client library of PostgreSQL: its notices and its COPY are what the store needs and other drivers hide.
#include <libpq-fe.h>
