# The libraries that the rooms unpack and index stand on, of Debian's sources in UNSHADE_WEB_SOURCES (scripts/web_sources.sh), as archives of WebAssembly:
# web_z, web_bz2, web_lzma, web_lz4, web_zstd, web_archive, web_sqlite3.
enable_language(C)

# unshade_web_library(NAME FOLDER [INCLUDES FOLDER...] [DEFINES NAME...] [LINKS NAME...] SOURCES PATTERN...)
function(unshade_web_library name folder)
  cmake_parse_arguments(LIBRARY "" "" "INCLUDES;DEFINES;LINKS;SOURCES" ${ARGN})
  list(TRANSFORM LIBRARY_SOURCES PREPEND ${UNSHADE_WEB_SOURCES}/${folder}/)
  list(TRANSFORM LIBRARY_INCLUDES PREPEND ${UNSHADE_WEB_SOURCES}/${folder}/)
  file(GLOB sources ${LIBRARY_SOURCES})
  add_library(web_${name} STATIC ${sources})
  target_include_directories(web_${name} SYSTEM PUBLIC ${LIBRARY_INCLUDES})
  target_compile_definitions(web_${name} PRIVATE ${LIBRARY_DEFINES})
  target_compile_options(web_${name} PRIVATE -w)
  foreach(library IN LISTS LIBRARY_LINKS)
    target_link_libraries(web_${name} PUBLIC web_${library})
  endforeach()
endfunction()

