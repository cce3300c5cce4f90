/* What libarchive's configure would find out about wasi-libc, for reading archives. */
#pragma once

#include "libarchive_common.h"

#define HAVE_ARC4RANDOM_BUF 1
#define HAVE_LOCALTIME_R 1
#define HAVE_GMTIME_R 1
#define HAVE_STRERROR_R 1
#define HAVE_TIMEGM 1
#define SIZEOF_WCHAR_T 4
