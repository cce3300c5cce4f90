/* What libarchive's configure would find out about mingw-w64, for reading archives. */
#pragma once

#include "libarchive_common.h"

/* Hashes and ciphers of Windows' bcrypt.dll, random numbers too. */
#define HAVE_BCRYPT_H 1
#define ARCHIVE_CRYPTO_MD5_WIN 1
#define ARCHIVE_CRYPTO_SHA1_WIN 1
#define ARCHIVE_CRYPTO_SHA256_WIN 1
#define ARCHIVE_CRYPTO_SHA384_WIN 1
#define ARCHIVE_CRYPTO_SHA512_WIN 1

#define HAVE_IO_H 1
#define HAVE_WINCRYPT_H 1
#define HAVE_WINDOWS_H 1
#define HAVE__CTIME64_S 1
#define HAVE__FSEEKI64 1
#define HAVE__GET_TIMEZONE 1
#define HAVE__GMTIME64_S 1
#define HAVE__LOCALTIME64_S 1
#define HAVE__MKGMTIME 1
#define SIZEOF_WCHAR_T 2

/* What Windows' headers lack. */
#define gid_t unsigned int
#define id_t unsigned int
#define uid_t unsigned int
