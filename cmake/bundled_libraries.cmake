# The libraries that some rooms stand on, for systems that Debian packages none for: of Debian's sources in UNSHADE_LIBRARY_SOURCES
# (cmake/bundled/fetch.sh), as archives: bundled_z, bundled_bz2, bundled_lzma, bundled_lz4, bundled_zstd, bundled_archive, bundled_pcre2-8,
# bundled_sqlite3; for the command also bundled_png and bundled_yaml. The folder cmake/bundled has what their configure scripts would find out; nothing is patched.
enable_language(C)
set(bundled ${PROJECT_SOURCE_DIR}/cmake/bundled)
set(licenses bzip2/LICENSE libarchive/COPYING libzstd/LICENSE lz4/lib/LICENSE pcre2/LICENCE sqlite3/LICENSE.md xz-utils/COPYING zlib/README)

# unshade_bundled_library(NAME FOLDER [INCLUDES FOLDER...] [DEFINES NAME...] [PUBLIC_DEFINES NAME...] [LINKS NAME...] SOURCES PATTERN...)
function(unshade_bundled_library name folder)
  cmake_parse_arguments(LIBRARY "" "" "INCLUDES;DEFINES;PUBLIC_DEFINES;LINKS;SOURCES" ${ARGN})
  list(TRANSFORM LIBRARY_SOURCES PREPEND ${UNSHADE_LIBRARY_SOURCES}/${folder}/)
  list(TRANSFORM LIBRARY_INCLUDES PREPEND ${UNSHADE_LIBRARY_SOURCES}/${folder}/)
  file(GLOB sources ${LIBRARY_SOURCES})
  add_library(bundled_${name} STATIC ${sources})
  target_include_directories(bundled_${name} SYSTEM PUBLIC ${LIBRARY_INCLUDES})
  target_compile_definitions(bundled_${name} PRIVATE ${LIBRARY_DEFINES} PUBLIC ${LIBRARY_PUBLIC_DEFINES})
  # Optimised in every build: they are compiled once.
  target_compile_options(bundled_${name} PRIVATE -w)
  if(NOT UNSHADE_WASM)
    target_compile_options(bundled_${name} PRIVATE -O2)
  endif()
  foreach(library IN LISTS LIBRARY_LINKS)
    target_link_libraries(bundled_${name} PUBLIC bundled_${library})
  endforeach()
endfunction()

