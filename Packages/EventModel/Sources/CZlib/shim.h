// The system's own zlib: part of Apple's systems, the package zlib1g-dev on Debian.
#include <zlib.h>