unshade_web_library(z zlib INCLUDES . SOURCES adler32.c crc32.c inffast.c inflate.c inftrees.c uncompr.c zutil.c)
unshade_web_library(bz2 bzip2 INCLUDES . DEFINES BZ_NO_STDIO SOURCES blocksort.c bzlib.c compress.c crctable.c decompress.c huffman.c randtable.c)
target_sources(web_bz2 PRIVATE ${PROJECT_SOURCE_DIR}/web/files/bzip2_fault.c)
unshade_web_library(lz4 lz4 INCLUDES lib SOURCES lib/lz4.c lib/lz4hc.c lib/lz4frame.c lib/xxhash.c)
unshade_web_library(zstd libzstd INCLUDES lib DEFINES ZSTD_LEGACY_SUPPORT=0 ZSTD_DISABLE_ASM SOURCES lib/common/*.c lib/decompress/*.c lib/compress/*.c)
unshade_web_library(lzma xz-utils INCLUDES src/liblzma/api
  DEFINES HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STDBOOL_H HAVE_STRING_H HAVE_LIMITS_H SIZEOF_SIZE_T=4 ASSUME_RAM=128 TUKLIB_SYMBOL_PREFIX= HAVE_CHECK_CRC32
    _WASI_EMULATED_SIGNAL HAVE_CHECK_CRC64 HAVE_CHECK_SHA256 HAVE_DECODERS HAVE_DECODER_LZMA1 HAVE_DECODER_LZMA2 HAVE_DECODER_DELTA HAVE_DECODER_X86 HAVE_DECODER_POWERPC
    HAVE_DECODER_IA64 HAVE_DECODER_ARM HAVE_DECODER_ARMTHUMB HAVE_DECODER_ARM64 HAVE_DECODER_SPARC HAVE_LZIP_DECODER
  SOURCES src/liblzma/check/check.c src/liblzma/check/crc*_fast.c src/liblzma/check/crc*_table.c src/liblzma/check/sha256.c src/liblzma/common/common.c
    src/liblzma/common/alone_decoder.c src/liblzma/common/block_*decoder.c src/liblzma/common/block_util.c src/liblzma/common/filter_*decoder.c
    src/liblzma/common/filter_common.c src/liblzma/common/index.c src/liblzma/common/index_decoder.c src/liblzma/common/index_hash.c
    src/liblzma/common/lzip_decoder.c src/liblzma/common/stream_decoder.c src/liblzma/common/stream_flags_common.c
    src/liblzma/common/stream_flags_decoder.c src/liblzma/common/vli_*.c src/liblzma/delta/delta_common.c src/liblzma/delta/delta_decoder.c
    src/liblzma/lz/lz_decoder.c src/liblzma/lzma/lzma_decoder.c src/liblzma/lzma/lzma2_decoder.c src/liblzma/simple/*.c)
set(lzma ${UNSHADE_WEB_SOURCES}/xz-utils/src)
target_include_directories(web_lzma PRIVATE ${lzma}/common ${lzma}/liblzma/check ${lzma}/liblzma/common ${lzma}/liblzma/delta ${lzma}/liblzma/lz
  ${lzma}/liblzma/lzma ${lzma}/liblzma/rangecoder ${lzma}/liblzma/simple)
target_compile_options(web_lzma PRIVATE -include ${PROJECT_SOURCE_DIR}/web/files/lzma_config.h)

# Reading alone, and of that what src/unpack asks for.
unshade_web_library(archive libarchive INCLUDES libarchive LINKS z bz2 lzma zstd
  DEFINES LIBARCHIVE_STATIC PLATFORM_CONFIG_H="${PROJECT_SOURCE_DIR}/web/files/libarchive_config.h" __LIBARCHIVE_BUILD
  SOURCES libarchive/archive_acl.c libarchive/archive_blake2s*_ref.c libarchive/archive_check_magic.c libarchive/archive_cryptor.c
    libarchive/archive_digest.c libarchive/archive_entry*.c libarchive/archive_hmac.c libarchive/archive_options.c libarchive/archive_pack_dev.c
    libarchive/archive_pathmatch.c libarchive/archive_ppmd?.c libarchive/archive_random.c libarchive/archive_rb.c libarchive/archive_read.c
    libarchive/archive_read_add_passphrase.c libarchive/archive_read_append_filter.c libarchive/archive_read_set_*.c
    libarchive/archive_read_support_filter_bzip2.c libarchive/archive_read_support_filter_xz.c libarchive/archive_read_support_filter_none.c
    libarchive/archive_read_support_format_7zip.c libarchive/archive_read_support_format_ar.c libarchive/archive_read_support_format_cab.c
    libarchive/archive_read_support_format_cpio.c libarchive/archive_read_support_format_iso9660.c libarchive/archive_read_support_format_rar*.c
    libarchive/archive_read_support_format_raw.c libarchive/archive_read_support_format_tar.c libarchive/archive_read_support_format_zip.c
    libarchive/archive_string.c libarchive/archive_string_sprintf.c libarchive/archive_util.c libarchive/archive_virtual.c)

unshade_web_library(sqlite3 sqlite3 INCLUDES made SOURCES made/sqlite3.c
  DEFINES SQLITE_ENABLE_FTS5 SQLITE_THREADSAFE=0 SQLITE_OMIT_LOAD_EXTENSION SQLITE_OMIT_WAL SQLITE_OMIT_SHARED_CACHE SQLITE_OMIT_DEPRECATED
    SQLITE_MAX_MMAP_SIZE=0 SQLITE_DEFAULT_UNIX_VFS="unix-none" SQLITE_DQS=0 SQLITE_TEMP_STORE=2 HAVE_USLEEP SQLITE_ENABLE_DBSTAT_VTAB=0)
target_compile_options(web_sqlite3 PRIVATE -include ${PROJECT_SOURCE_DIR}/web/files/sqlite_config.h)

# Their licences, which the package that has them must have.
set(UNSHADE_WEB_LICENSES ${PROJECT_BINARY_DIR}/LICENSE-files)
file(WRITE ${UNSHADE_WEB_LICENSES}.made "unshade-files.wasm has parts of the libraries below.\n")
foreach(license bzip2/LICENSE libarchive/COPYING libzstd/LICENSE lz4/lib/LICENSE sqlite3/LICENSE.md xz-utils/COPYING zlib/README)
  file(READ ${UNSHADE_WEB_SOURCES}/${license} text)
  file(APPEND ${UNSHADE_WEB_LICENSES}.made "\n---- ${license} ----\n\n${text}")
endforeach()
file(COPY_FILE ${UNSHADE_WEB_LICENSES}.made ${UNSHADE_WEB_LICENSES} ONLY_IF_DIFFERENT)

# What libraries.cmake finds elsewhere.
function(unshade_library variable name)
  set(${variable} NOTFOUND PARENT_SCOPE)
  if(TARGET web_${name})
    set(${variable} web_${name} PARENT_SCOPE)
  endif()
endfunction()
set(ZLIB_FOUND TRUE)
set(UNSHADE_ARCHIVE_HEADERS ${UNSHADE_WEB_SOURCES}/libarchive/libarchive)
set(UNSHADE_SQLITE_HEADERS ${UNSHADE_WEB_SOURCES}/sqlite3/made)