unshade_bundled_library(z zlib INCLUDES .
  SOURCES adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
unshade_bundled_library(bz2 bzip2 INCLUDES . DEFINES BZ_NO_STDIO
  SOURCES blocksort.c bzlib.c compress.c crctable.c decompress.c huffman.c randtable.c)
target_sources(bundled_bz2 PRIVATE ${bundled}/bzip2_fault.c)
unshade_bundled_library(lz4 lz4 INCLUDES lib SOURCES lib/lz4.c lib/lz4hc.c lib/lz4frame.c lib/xxhash.c)
unshade_bundled_library(zstd libzstd INCLUDES lib DEFINES ZSTD_LEGACY_SUPPORT=0 ZSTD_DISABLE_ASM SOURCES lib/common/*.c lib/decompress/*.c lib/compress/*.c)
unshade_bundled_library(lzma xz-utils INCLUDES src/liblzma/api PUBLIC_DEFINES LZMA_API_STATIC
  DEFINES HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STDBOOL_H HAVE_STRING_H HAVE_LIMITS_H SIZEOF_SIZE_T=${CMAKE_SIZEOF_VOID_P} ASSUME_RAM=128 TUKLIB_SYMBOL_PREFIX=
    HAVE_CHECK_CRC32 HAVE_CHECK_CRC64 HAVE_CHECK_SHA256 HAVE_DECODERS HAVE_DECODER_LZMA1 HAVE_DECODER_LZMA2 HAVE_DECODER_DELTA HAVE_DECODER_X86
    HAVE_DECODER_POWERPC HAVE_DECODER_IA64 HAVE_DECODER_ARM HAVE_DECODER_ARMTHUMB HAVE_DECODER_ARM64 HAVE_DECODER_SPARC HAVE_LZIP_DECODER
  SOURCES src/liblzma/check/check.c src/liblzma/check/crc*_fast.c src/liblzma/check/crc*_table.c src/liblzma/check/sha256.c src/liblzma/common/common.c
    src/liblzma/common/alone_decoder.c src/liblzma/common/block_*decoder.c src/liblzma/common/block_util.c src/liblzma/common/filter_*decoder.c
    src/liblzma/common/filter_common.c src/liblzma/common/index.c src/liblzma/common/index_decoder.c src/liblzma/common/index_hash.c
    src/liblzma/common/lzip_decoder.c src/liblzma/common/stream_decoder.c src/liblzma/common/stream_flags_common.c
    src/liblzma/common/stream_flags_decoder.c src/liblzma/common/vli_*.c src/liblzma/delta/delta_common.c src/liblzma/delta/delta_decoder.c
    src/liblzma/lz/lz_decoder.c src/liblzma/lzma/lzma_decoder.c src/liblzma/lzma/lzma2_decoder.c src/liblzma/simple/*.c)
set(lzma ${UNSHADE_LIBRARY_SOURCES}/xz-utils/src)
target_include_directories(bundled_lzma PRIVATE ${lzma}/common ${lzma}/liblzma/check ${lzma}/liblzma/common ${lzma}/liblzma/delta ${lzma}/liblzma/lz
  ${lzma}/liblzma/lzma ${lzma}/liblzma/rangecoder ${lzma}/liblzma/simple)

# What is for tests alone: compressing by LZMA, dictionaries for zstd. unshade_bundled_encoders() makes bundled_encoders.
function(unshade_bundled_encoders)
  unshade_bundled_library(lzma_encoders xz-utils LINKS lzma
    DEFINES HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STDBOOL_H HAVE_STRING_H HAVE_LIMITS_H SIZEOF_SIZE_T=${CMAKE_SIZEOF_VOID_P} TUKLIB_SYMBOL_PREFIX=
      HAVE_CHECK_CRC32 HAVE_CHECK_CRC64 HAVE_ENCODERS HAVE_ENCODER_LZMA1 HAVE_ENCODER_LZMA2 HAVE_MF_HC3 HAVE_MF_HC4 HAVE_MF_BT2 HAVE_MF_BT3 HAVE_MF_BT4
    SOURCES src/liblzma/common/alone_encoder.c src/liblzma/common/block_buffer_encoder.c src/liblzma/common/block_header_encoder.c
      src/liblzma/common/easy_buffer_encoder.c src/liblzma/common/easy_preset.c src/liblzma/common/filter_buffer_encoder.c
      src/liblzma/common/filter_encoder.c src/liblzma/common/filter_flags_encoder.c src/liblzma/common/index_encoder.c
      src/liblzma/common/stream_buffer_encoder.c src/liblzma/common/stream_flags_encoder.c src/liblzma/lz/lz_encoder.c src/liblzma/lz/lz_encoder_mf.c
      src/liblzma/lzma/fastpos_table.c src/liblzma/lzma/lzma_encoder*.c src/liblzma/lzma/lzma2_encoder.c src/liblzma/rangecoder/price_table.c)
  target_include_directories(bundled_lzma_encoders PRIVATE $<TARGET_PROPERTY:bundled_lzma,INCLUDE_DIRECTORIES>)
  unshade_bundled_library(zstd_dictionaries libzstd LINKS zstd DEFINES ZSTD_LEGACY_SUPPORT=0 ZSTD_DISABLE_ASM SOURCES lib/dictBuilder/*.c)
  add_library(bundled_encoders INTERFACE)
  target_link_libraries(bundled_encoders INTERFACE bundled_lzma_encoders bundled_zstd_dictionaries)
endfunction()

# Reading alone, and of that what src/unpack asks for.
if(UNSHADE_WASM)
  set(archive_config ${bundled}/libarchive_wasi.h)
else()
  set(archive_config ${bundled}/libarchive_windows.h)
endif()
unshade_bundled_library(archive libarchive INCLUDES libarchive LINKS z bz2 lzma zstd PUBLIC_DEFINES LIBARCHIVE_STATIC
  DEFINES PLATFORM_CONFIG_H="${archive_config}" __LIBARCHIVE_BUILD
  SOURCES libarchive/archive_acl.c libarchive/archive_blake2s*_ref.c libarchive/archive_check_magic.c libarchive/archive_cryptor.c
    libarchive/archive_digest.c libarchive/archive_entry*.c libarchive/archive_hmac.c libarchive/archive_options.c libarchive/archive_pack_dev.c
    libarchive/archive_pathmatch.c libarchive/archive_ppmd?.c libarchive/archive_random.c libarchive/archive_rb.c libarchive/archive_read.c
    libarchive/archive_read_add_passphrase.c libarchive/archive_read_append_filter.c libarchive/archive_read_set_*.c
    libarchive/archive_read_support_filter_bzip2.c libarchive/archive_read_support_filter_xz.c libarchive/archive_read_support_filter_none.c
    libarchive/archive_read_support_format_7zip.c libarchive/archive_read_support_format_ar.c libarchive/archive_read_support_format_cab.c
    libarchive/archive_read_support_format_cpio.c libarchive/archive_read_support_format_iso9660.c libarchive/archive_read_support_format_rar*.c
    libarchive/archive_read_support_format_raw.c libarchive/archive_read_support_format_tar.c libarchive/archive_read_support_format_zip.c
    libarchive/archive_string.c libarchive/archive_string_sprintf.c libarchive/archive_util.c libarchive/archive_virtual.c)

unshade_bundled_library(sqlite3 sqlite3 INCLUDES made SOURCES made/sqlite3.c
  DEFINES SQLITE_ENABLE_FTS5 SQLITE_OMIT_SHARED_CACHE SQLITE_OMIT_DEPRECATED SQLITE_DQS=0 SQLITE_ENABLE_DBSTAT_VTAB=0)

# Its headers of configured values, as libpng's below, are copies of those that the sources have for compilers without configure.
set(made ${PROJECT_BINARY_DIR}/bundled)
configure_file(${UNSHADE_LIBRARY_SOURCES}/pcre2/src/pcre2.h.generic ${made}/pcre2/pcre2.h COPYONLY)
configure_file(${UNSHADE_LIBRARY_SOURCES}/pcre2/src/config.h.generic ${made}/pcre2/config.h COPYONLY)
configure_file(${UNSHADE_LIBRARY_SOURCES}/pcre2/src/pcre2_chartables.c.dist ${made}/pcre2/pcre2_chartables.c COPYONLY)
set(pcre2)
foreach(name auto_possess chkdint compile config context convert dfa_match error extuni find_bracket jit_compile maketables match match_data newline ord2utf
    pattern_info script_run serialize string_utils study substitute substring tables ucd valid_utf xclass)
  list(APPEND pcre2 src/pcre2_${name}.c)
endforeach()
unshade_bundled_library(pcre2-8 pcre2 INCLUDES src PUBLIC_DEFINES PCRE2_STATIC DEFINES HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_UNICODE SOURCES ${pcre2})
target_sources(bundled_pcre2-8 PRIVATE ${made}/pcre2/pcre2_chartables.c)
target_include_directories(bundled_pcre2-8 SYSTEM BEFORE PUBLIC ${made}/pcre2)

if(UNSHADE_WASM)
  target_compile_definitions(bundled_lzma PRIVATE _WASI_EMULATED_SIGNAL)
  target_compile_options(bundled_lzma PRIVATE -include ${bundled}/lzma_wasi.h)
  target_compile_definitions(bundled_sqlite3 PRIVATE SQLITE_THREADSAFE=0 SQLITE_OMIT_LOAD_EXTENSION SQLITE_OMIT_WAL SQLITE_MAX_MMAP_SIZE=0 SQLITE_DEFAULT_UNIX_VFS="unix-none"
    SQLITE_TEMP_STORE=2 HAVE_USLEEP)
  target_compile_options(bundled_sqlite3 PRIVATE -include ${bundled}/sqlite_wasi.h)
else()
  # What Windows names otherwise, and its hashes.
  target_sources(bundled_archive PRIVATE ${UNSHADE_LIBRARY_SOURCES}/libarchive/libarchive/archive_windows.c)
  target_link_libraries(bundled_archive PUBLIC bcrypt)
  # Its headers include Windows', all of which define names such as interface and min.
  target_compile_definitions(bundled_archive INTERFACE NOMINMAX WIN32_LEAN_AND_MEAN)

  # What the command needs besides.
  configure_file(${UNSHADE_LIBRARY_SOURCES}/libpng1.6/scripts/pnglibconf.h.prebuilt ${made}/png/pnglibconf.h COPYONLY)
  unshade_bundled_library(png libpng1.6 INCLUDES . LINKS z
    SOURCES png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c
      pngwutil.c)
  target_include_directories(bundled_png SYSTEM PUBLIC ${made}/png)

  unshade_bundled_library(yaml libyaml INCLUDES include PUBLIC_DEFINES YAML_DECLARE_STATIC SOURCES src/*.c
    DEFINES YAML_VERSION_STRING="0" YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=0 YAML_VERSION_PATCH=0)
  list(APPEND licenses libpng1.6/LICENSE libyaml/License)

  # Those that are headers alone, as Debian installs them: not beside the system's other headers, which are not Windows'.
  set(UNSHADE_BUNDLED_HEADERS ${made}/headers)
  file(MAKE_DIRECTORY ${UNSHADE_BUNDLED_HEADERS})
  foreach(name CLI toml++ xxhash.h xxh3.h)
    if(NOT EXISTS /usr/include/${name})
      message(FATAL_ERROR "/usr/include/${name} is missing (Debian: libcli11-dev, libtomlplusplus-dev, libxxhash-dev)")
    endif()
    file(CREATE_LINK /usr/include/${name} ${UNSHADE_BUNDLED_HEADERS}/${name} SYMBOLIC)
  endforeach()
  add_library(CLI11::CLI11 INTERFACE IMPORTED)
  target_include_directories(CLI11::CLI11 INTERFACE ${UNSHADE_BUNDLED_HEADERS})
endif()

# Their licences, which what has them inside must have.
set(UNSHADE_BUNDLED_LICENSES ${PROJECT_BINARY_DIR}/LICENSE-files)
file(WRITE ${UNSHADE_BUNDLED_LICENSES}.made "The licences of the libraries of which parts are inside.\n")
foreach(license IN LISTS licenses)
  file(READ ${UNSHADE_LIBRARY_SOURCES}/${license} text)
  file(APPEND ${UNSHADE_BUNDLED_LICENSES}.made "\n---- ${license} ----\n\n${text}")
endforeach()
file(COPY_FILE ${UNSHADE_BUNDLED_LICENSES}.made ${UNSHADE_BUNDLED_LICENSES} ONLY_IF_DIFFERENT)

# What libraries.cmake finds elsewhere.
function(unshade_library variable name)
  set(${variable} NOTFOUND PARENT_SCOPE)
  if(TARGET bundled_${name})
    set(${variable} bundled_${name} PARENT_SCOPE)
  endif()
endfunction()
set(ZLIB_FOUND TRUE)
set(UNSHADE_ARCHIVE_HEADERS ${UNSHADE_LIBRARY_SOURCES}/libarchive/libarchive)
set(UNSHADE_SQLITE_HEADERS ${UNSHADE_LIBRARY_SOURCES}/sqlite3/made)
set(UNSHADE_PCRE2_HEADERS ${made}/pcre2)
if(TARGET bundled_png)
  set(PNG_FOUND TRUE)
  set(UNSHADE_YAML_HEADERS ${UNSHADE_LIBRARY_SOURCES}/libyaml/include)
  set(UNSHADE_TOMLPLUSPLUS ${UNSHADE_BUNDLED_HEADERS})
endif()
