/* The C interface: shaders opened, listed, reflected, checked, assembled, edited. C99, for C programs and for bindings of other languages.
 *
 * Objects are opaque; who gets one frees it, with the function of its name: unshade_shader_free and so on, which take NULL. What a function
 * returns by `const char *` or `const void *` belongs to the object that it was asked of and lives as long. Texts are UTF-8 where the file's
 * are, and end in a zero.
 *
 * Functions that can fail return an unshade_code, UNSHADE_OK or what went wrong, and set what they make to NULL where it is not made. The last
 * parameter, which may be NULL, takes an error that tells more. Nothing is thrown, nothing is printed, and there is no state besides the
 * objects: different objects may be used by different threads, and one object by several as long as none frees it.
 *
 * Structs begin with `struct_size`, set by the caller to sizeof of the struct: later versions add members at the end, and fill as many as
 * there is room for. Enumerators keep their numbers. docs/reference/c_api.md has examples.
 */
#ifndef UNSHADE_UNSHADE_H
#define UNSHADE_UNSHADE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(UNSHADE_SHARED)
#ifdef UNSHADE_BUILDING
#define UNSHADE_API __declspec(dllexport)
#else
#define UNSHADE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define UNSHADE_API __attribute__((visibility("default")))
#else
#define UNSHADE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions, codes, errors ---- */

/** The library's version: "0.1.0". */
UNSHADE_API const char *unshade_version(void);

typedef int32_t unshade_code;
enum {
  UNSHADE_OK = 0,
  UNSHADE_TRUNCATED = 1,    /* the bytes end before a field does */
  UNSHADE_OUT_OF_RANGE = 2, /* an offset, count or size points outside what it may reach */
  UNSHADE_BAD_MAGIC = 3,    /* not the format it claims to be, or none that is known */
  UNSHADE_BAD_VALUE = 4,    /* a value with no meaning in its place */
  UNSHADE_OVERLAP = 5,      /* records or parts share bytes that they may not share */
  UNSHADE_CYCLE = 6,        /* a record refers to itself */
  UNSHADE_LIMIT = 7,        /* a bound that protects readers was reached */
  UNSHADE_UNSUPPORTED = 8,  /* a known format or version that this version does not read, or what a family does not have */
  UNSHADE_MISSING = 9,      /* something that the request needs is not in the file */
  UNSHADE_OUT_OF_MEMORY = 100,
  UNSHADE_INVALID_ARGUMENT = 101 /* a NULL that may not be, an index beyond the end, a struct_size that is too small */
};

/** The identifier of a code: "out-of-range"; "unknown" for a number that is none. */
UNSHADE_API const char *unshade_code_name(unshade_code code);

typedef struct unshade_error unshade_error;
UNSHADE_API unshade_code unshade_error_code(const unshade_error *error);
/** Bytes from the start of the file. */
UNSHADE_API uint64_t unshade_error_offset(const unshade_error *error);
/** The field, outermost first: "ISGN/elements[3]/register". */
UNSHADE_API const char *unshade_error_path(const unshade_error *error);
/** A sentence without the place, not stable. */
UNSHADE_API const char *unshade_error_message(const unshade_error *error);
UNSHADE_API void unshade_error_free(unshade_error *error);

/* ---- bytes and texts that functions make ---- */

typedef struct unshade_blob unshade_blob;
/** Never NULL; after the last byte there is a zero that size does not count. */
UNSHADE_API const void *unshade_blob_data(const unshade_blob *blob);
UNSHADE_API size_t unshade_blob_size(const unshade_blob *blob);
UNSHADE_API void unshade_blob_free(unshade_blob *blob);

/* ---- opening ---- */

typedef int32_t unshade_family;
enum { UNSHADE_DXBC = 0, UNSHADE_DXIL = 1, UNSHADE_PICA = 2, UNSHADE_SPIRV = 3, UNSHADE_VBC = 4, UNSHADE_UNKNOWN_FAMILY = 5 };

/** "dxbc", "dxil", "pica", "spirv", "vbc", "unknown". */
UNSHADE_API const char *unshade_family_name(unshade_family family);
/** The family that the first bytes tell. */
UNSHADE_API unshade_family unshade_identify(const void *bytes, size_t size);

typedef struct unshade_shader unshade_shader;
/** Opens a file of any family; copies the bytes. */
UNSHADE_API unshade_code unshade_open(const void *bytes, size_t size, unshade_shader **shader, unshade_error **error);
/** The same without a copy: the bytes have to stay as they are until the shader is freed. */
UNSHADE_API unshade_code unshade_open_borrowed(const void *bytes, size_t size, unshade_shader **shader, unshade_error **error);
/** Opens a shader in source text, as fxc /Fh and others write it: the array of a name, or with NULL the only one that is a shader. Errors:
 *  missing where there is none; bad_value where there are several (the message names them), or an array that is no list of numbers. */
UNSHADE_API unshade_code unshade_open_source(const char *text, size_t size, const char *name, unshade_shader **shader,
                                             unshade_error **error);
UNSHADE_API void unshade_shader_free(unshade_shader *shader);
UNSHADE_API const void *unshade_shader_data(const unshade_shader *shader);
UNSHADE_API size_t unshade_shader_size(const unshade_shader *shader);

/* ---- what a file is ---- */

typedef struct unshade_summary {
  size_t struct_size;
  unshade_family family;
  uint32_t instruction_count; /* of the code; 0 where there is none */
  uint64_t size;              /* bytes of the file */
  const char *stage;          /* "pixel", "vertex", "compute", or "" */
  const char *profile;        /* "ps_5_0", or "" */
  const char *creator;        /* the compiler as the file names it, or "" */
  const char *digest;         /* "valid", "valid-debug", "unsigned", "bypass", "preview-bypass", "wrong"; "" for families without one */
  uint32_t part_count;
  uint32_t trailing; /* bytes behind the container */
} unshade_summary;
/** Texts belong to the shader. */
UNSHADE_API unshade_code unshade_summarize(const unshade_shader *shader, unshade_summary *summary);

typedef struct unshade_part {
  size_t struct_size;
  const char *name; /* "ISGN"; unprintable characters as \x1f */
  uint32_t offset;  /* of its header, bytes from the start of the file */
  uint32_t size;    /* of its data */
} unshade_part;
UNSHADE_API unshade_code unshade_part_at(const unshade_shader *shader, uint32_t index, unshade_part *part);
/** The data of a part, a copy. Errors: missing where there is no part of this index; unsupported for files without parts. */
UNSHADE_API unshade_code unshade_part_data(const unshade_shader *shader, uint32_t index, unshade_blob **data, unshade_error **error);

/** A way of naming shaders. */
typedef struct unshade_identity_kind {
  size_t struct_size;
  const char *id;      /* "crc32", "3dmigoto" */
  const char *tools;   /* that show it: "ReShade, RenoDX" */
  const char *summary; /* what it is computed of */
} unshade_identity_kind;
/** UNSHADE_INVALID_ARGUMENT beyond the last. */
UNSHADE_API unshade_code unshade_identity_kind_at(uint32_t index, unshade_identity_kind *kind);
/** The name that tools give a shader, of a kind and spelled as they do. Errors: missing where the shader has none of the kind. */
UNSHADE_API unshade_code unshade_identity(const unshade_shader *shader, const char *kind, unshade_blob **name, unshade_error **error);

/* ---- listing ---- */

enum {
  UNSHADE_LISTING_OFFSETS = 1,      /* the file offset in front of each instruction */
  UNSHADE_LISTING_BYTES = 2,        /* its tokens */
  UNSHADE_LISTING_EXACT = 4,        /* text that assembles to the very same bytes */
  UNSHADE_LISTING_EXACT_FLOATS = 8, /* DXBC: literals that give their bits back */
  UNSHADE_LISTING_NO_HEADER = 16,   /* the program alone */
  UNSHADE_LISTING_RAW_IDS = 32      /* SPIR-V: %17, not %main */
};
/** The listing, as the vendor's tool prints it. `flags`: UNSHADE_LISTING_* added together. */
UNSHADE_API unshade_code unshade_disassemble(const unshade_shader *shader, uint32_t flags, unshade_blob **text, unshade_error **error);

/** A listing with what its lines and words are. */
typedef struct unshade_listing unshade_listing;
/** `flags` as of unshade_disassemble(). */
UNSHADE_API unshade_code unshade_list(const unshade_shader *shader, uint32_t flags, unshade_listing **listing, unshade_error **error);
UNSHADE_API void unshade_listing_free(unshade_listing *listing);
UNSHADE_API const char *unshade_listing_text(const unshade_listing *listing);
UNSHADE_API size_t unshade_listing_size(const unshade_listing *listing);

/** The words of a line. Its text does not include the line end. Offset and size are those of its instruction in the file, in bytes;
 *  UNSHADE_NO_OFFSET and 0 for lines without one. Instructions of DXIL have the bytes up to the next record, since theirs are no whole ones. */
enum { UNSHADE_LINE_TEXT = 0, UNSHADE_LINE_TEXT_SIZE = 1, UNSHADE_LINE_OFFSET = 2, UNSHADE_LINE_SIZE = 3, UNSHADE_LINE_WORDS = 4 };
#define UNSHADE_NO_OFFSET 0xffffffffu
/** UNSHADE_LINE_WORDS words for each line; `count` is the number of lines. */
UNSHADE_API const uint32_t *unshade_listing_lines(const unshade_listing *listing, uint32_t *count);

enum {
  UNSHADE_TOKEN_OPCODE = 0,
  UNSHADE_TOKEN_VALUE = 1, /* a register, an id, a label */
  UNSHADE_TOKEN_NUMBER = 2,
  UNSHADE_TOKEN_TEXT = 3, /* in quotes */
  UNSHADE_TOKEN_COMMENT = 4,
  UNSHADE_TOKEN_DIRECTIVE = 5
};
/** Three words for each token of the listing, in their order: where it begins in the text, its size, and UNSHADE_TOKEN_*. What is between
 *  tokens are punctuation and other words. */
UNSHADE_API const uint32_t *unshade_listing_tokens(const unshade_listing *listing, uint32_t *count);

/* ---- control flow ---- */

enum {
  UNSHADE_GRAPH_JSON = 0, /* docs/reference/json/graph.schema.json: blocks, edges, nesting, and where a drawing has them */
  UNSHADE_GRAPH_SVG = 1,
  UNSHADE_GRAPH_DOT = 2, /* for Graphviz */
  UNSHADE_GRAPH_TEXT = 3 /* an outline */
};
typedef struct unshade_graph_options {
  size_t struct_size;
  const char *file;      /* the name of the file in the document; or NULL */
  const char *function;  /* the only one, as the listing calls it; NULL: all */
  const uint32_t *folded; /* blocks of this function whose loop, or whose arms, are drawn as one block; or NULL */
  size_t folded_count;
  uint32_t listing_flags; /* UNSHADE_LISTING_* of the listing whose lines the blocks name */
  uint32_t lines;         /* of a block's text at most; 0: 40; 0xffffffff: all */
  uint32_t columns;       /* of a line at most; 0: 100 */
  uint32_t reserved;
} unshade_graph_options;
/** The control flow of each function, in one of the forms UNSHADE_GRAPH_*. `options` may be NULL. Errors: missing for a file without code, a
 *  function or block that is not there; unsupported for effects; bad value for code whose blocks do not fit; limit for a drawing that would
 *  be out of proportion. */
UNSHADE_API unshade_code unshade_graph(const unshade_shader *shader, int32_t form, const unshade_graph_options *options, unshade_blob **text,
                                       unshade_error **error);

/* ---- every byte by name ---- */

/** The fields of a file: a flat array, groups before what is in them. Every byte belongs to a field. */
typedef struct unshade_tree unshade_tree;
/** Those of a shader, which may be freed before; the bytes of one of unshade_open_borrowed() have to stay as they are until both are. */
UNSHADE_API unshade_code unshade_shader_annotate(const unshade_shader *shader, unshade_tree **tree, unshade_error **error);
/** Those of any bytes; copies them. A file that is damaged, or no shader, has fields as far as it can be read; unshade_tree_error_at() tells the
 *  faults. */
UNSHADE_API unshade_code unshade_annotate(const void *bytes, size_t size, unshade_tree **tree, unshade_error **error);
UNSHADE_API void unshade_tree_free(unshade_tree *tree);

enum {
  UNSHADE_FIELD_GROUP = 0,
  UNSHADE_FIELD_UNSIGNED = 1,
  UNSHADE_FIELD_SIGNED = 2,
  UNSHADE_FIELD_HEXADECIMAL = 3,
  UNSHADE_FIELD_OFFSET = 4, /* bytes from the start of the part's data */
  UNSHADE_FIELD_REAL = 5,
  UNSHADE_FIELD_ENUMERATION = 6,
  UNSHADE_FIELD_FLAGS = 7,
  UNSHADE_FIELD_BITS = 8, /* several fields in an integer */
  UNSHADE_FIELD_COMPONENT_MASK = 9,
  UNSHADE_FIELD_FOURCC = 10,
  UNSHADE_FIELD_TEXT = 11,
  UNSHADE_FIELD_BYTES = 12,
  UNSHADE_FIELD_PADDING = 13,
  UNSHADE_FIELD_UNKNOWN = 14, /* bytes that no description accounts for */
  UNSHADE_FIELD_CUSTOM = 15   /* text made of the bytes, such as an instruction */
};
/** The words of a field: the group that it is in (the root, 0, is its own), bytes from the start of the file, bytes, its place in an array or
 *  UNSHADE_NO_OFFSET, the number of its name, UNSHADE_FIELD_*. */
enum {
  UNSHADE_FIELD_PARENT = 0,
  UNSHADE_FIELD_AT = 1,
  UNSHADE_FIELD_SIZE = 2,
  UNSHADE_FIELD_INDEX = 3,
  UNSHADE_FIELD_NAME = 4,
  UNSHADE_FIELD_KIND = 5,
  UNSHADE_FIELD_WORDS = 6
};
/** UNSHADE_FIELD_WORDS words for each field; `count` is the number of fields. */
UNSHADE_API const uint32_t *unshade_tree_fields(const unshade_tree *tree, uint32_t *count);
/** A name by its number; NULL beyond the last. */
UNSHADE_API const char *unshade_tree_name(const unshade_tree *tree, uint32_t number);
/** "ISGN/elements[3]/register". */
UNSHADE_API unshade_code unshade_tree_path(const unshade_tree *tree, uint32_t field, unshade_blob **path, unshade_error **error);
/** The value as text; empty for groups. */
UNSHADE_API unshade_code unshade_tree_value(const unshade_tree *tree, uint32_t field, unshade_blob **text, unshade_error **error);
/** The field that a byte belongs to, or that a path names; 0 where there is none. */
UNSHADE_API uint32_t unshade_tree_at(const unshade_tree *tree, uint64_t offset);
UNSHADE_API uint32_t unshade_tree_find(const unshade_tree *tree, const char *path);

/** A part of a field's value: a field of bits, a flag, or a value that an enumeration may have. */
typedef struct unshade_detail {
  size_t struct_size;
  const char *name;
  uint32_t value;     /* of the bits; of a flag, its mask; of an enumeration, the number behind the name */
  uint32_t first_bit; /* of a field of bits */
  uint32_t bit_count; /* of a field of bits; 0 for others */
  int32_t is_set;     /* not 0: the flag is set, this is the value that the field has; of bits, the value is not 0 */
  const char *meaning; /* of the value of bits with names; or "" */
} unshade_detail;
/** UNSHADE_INVALID_ARGUMENT beyond the last, which is the first for fields of other kinds. */
UNSHADE_API unshade_code unshade_tree_detail_at(const unshade_tree *tree, uint32_t field, uint32_t index, unshade_detail *detail);

UNSHADE_API uint32_t unshade_tree_error_count(const unshade_tree *tree);
/** A fault that ended the reading of a part: an unshade_message of the severity "error", its rule the code's name. */
struct unshade_message;
UNSHADE_API unshade_code unshade_tree_error_at(const unshade_tree *tree, uint32_t index, struct unshade_message *message);

/* ---- documents of JSON ---- */

enum {
  UNSHADE_JSON_INFO = 0,       /* docs/reference/json/info.schema.json */
  UNSHADE_JSON_REFLECTION = 1, /* reflect.schema.json */
  UNSHADE_JSON_TREE = 2,       /* dump.schema.json */
  UNSHADE_JSON_FINDINGS = 3,   /* validate.schema.json */
  UNSHADE_JSON_DOCUMENT = 4,   /* document.schema.json: the whole file, of which unshade_build() makes it again */
  UNSHADE_JSON_DOCUMENT_WITHOUT_HINTS = 5, /* the same without offsets: the built file may have a different layout */
  UNSHADE_YAML_DOCUMENT = 6,               /* the document as YAML */
  UNSHADE_YAML_DOCUMENT_WITHOUT_HINTS = 7,
  UNSHADE_JSON_IDENTITIES = 8, /* hash.schema.json */
  UNSHADE_JSON_SOURCES = 9     /* sources.schema.json */
};
/** What the command prints of a file with --json, as the schemas of docs/reference/json say. `name`: that of the file in the document; may be
 *  NULL. Errors: missing and unsupported for what the file does not have, those of its parts. */
UNSHADE_API unshade_code unshade_shader_json(const unshade_shader *shader, const char *name, int32_t what, unshade_blob **text,
                                             unshade_error **error);
/** The same of a file that is not open. Errors: those of opening too, but for UNSHADE_JSON_TREE and UNSHADE_JSON_FINDINGS, which tell them. */
UNSHADE_API unshade_code unshade_json(const void *bytes, size_t size, const char *name, int32_t what, unshade_blob **text,
                                      unshade_error **error);
/** Makes a file of a document in JSON. Errors: bad value and others at an offset of the text, with the field as path. */
UNSHADE_API unshade_code unshade_build(const char *text, size_t size, unshade_blob **file, unshade_error **error);

/** What differs between two shaders by meaning: docs/reference/json/diff.schema.json. `exact_text`: not 0: listings are compared as they are
 *  printed. Names may be NULL. */
UNSHADE_API unshade_code unshade_diff(const unshade_shader *before, const char *before_name, const unshade_shader *after,
                                      const char *after_name, int exact_text, unshade_blob **json, unshade_error **error);

/* ---- shaders inside other files ---- */

typedef struct unshade_hits unshade_hits;
/** Looks for shaders in a piece of a file: those that begin in its first `starts` bytes. `offset`: of the piece in the file; `is_last`: not 0
 *  if the file ends with it. Of a whole file: 0, its size, 1. A shader that may reach beyond the piece is unfinished: another call, with a
 *  piece that begins there, `starts` 1 and more bytes, tells. Time is bounded in proportion to the piece. */
UNSHADE_API unshade_code unshade_find(const void *piece, size_t size, uint64_t offset, size_t starts, int is_last, unshade_hits **hits,
                                      unshade_error **error);
UNSHADE_API void unshade_hits_free(unshade_hits *hits);
UNSHADE_API uint32_t unshade_hit_count(const unshade_hits *hits);

/** The parent of what lies in no other shader. */
#define UNSHADE_NO_PARENT 0xffffffffffffffffull
typedef struct unshade_hit {
  size_t struct_size;
  uint64_t offset;       /* bytes from the start of the file */
  uint64_t size;         /* bytes; of what is unfinished, those that tell, or 0 if that is not known */
  uint64_t parent;       /* offset of the hit that it lies in, or UNSHADE_NO_PARENT */
  const char *form;      /* "container", "spirv", "shbin", "vbc", "bitcode", "database"; "" of what is unfinished */
  const char *certainty; /* "certain", "likely", "possible", "unfinished" */
  unshade_family family;
  uint32_t reserved;
} unshade_hit;
/** What was found, by offset; then what is unfinished. */
UNSHADE_API unshade_code unshade_hit_at(const unshade_hits *hits, uint32_t index, unshade_hit *hit);

/* ---- shaders in archives, compressed files and files of engines ---- */

/* Only in libraries that were built with the component unpack; others answer UNSHADE_UNSUPPORTED. docs/howto/scan.md has the formats. */
typedef struct unshade_packed unshade_packed;
enum {
  UNSHADE_UNPACK_STREAMS = 1 /* compressed streams anywhere, too */
};
/** Looks for shaders in bytes as they are, and in what is packed in them, layer by layer. What cannot be unpacked is a fault of the result.
 *  `flags`: UNSHADE_UNPACK_STREAMS or 0. Time and memory are bounded in proportion to the bytes. */
UNSHADE_API unshade_code unshade_unpack(const void *bytes, size_t size, uint32_t flags, unshade_packed **packed, unshade_error **error);
/** The same of a file, which is read piece by piece. UNSHADE_MISSING if it cannot be read to its end. */
UNSHADE_API unshade_code unshade_unpack_file(const char *path, uint32_t flags, unshade_packed **packed, unshade_error **error);
UNSHADE_API void unshade_packed_free(unshade_packed *packed);
UNSHADE_API uint32_t unshade_packed_count(const unshade_packed *packed);

typedef struct unshade_packed_shader {
  size_t struct_size;
  uint64_t offset;       /* bytes from the start of the file or, if there are layers, of what the last one holds */
  uint64_t size;         /* bytes */
  uint64_t parent;       /* as in unshade_hit */
  const char *form;      /* likewise */
  const char *certainty; /* likewise */
  const char *stage;     /* "pixel", or "" */
  const char *profile;   /* "ps_5_0", or "" */
  unshade_family family;
  uint32_t layer_count; /* 0: it lies in the file as it is */
} unshade_packed_shader;
/** Those of the file as it is by offset, then those of members in their order. */
UNSHADE_API unshade_code unshade_packed_at(const unshade_packed *packed, uint32_t index, unshade_packed_shader *shader);

/** The offset of a layer that is no stream among other bytes. */
#define UNSHADE_NO_STREAM 0xffffffffffffffffull
typedef struct unshade_layer {
  size_t struct_size;
  const char *form;   /* "zip", "gzip", "unityfs" */
  const char *member; /* its name there, or "" */
  uint64_t offset;    /* of a stream, bytes; or UNSHADE_NO_STREAM */
} unshade_layer;
/** What a shader was unpacked from, `layer` 0 the outermost. */
UNSHADE_API unshade_code unshade_packed_layer_at(const unshade_packed *packed, uint32_t index, uint32_t layer, unshade_layer *row);
/** The shader's bytes. UNSHADE_MISSING if they can be read no more: the file has changed, or the disk was full. */
UNSHADE_API unshade_code unshade_packed_data(const unshade_packed *packed, uint32_t index, unshade_blob **data, unshade_error **error);
/** What could not be unpacked: `path` names the layers, "!textures.zip!(gzip)", `rule` is a code's name, `offset` is one of the packed bytes; the
 *  text begins with the name of a member that is at fault. */
UNSHADE_API uint32_t unshade_packed_fault_count(const unshade_packed *packed);
UNSHADE_API unshade_code unshade_packed_fault_at(const unshade_packed *packed, uint32_t index, struct unshade_message *fault);

/* ---- databases of shaders ---- */

/* Only in libraries that were built with the component unpack, SQLite and PCRE2; others answer UNSHADE_UNSUPPORTED. docs/howto/search.md has examples,
 * docs/reference/database.md what is in one. Errors of a database: bad value, it is damaged; bad magic, it is none, or of another version;
 * missing, it cannot be read or written. One index is for one thread at a time. */
typedef struct unshade_index unshade_index;
struct unshade_messages;
enum {
  UNSHADE_INDEX_MAKE = 1, /* to change it; a file that is absent or empty becomes a database */
  UNSHADE_INDEX_KEEP = 2, /* with UNSHADE_INDEX_MAKE: it keeps the bytes of each shader */
  UNSHADE_INDEX_TEXT = 4  /* with UNSHADE_INDEX_MAKE: it keeps the words of each listing */
};
/** Opens a database. UNSHADE_INVALID_ARGUMENT if one that is there does not keep what `flags` asks for. */
UNSHADE_API unshade_code unshade_index_open(const char *path, uint32_t flags, unshade_index **index, unshade_error **error);
UNSHADE_API void unshade_index_free(unshade_index *index);

enum {
  UNSHADE_INDEX_UPDATE = 1,  /* leave out files that have not changed, and forget those below the roots that are gone */
  UNSHADE_INDEX_STREAMS = 2, /* search compressed streams anywhere, too */
  UNSHADE_INDEX_AS_IT_IS = 4 /* do not unpack archives and compressed files */
};
typedef struct unshade_index_options {
  size_t struct_size;
  uint32_t flags;   /* UNSHADE_INDEX_UPDATE, _STREAMS, _AS_IT_IS */
  uint32_t threads; /* up to 256; 0: one */
} unshade_index_options;
typedef struct unshade_index_totals {
  size_t struct_size;
  uint64_t files;     /* that were searched */
  uint64_t unchanged; /* files that were left out */
  uint64_t removed;   /* files that are gone */
  uint64_t bytes;     /* that were searched */
  uint64_t shaders;   /* in the files that were searched */
  uint64_t added;     /* shaders that the database did not have */
} unshade_index_totals;
/** Searches regular files for shaders, which are added. `roots`: files and folders of which `files` are all there is, for
 *  UNSHADE_INDEX_UPDATE. `faults` gets what cannot be read or unpacked: `path` is the file with the layers in it, `rule` a code's name, or
 *  "io" for the file itself. Options, totals and faults may be NULL. The database is whole at any moment. */
UNSHADE_API unshade_code unshade_index_add(unshade_index *index, const char *const *files, size_t file_count, const char *const *roots,
                                           size_t root_count, const unshade_index_options *options, unshade_index_totals *totals,
                                           struct unshade_messages **faults, unshade_error **error);
/** Takes a file out. Its shaders stay, without the place; a file that is not there changes nothing. */
UNSHADE_API unshade_code unshade_index_remove(unshade_index *index, const char *file, unshade_error **error);
typedef struct unshade_index_merged {
  size_t struct_size;
  uint64_t files;    /* that the other databases have */
  uint64_t replaced; /* of them, files that the index had with shaders that they do not have any more */
  uint64_t added;    /* shaders that the index did not have */
} unshade_index_merged;
/** Adds all that other databases have, each in one transaction. Of a file that the index has already, the new shaders replace the old ones. All
 *  databases are checked first: UNSHADE_INVALID_ARGUMENT if one is the index itself, lacks bytes or words that the index keeps, or has a file
 *  with other shaders than that of the same path in one before it. The path of an error of the second database is "others[1]"; it is empty
 *  if the index is at fault. `merged` may be NULL. */
UNSHADE_API unshade_code unshade_index_merge(unshade_index *index, const char *const *others, size_t other_count,
                                             unshade_index_merged *merged, unshade_error **error);
/** Reads all of it: UNSHADE_BAD_VALUE if something in it is wrong. */
UNSHADE_API unshade_code unshade_index_check(unshade_index *index, unshade_error **error);
/** What is in it, counted: docs/reference/json/index-stats.schema.json. `name`: that of the database in the document; may be NULL. */
UNSHADE_API unshade_code unshade_index_stats(unshade_index *index, const char *name, unshade_blob **json, unshade_error **error);

enum {
  UNSHADE_HAS_NAME = 0,    /* a part of a name in the interface, in small or capital letters */
  UNSHADE_HAS_BINDING = 1, /* "cbuffer:Camera", "Camera", "t3", "input:TEXCOORD*" */
  UNSHADE_HAS_OPCODE = 2,  /* "sample*", as listings spell it */
  UNSHADE_HAS_HASH = 3,    /* a name that any tool gives the shader, or its first eight digits; once */
  UNSHADE_HAS_COLUMNS = 4, /* SQL over the view `shaders`: "profile = 'ps_5_0' and size > 9000"; once */
  UNSHADE_HAS_WORDS = 5    /* words of its listing, if the database keeps them; once */
};
typedef struct unshade_condition {
  int32_t what; /* UNSHADE_HAS_* */
  const char *text;
} unshade_condition;
typedef struct unshade_search_options {
  size_t struct_size;
  const unshade_shader *like; /* shaders with similar opcodes, the most similar first; or NULL */
  double threshold;           /* the least similarity to `like`, from 0 to 1 */
  const char *regex;          /* shaders with lines of listings that match, Perl-compatible; or NULL */
  int32_t ignore_case;        /* not 0: small and capital letters are the same to `regex` */
  uint32_t context;           /* lines that are given before and after each */
  uint32_t threads;           /* for `regex`, up to 256; 0: one */
  uint32_t reserved;
  uint64_t limit; /* the most shaders that are given; 0: all */
} unshade_search_options;
/** The shaders that fulfil all conditions, an object of JSON on a line for each: docs/reference/json/search.schema.json. `item_size`:
 *  sizeof(unshade_condition). `faults`, which may be NULL, gets the files that shaders are in no more that `regex` asks for. The path of an
 *  error that a condition is to blame for names it: "binds", "hash", "where", "words", "regex", "like", "conditions". */
UNSHADE_API unshade_code unshade_index_search(unshade_index *index, const unshade_condition *conditions, size_t count, size_t item_size,
                                              const unshade_search_options *options, struct unshade_messages **faults,
                                              unshade_blob **rows, unshade_error **error);

/* ---- the same as text for people ---- */

enum {
  UNSHADE_TEXT_INFO = 0, /* a line */
  UNSHADE_TEXT_TREE = 1, /* a line for each field */
  UNSHADE_TEXT_HEX = 2,  /* every byte with its field */
  UNSHADE_TEXT_FINDINGS = 3
};
/** What the command prints of a file: `info`, `dump`, `dump --hex`, `validate`. `name`: that of the file in the text; may be NULL. */
UNSHADE_API unshade_code unshade_shader_text(const unshade_shader *shader, const char *name, int32_t what, unshade_blob **text,
                                             unshade_error **error);
/** The same of a file that is not open. Errors: those of opening, of UNSHADE_TEXT_INFO alone. */
UNSHADE_API unshade_code unshade_text(const void *bytes, size_t size, const char *name, int32_t what, unshade_blob **text,
                                      unshade_error **error);
/** What `diff` prints: unshade_diff() as text, with `context` lines of code around each difference. */
UNSHADE_API unshade_code unshade_diff_text(const unshade_shader *before, const char *before_name, const unshade_shader *after,
                                           const char *after_name, int exact_text, uint32_t context, unshade_blob **text,
                                           unshade_error **error);

/* ---- reflection ---- */

typedef struct unshade_reflection unshade_reflection;
UNSHADE_API unshade_code unshade_reflect(const unshade_shader *shader, unshade_reflection **reflection, unshade_error **error);
UNSHADE_API void unshade_reflection_free(unshade_reflection *reflection);
/** All of it as tables for people, or as HLSL declarations. */
UNSHADE_API unshade_code unshade_reflection_text(const unshade_reflection *reflection, unshade_blob **text, unshade_error **error);
UNSHADE_API unshade_code unshade_reflection_hlsl(const unshade_reflection *reflection, unshade_blob **text, unshade_error **error);

typedef struct unshade_entry_point {
  size_t struct_size;
  const char *name;  /* "" where the file does not tell */
  const char *stage; /* "pixel" */
  uint32_t input_count;
  uint32_t output_count;
  uint32_t patch_constant_count;
  uint32_t thread_group[3]; /* 0 0 0 where it has none */
  uint64_t required_features; /* D3D_SHADER_REQUIRES_* */
} unshade_entry_point;
UNSHADE_API uint32_t unshade_entry_point_count(const unshade_reflection *reflection);
UNSHADE_API unshade_code unshade_entry_point_at(const unshade_reflection *reflection, uint32_t index, unshade_entry_point *entry);

enum { UNSHADE_INPUTS = 0, UNSHADE_OUTPUTS = 1, UNSHADE_PATCH_CONSTANTS = 2 };
typedef struct unshade_element {
  size_t struct_size;
  const char *semantic; /* or the variable's name, of families without semantics */
  uint32_t semantic_index;
  uint32_t register_index; /* or location; 0xffffffff: none */
  uint32_t component_mask; /* bit 0: x */
  uint32_t used_mask;      /* of what is taken in: components read; of what is given out: those that may be written */
  uint32_t stream;
  const char *system_value;   /* "SV_Position", or "" */
  const char *component_type; /* "float" */
} unshade_element;
/** An element of an entry point's signature; `list`: UNSHADE_INPUTS and so on. */
UNSHADE_API unshade_code unshade_element_at(const unshade_reflection *reflection, uint32_t entry, int32_t list, uint32_t index,
                                            unshade_element *element);

typedef struct unshade_resource {
  size_t struct_size;
  const char *name;
  const char *kind; /* "texture", "cbuffer", "sampler", "uav_typed" */
  uint32_t bind_point; /* register, or binding */
  uint32_t bind_count; /* 0: unbounded */
  uint32_t space;      /* register space, or descriptor set */
  uint32_t buffer;     /* index of what it holds; 0xffffffff: none */
} unshade_resource;
UNSHADE_API uint32_t unshade_resource_count(const unshade_reflection *reflection);
UNSHADE_API unshade_code unshade_resource_at(const unshade_reflection *reflection, uint32_t index, unshade_resource *resource);

typedef struct unshade_buffer {
  size_t struct_size;
  const char *name;
  uint32_t size; /* bytes */
  uint32_t variable_count;
} unshade_buffer;
UNSHADE_API uint32_t unshade_buffer_count(const unshade_reflection *reflection);
UNSHADE_API unshade_code unshade_buffer_at(const unshade_reflection *reflection, uint32_t index, unshade_buffer *buffer);

typedef struct unshade_variable {
  size_t struct_size;
  const char *name;
  const char *type; /* as HLSL spells it, "row_major float4x3", without an array's brackets */
  uint32_t offset;  /* bytes from the start of the buffer */
  uint32_t size;    /* bytes */
  uint32_t elements; /* of an array; 0: none */
} unshade_variable;
UNSHADE_API unshade_code unshade_variable_at(const unshade_reflection *reflection, uint32_t buffer, uint32_t index,
                                             unshade_variable *variable);

/* ---- checking and assembling ---- */

typedef struct unshade_messages unshade_messages;
UNSHADE_API void unshade_messages_free(unshade_messages *messages);
UNSHADE_API uint32_t unshade_message_count(const unshade_messages *messages);
/** Whether one of them is an error. */
UNSHADE_API int unshade_has_errors(const unshade_messages *messages);

typedef struct unshade_message {
  size_t struct_size;
  const char *severity; /* "note", "warning", "error" */
  const char *rule;     /* stable: "isgn.mask-overlap" */
  const char *path;     /* of a field, or "" */
  const char *text;
  uint64_t offset; /* of the field, bytes from the start of the file */
  uint32_t line;   /* of an assembler's source, from 1; 0: none */
  uint32_t column; /* from 1, in bytes; 0: the whole line */
} unshade_message;
UNSHADE_API unshade_code unshade_message_at(const unshade_messages *messages, uint32_t index, unshade_message *message);

/** All findings against the rules of a file's format, by their offsets. */
UNSHADE_API unshade_code unshade_shader_validate(const unshade_shader *shader, unshade_messages **findings, unshade_error **error);
/** The same of bytes, which need not be a file that opens. */
UNSHADE_API unshade_code unshade_validate(const void *bytes, size_t size, unshade_messages **findings, unshade_error **error);

/** Assembles a listing. `language`: of the text; UNSHADE_UNKNOWN_FAMILY: what it looks like. `messages` may be NULL; it is set also where
 *  the text has errors, which is UNSHADE_BAD_VALUE with the first of them. Of DXIL, bitcode alone comes out. */
UNSHADE_API unshade_code unshade_assemble(unshade_family language, const char *text, size_t size, unshade_blob **file,
                                          unshade_messages **messages, unshade_error **error);

/** How a text is assembled. */
typedef struct unshade_assemble_options {
  size_t struct_size;
  unshade_family language; /* UNSHADE_UNKNOWN_FAMILY: what the text looks like */
  int make_container;      /* DXIL: not 0: a container for the program, with all that follows from it */
  const void *into;        /* DXIL: or NULL: the container in a copy of which the program takes the place of the one that is there */
  size_t into_size;
} unshade_assemble_options;
/** unshade_assemble() with more to say. UNSHADE_INVALID_ARGUMENT: both containers, or one for a text that is not DXIL. */
UNSHADE_API unshade_code unshade_assemble_with(const unshade_assemble_options *options, const char *text, size_t size, unshade_blob **file,
                                               unshade_messages **messages, unshade_error **error);

/* ---- edits ---- */

/** What came of an edit. */
typedef struct unshade_edit unshade_edit;
UNSHADE_API void unshade_edit_free(unshade_edit *edit);
/** The whole file. */
UNSHADE_API const void *unshade_edit_data(const unshade_edit *edit);
UNSHADE_API size_t unshade_edit_size(const unshade_edit *edit);
/** 0: the bytes are the file's as they were. */
UNSHADE_API int unshade_edit_changed(const unshade_edit *edit);
UNSHADE_API uint32_t unshade_edit_note_count(const unshade_edit *edit);
/** What could not follow the edit, and why that does no harm; NULL beyond the end. */
UNSHADE_API const char *unshade_edit_note(const unshade_edit *edit, uint32_t index);

enum {
  UNSHADE_STRIP_DEBUG = 1,
  UNSHADE_STRIP_REFLECTION = 2,
  UNSHADE_STRIP_PRIVATE_DATA = 4,
  UNSHADE_STRIP_ROOT_SIGNATURE = 8,
  UNSHADE_STRIP_STATISTICS = 16,
  UNSHADE_STRIP_DEBUG_NAME = 32,
  UNSHADE_STRIP_NAMES = 64 /* by which programs find uniforms at run time: PICA200, VBC */
};
/** Removes what `what` names. `what`: UNSHADE_STRIP_* added together; a family ignores what it does not have. */
UNSHADE_API unshade_code unshade_strip(const unshade_shader *shader, uint32_t what, unshade_edit **edit, unshade_error **error);

enum {
  UNSHADE_RENAME_ENTRY = 0,
  UNSHADE_RENAME_INPUT = 1,
  UNSHADE_RENAME_OUTPUT = 2,
  UNSHADE_RENAME_PATCH = 3,
  UNSHADE_RENAME_RESOURCE = 4,
  UNSHADE_RENAME_VARIABLE = 5,
  UNSHADE_RENAME_NODE = 6 /* the id of a work graph node */
};
typedef struct unshade_rename_item {
  int32_t what;     /* UNSHADE_RENAME_* */
  const char *from; /* "TEXCOORD1", "g_albedo"; "" with UNSHADE_RENAME_ENTRY: the only one */
  const char *to;
} unshade_rename_item;
/** `item_size`: sizeof(unshade_rename_item). */
UNSHADE_API unshade_code unshade_rename(const unshade_shader *shader, const unshade_rename_item *items, size_t count, size_t item_size,
                                        unshade_edit **edit, unshade_error **error);

typedef struct unshade_rebind_item {
  uint32_t kind; /* 't', 's', 'u', 'b' of Direct3D; 'c', 'i', 'b' of the PICA200; 0 where the family has but one kind */
  uint32_t from; /* first register, or binding */
  uint32_t from_space;
  uint32_t to;
  uint32_t to_space; /* 0xffffffff: stays */
} unshade_rebind_item;
/** All at once, so that two may change places. `item_size`: sizeof(unshade_rebind_item). */
UNSHADE_API unshade_code unshade_rebind(const unshade_shader *shader, const unshade_rebind_item *items, size_t count, size_t item_size,
                                        unshade_edit **edit, unshade_error **error);

/** Gives a field another value, as unshade_tree_value() shows it (of text, without the quotes). Sizes stay; a digest that was right is made
 *  right again. Errors: missing for a path that no field has; unsupported for groups and instructions; bad value for a text that is no value
 *  of the field, and where the file would not open any more. */
UNSHADE_API unshade_code unshade_set_field(const unshade_shader *shader, const char *path, const char *value, unshade_edit **edit,
                                           unshade_error **error);

enum {
  UNSHADE_SIGN_KEEP = 0,     /* right: of the variant that it is of, if it is of one, else standard */
  UNSHADE_SIGN_STANDARD = 1, /* as compilers and validators compute it */
  UNSHADE_SIGN_DEBUG = 2,    /* the debug variant */
  UNSHADE_SIGN_BYPASS = 3,   /* the sentinel of a shader that is not to be checked */
  UNSHADE_SIGN_PREVIEW_BYPASS = 4,
  UNSHADE_SIGN_ZERO = 5
};
/** Gives a container another digest; `with_hash`: not 0 to make the HASH part of DXIL right, too. Errors: unsupported for files that are no
 *  container. */
UNSHADE_API unshade_code unshade_sign(const unshade_shader *shader, int32_t how, int with_hash, unshade_edit **edit, unshade_error **error);

enum { UNSHADE_PART_ADD = 0, UNSHADE_PART_REPLACE = 1, UNSHADE_PART_REMOVE = 2 };
/** Adds, replaces or removes a part of a container by its FourCC; `data` is NULL with UNSHADE_PART_REMOVE. */
UNSHADE_API unshade_code unshade_change_part(const unshade_shader *shader, int32_t what, const char *name, const void *data, size_t size,
                                             unshade_edit **edit, unshade_error **error);

/** The root signature of a shader as the text of [RootSignature("...")]. Errors: missing. */
UNSHADE_API unshade_code unshade_shader_root_signature_text(const unshade_shader *shader, unshade_blob **text, unshade_error **error);
/** The same of bytes: a container, a database or a part alone. */
UNSHADE_API unshade_code unshade_root_signature_text(const void *bytes, size_t size, unshade_blob **text, unshade_error **error);
/** Makes the data of a part RTS0 of such a text, or of HLSL source with one. `messages` may be NULL; it is set also where the text has
 *  errors, which is UNSHADE_BAD_VALUE. */
UNSHADE_API unshade_code unshade_root_signature_make(const char *text, size_t size, unshade_blob **part, unshade_messages **messages,
                                                     unshade_error **error);
/** Gives a container a root signature, the data of a part RTS0; takes it off with NULL. What it does not bind does not stop it: notes of the
 *  edit tell. Errors: unsupported for what is no container, and for libraries; missing where there is none to take off. */
UNSHADE_API unshade_code unshade_root_signature_attach(const unshade_shader *shader, const void *part, size_t size, unshade_edit **edit,
                                                       unshade_error **error);

typedef struct unshade_source_text {
  const char *name; /* as the compiler would be given it */
  const char *text;
} unshade_source_text;
/** Gives a shader these sources in the place of what it had; UNSHADE_JSON_SOURCES tells them. `item_size`: sizeof(unshade_source_text).
 *  Errors: unsupported for DXBC and PICA200, which hold none that could be made. */
UNSHADE_API unshade_code unshade_embed_sources(const unshade_shader *shader, const unshade_source_text *items, size_t count, size_t item_size,
                                               unshade_edit **edit, unshade_error **error);

/* ---- putting files together ---- */

/** A VBC of SPIR-V modules, each the stage of its entry point, its tables derived from them. `like`: a VBC from which what no stage declares
 *  is taken; or NULL. Errors: invalid argument for files of other families; those of pack. */
UNSHADE_API unshade_code unshade_pack(const unshade_shader *const *modules, size_t count, const unshade_shader *like, unshade_blob **file,
                                      unshade_error **error);
/** One SHBIN of several, objects among them. Errors: invalid argument for files of other families; limit, missing. */
UNSHADE_API unshade_code unshade_link(const unshade_shader *const *files, size_t count, unshade_blob **file, unshade_error **error);

/* ---- running ---- */

/** A shader made ready to run, and its inputs, which stay from run to run until they are set again. Used by one thread at a time. */
typedef struct unshade_program unshade_program;
/** `entry`: the entry point of a module with several ("main", or if several have that name "main:pixel"); NULL for the first. The shader may be
 *  freed before. Errors: unsupported for what cannot run, such as ray tracing; those of damaged programs. */
UNSHADE_API unshade_code unshade_program_new(const unshade_shader *shader, const char *entry, unshade_program **program,
                                             unshade_error **error);
/** The same with the entry point that a case names (JSON, as of unshade_run_case()); the first if it names none. Errors: those of
 *  unshade_program_new(); of a text that is no JSON or no object. */
UNSHADE_API unshade_code unshade_program_of_case(const unshade_shader *shader, const char *text, size_t size, unshade_program **program,
                                                 unshade_error **error);
UNSHADE_API void unshade_program_free(unshade_program *program);
/** A variable of a constant buffer by its name: `count` numbers, of a matrix row by row. Faults of names and numbers are reported by the
 *  runs. */
UNSHADE_API unshade_code unshade_set_constant(unshade_program *program, const char *variable, const double *values, size_t count);
/** A buffer; copies the bytes, or with NULL has zeros. `resource`, as `sampler` below: a name or binding ("lights", "maps[3]", "u0"), in any of
 *  the ways of docs/reference/cases.md, "Names of resources". `format`: of a typed buffer, in the words of DXGI ("R32_FLOAT"); else NULL. */
UNSHADE_API unshade_code unshade_set_buffer(unshade_program *program, const char *resource, const void *bytes, size_t size,
                                            const char *format);
/** A texture of one level, its texels row by row as the format has them. `bytes` may be NULL: zeros. */
UNSHADE_API unshade_code unshade_set_texture(unshade_program *program, const char *resource, uint32_t width, uint32_t height,
                                             const char *format, const void *bytes, size_t size);
/** A sampler. `filter`: "point", "linear", "anisotropic"; `address`: "wrap", "mirror", "clamp", "border", "mirror_once". */
UNSHADE_API unshade_code unshade_set_sampler(unshade_program *program, const char *sampler, const char *filter, const char *address);
/** An input of a lane (a vertex, a pixel of a quad) by its semantic, or what the lane knows of itself ("vertex_id"). Lanes from 0 on; those up
 *  to it are there. At most 65,536 lanes. */
UNSHADE_API unshade_code unshade_set_input(unshade_program *program, uint32_t lane, const char *semantic, const double *values,
                                           size_t count);
/** Takes all lanes away. */
UNSHADE_API void unshade_clear_lanes(unshade_program *program);

/** How numbers of the PICA200, which have 24 bits, are rounded: as the case or scene says, else cut off as the hardware does; cut off; to
 *  nearest; not at all, as some emulators do. Of no effect on other shaders. */
enum { UNSHADE_FLOAT24_AS_STATED = 0, UNSHADE_FLOAT24_TRUNCATE = 1, UNSHADE_FLOAT24_NEAREST = 2, UNSHADE_FLOAT24_F32 = 3 };

typedef struct unshade_run_options {
  size_t struct_size;
  uint32_t groups[3];  /* a compute shader's grid, in thread groups; 0 is 1 */
  uint32_t wave;       /* lanes of a wave: 4, 8, 16, 32, 64, 128; 0: what the shader asks for, else 32 */
  uint64_t operations; /* that all waves may execute before they are stopped; 0: 4294967296, or 16777216 if inputs are generated */
  uint64_t memory;     /* bytes that the resources, and as many that the interpreter may take; 0: 1 GiB */
  uint32_t threads;    /* at most; the result is the same for any number. 0: 1 */
  uint32_t float24;    /* UNSHADE_FLOAT24_* */
} unshade_run_options;

typedef struct unshade_result unshade_result;
/** Runs a compute shader over its grid, any other stage over its lanes. `options` may be NULL. Errors: bad value and missing for inputs that
 *  the shader does not have or that do not fit, their path the input; limit. */
UNSHADE_API unshade_code unshade_run(const unshade_program *program, const unshade_run_options *options, unshade_result **result,
                                     unshade_error **error);
UNSHADE_API void unshade_result_free(unshade_result *result);
/** "finished", or why it stopped: "budget", "fault". */
UNSHADE_API const char *unshade_result_stop(const unshade_result *result);
/** Lanes, or vertices that a geometry shader emitted. */
UNSHADE_API uint32_t unshade_result_lane_count(const unshade_result *result);
/** The components of an output: at most `capacity` are written, and *count is how many there are. Errors: missing. */
UNSHADE_API unshade_code unshade_result_output(const unshade_result *result, uint32_t lane, const char *semantic, double *values,
                                               size_t capacity, size_t *count);
/** Not 0 for a pixel that was discarded. */
UNSHADE_API int unshade_result_discarded(const unshade_result *result, uint32_t lane);
/** The bytes of a resource that the shader may write. `resource`: as of unshade_set_buffer(). Errors: missing; bad value, if several may be
 *  meant. */
UNSHADE_API unshade_code unshade_result_resource(const unshade_result *result, const char *resource, unshade_blob **bytes,
                                                 unshade_error **error);

/** Runs a shader on a case, a document of JSON (docs/reference/cases.md) whose inputs take the place of those that were set; of an empty
 *  object the inputs are generated. Gives what the command `run` prints with --json (docs/reference/json/run.schema.json). A case names no
 *  files; its `entry` has no effect, since unshade_program_of_case() takes it, nor have the groups of `options`, which may be NULL: the case has
 *  a grid. Errors: those of unshade_run(), at offsets of the case's text. */
UNSHADE_API unshade_code unshade_run_case(const unshade_program *program, const char *text, size_t size, const unshade_run_options *options,
                                          unshade_blob **json, unshade_error **error);

/* ---- stepping ---- */

/** A run that was recorded, to be stepped through forward and back. Used by one thread at a time. */
typedef struct unshade_session unshade_session;
typedef struct unshade_session_options {
  size_t struct_size;
  const char *entry;      /* as of unshade_program_new(); NULL: the case's, else the first */
  uint64_t operations;    /* that all waves may execute; 0: 4294967296, or 16777216 if inputs are generated */
  uint64_t memory;        /* bytes that the resources, and as many that the interpreter may take; 0: 1 GiB */
  uint64_t record;        /* bytes of the record, which ends early if it would take more; 0: 128 MiB */
  uint32_t wave;          /* lanes of a wave; 0: what the shader asks for, else 32 */
  uint32_t listing_flags; /* UNSHADE_LISTING_NO_HEADER, if lines are those of a listing without */
} unshade_session_options;
/** Runs a shader on a case as unshade_run_case() does (size 0: inputs are generated), and records what each instruction writes. The shader may
 *  be freed before. `options` may be NULL. Errors: those of unshade_program_new() and unshade_run_case(). */
UNSHADE_API unshade_code unshade_session_new(const unshade_shader *shader, const unshade_session_options *options, const char *text,
                                             size_t size, unshade_session **session, unshade_error **error);
UNSHADE_API void unshade_session_free(unshade_session *session);
/** Where the session is: docs/reference/json/session.schema.json: waves, the one that is followed, the instruction that comes next with its line
 *  of the listing and its active lanes, and registers under the names of the listing, with those marked that the last step changed. */
UNSHADE_API unshade_code unshade_session_state(const unshade_session *session, unshade_blob **json, unshade_error **error);
/** What the run gave: docs/reference/json/run.schema.json. Errors: missing for a session of a drawing. */
UNSHADE_API unshade_code unshade_session_result(const unshade_session *session, unshade_blob **json, unshade_error **error);
/** The file of the shader, whose listing has the lines. */
UNSHADE_API unshade_code unshade_session_file(const unshade_session *session, unshade_blob **file, unshade_error **error);

/** The line of the listing, from 1, at which a breakpoint at `line` stops: the line itself, or, if it is not executable (a declaration, an
 *  `endif`), that of the next instruction of the same function that is one. 0: there is none. */
UNSHADE_API uint32_t unshade_session_stop_line(const unshade_session *session, uint32_t line);

/* These move the session. UNSHADE_MISSING: it did not come where it was to, and is at the end (backwards: the beginning). */

/** Follows another wave, by its place in the state's list, from its beginning. UNSHADE_MISSING: there is none; nothing changes. */
UNSHADE_API unshade_code unshade_session_follow(unshade_session *session, uint32_t wave);
/** From now on moves stop only at instructions that this lane of the wave runs, from 0 to 127; -1: at all. Does not move. */
UNSHADE_API unshade_code unshade_session_follow_lane(unshade_session *session, int32_t lane);
/** So many steps, below 0 back. */
UNSHADE_API unshade_code unshade_session_step(unshade_session *session, int64_t steps);
/** Past rounds of loops and calls: to the next instruction of the same function that is after this one in the listing, or out of it. */
UNSHADE_API unshade_code unshade_session_over(unshade_session *session);
/** To the next step at which a breakpoint at one of these lines stops; `backwards`: not 0: to the one before. */
UNSHADE_API unshade_code unshade_session_run_to(unshade_session *session, const uint32_t *lines, size_t count, int backwards);
/** Behind the next step that writes NaN or an infinity, in the lane that is followed, or in any. */
UNSHADE_API unshade_code unshade_session_run_to_odd(unshade_session *session);

/* ---- drawing ---- */

/** A scene (docs/reference/scenes.md) with the files that it names. Used by one thread at a time. */
typedef struct unshade_scene unshade_scene;
/** Reads a scene of JSON. Errors: bad value, at an offset of the text. */
UNSHADE_API unshade_code unshade_scene_new(const char *text, size_t size, unshade_scene **scene, unshade_error **error);
UNSHADE_API void unshade_scene_free(unshade_scene *scene);
/** Gives it a file (a shader, a listing, a mesh, the data of a resource, a picture in DDS) under the name that the scene has for it. Copies
 *  the bytes. */
UNSHADE_API unshade_code unshade_scene_set_file(unshade_scene *scene, const char *name, const void *bytes, size_t size);
/** The name of a file that the scene names and was not given; NULL beyond the last. Files that a glTF file names are among them after a
 *  drawing that failed for want of them. Valid until the scene is given a file, drawn or freed. */
UNSHADE_API const char *unshade_scene_missing_file(const unshade_scene *scene, uint32_t index);
/** Frames of its animation; 1 without one. */
UNSHADE_API uint32_t unshade_scene_frame_count(const unshade_scene *scene);

typedef struct unshade_draw_options {
  size_t struct_size;
  uint64_t operations; /* that a draw or dispatch may execute; 0: 4294967296 */
  uint64_t memory;     /* bytes that targets and resources, and as many that the interpreter may take; 0: 1 GiB */
  uint32_t frame;      /* of the animation, from 0 */
  uint32_t wave;       /* lanes of a wave: 4, 8, 16, 32, 64, 128; 0: 32 */
  uint32_t threads;    /* at most; the result is the same for any number. 0: 1 */
  uint32_t float24;    /* UNSHADE_FLOAT24_* */
} unshade_draw_options;

/** A scene that was drawn: it keeps what it needs to be drawn again, for histories, heat maps and stepping. */
typedef struct unshade_drawing unshade_drawing;
/** Draws a scene. `options` may be NULL. Errors: bad value, missing, limit and unsupported for what the scene, its files and shaders have wrong,
 *  with the offset in the scene's text and the field as path. */
UNSHADE_API unshade_code unshade_draw(unshade_scene *scene, const unshade_draw_options *options, unshade_drawing **drawing,
                                      unshade_error **error);
UNSHADE_API void unshade_drawing_free(unshade_drawing *drawing);
/** What the command `draw` prints with --json: docs/reference/json/draw.schema.json. `with_resources`: not 0: also what the resources of the
 *  scene hold. */
UNSHADE_API unshade_code unshade_drawing_json(const unshade_drawing *drawing, int with_resources, unshade_blob **json, unshade_error **error);

typedef struct unshade_target {
  size_t struct_size;
  const char *name;
  const char *format; /* as the scene has it: "R8G8B8A8_UNORM" */
  uint32_t width;
  uint32_t height;
  uint32_t layers;
  uint32_t samples;
  int32_t is_depth;
  int32_t is_shown; /* not 0: the one to look at: the first target of the last pass that draws */
} unshade_target;
/** UNSHADE_INVALID_ARGUMENT beyond the last. */
UNSHADE_API unshade_code unshade_target_at(const unshade_drawing *drawing, uint32_t index, unshade_target *target);

enum {
  UNSHADE_PIXELS_RGBA8 = 0, /* four bytes a pixel, clamped to 0 to 1, sRGB as it is stored; of the first layer */
  UNSHADE_PIXELS_FLOAT = 1, /* four floats a pixel, as a shader would load them; integers become floats */
  UNSHADE_PIXELS_STORED = 2 /* in the target's format; depth as R32_FLOAT or R16_UNORM */
};
/** The pixels of a target, row by row from the top, layer by layer; of several samples their mean, of integers and depth the first. Errors: bad
 *  value for integers as UNSHADE_PIXELS_RGBA8. */
UNSHADE_API unshade_code unshade_target_pixels(const unshade_drawing *drawing, uint32_t target, int32_t form, unshade_blob **pixels,
                                               unshade_error **error);

/** A pixel of a target, and perhaps an event of its history. */
typedef struct unshade_pixel {
  size_t struct_size;
  uint32_t target;
  uint32_t x;
  uint32_t y;
  int32_t sample; /* -1: all of the pixel */
  uint32_t event; /* a number in the history, from 1; 0: none */
} unshade_pixel;
/** What became of each primitive at the pixel: the document of unshade_drawing_json() with its `history`, as the command's --history prints it.
 *  With an event, that alone, with a trace of its pixel shader. Errors: missing for pixels and events that there are not. */
UNSHADE_API unshade_code unshade_pixel_history(const unshade_drawing *drawing, const unshade_pixel *pixel, unshade_blob **json,
                                               unshade_error **error);
/** A session of the wave that ran the pixel shader for the event, which follows the lane of the pixel. Of `options`, which may be NULL, `record`
 *  and `listing_flags` count. Errors: missing for pixels and events that there are not, and where the pixel shader did not run. */
UNSHADE_API unshade_code unshade_pixel_session(const unshade_drawing *drawing, const unshade_pixel *pixel,
                                               const unshade_session_options *options, unshade_session **session, unshade_error **error);

/** What each pixel of a target cost. */
typedef struct unshade_heat unshade_heat;
/** `kind`: "overdraw", "runs", "instructions", "level", "divergence", "nan". Errors: missing where no pass draws into the target first;
 *  bad value for other kinds. */
UNSHADE_API unshade_code unshade_heat_new(const unshade_drawing *drawing, uint32_t target, const char *kind, unshade_heat **heat,
                                          unshade_error **error);
UNSHADE_API void unshade_heat_free(unshade_heat *heat);
/** The document of unshade_drawing_json() with its `heat`, as the command's --heat prints it. */
UNSHADE_API unshade_code unshade_heat_json(const unshade_heat *heat, unshade_blob **json, unshade_error **error);
/** Four bytes a pixel: from violet (the least number) over green to yellow, black where there is nothing. */
UNSHADE_API const void *unshade_heat_colors(const unshade_heat *heat, size_t *size);
/** A number for each pixel; -1 where there is nothing. */
UNSHADE_API const float *unshade_heat_numbers(const unshade_heat *heat, uint32_t *count);

/* ---- source text ---- */

enum { UNSHADE_SOURCE_C = 0, UNSHADE_SOURCE_CPP = 1, UNSHADE_SOURCE_RUST = 2 };
/** The shader as an array in source text, in C as fxc /Fh and dxc -Fh write it. `name` may be NULL. `with_listing`: not 0 for a listing in a
 *  comment above it. */
UNSHADE_API unshade_code unshade_embed(const unshade_shader *shader, int32_t language, const char *name, int with_listing,
                                       unshade_blob **text, unshade_error **error);

/* ---- other languages ---- */

/** How a shader is translated. What is 0 or NULL has its default. */
typedef struct unshade_translate_options {
  size_t struct_size;
  const char *file;       /* the name of the file in the document */
  const char *entry;      /* the entry point of a module with several, or the number of an executable of a SHBIN; NULL: the first */
  const char *target_env; /* "vulkan1.0" to "vulkan1.3"; NULL: vulkan1.3 */
  const char *binding_model; /* where resources are bound: "nvrhi", "dxc", "sdl-gpu" or "vkd3d"; NULL: nvrhi */
  const char *shifts;     /* of the first two, what bindings are registers plus, by kind, or some of these; NULL: "t=0,s=128,b=256,u=384" */
  const char *debug_info; /* where instructions come from: in the listing "lines" or "source", or in "hlsl" or "glsl"; NULL: no debug information */
  int native;             /* not 0: results that SPIR-V leaves open, such as those of division by zero, are the device's */
  int flip_y;             /* not 0: positions are negated in y before the rasterizer */
  int has_heap_set;       /* not 0: descriptor heaps are in heap_set; otherwise in the set behind those that are used */
  uint32_t heap_set;
  uint32_t first_set; /* added to register spaces to make descriptor sets; at most 65535, 0 with sdl-gpu */
} unshade_translate_options;
/** The shader as a SPIR-V module for Vulkan. `options` may be NULL. `bindings` may be NULL: else it is set to the document of the command's
 *  --bindings, which says where each resource is bound. Errors: unsupported for what Vulkan lacks or is not translated; bad value for
 *  `shifts` and for resources that meet at a binding; those of a shader that cannot be run. UNSHADE_INVALID_ARGUMENT: an unknown target
 *  environment, binding model or kind of debug information, or a `first_set` out of range. */
UNSHADE_API unshade_code unshade_translate(const unshade_shader *shader, const unshade_translate_options *options, unshade_blob **module,
                                           unshade_blob **bindings, unshade_error **error);

/** How source is written. What is 0 or NULL has its default. */
typedef struct unshade_decompile_options {
  size_t struct_size;
  const char *file;        /* the name of the file in the document */
  const char *entry;       /* the entry point of a module with several, or the number of an executable of a SHBIN; NULL: the first */
  const char *language;    /* "hlsl" or "glsl"; NULL: glsl for SPIR-V and VBC, hlsl for others */
  const char *setting;     /* "exact", "readable" or "native"; NULL: readable */
  const char *environment; /* of GLSL: "vulkan", "opengl" or "es"; NULL: vulkan */
  uint32_t version;        /* of GLSL: 460, 450, 330, of ES 310, 320; 0: 460 for Vulkan, 450 for OpenGL, 310 for ES */
  int flip_y;              /* of GLSL, not 0: positions are negated in y */
} unshade_decompile_options;
/** The shader as source in HLSL or GLSL. `options` may be NULL. `document` may be NULL: else it is set to the document of the command's
 *  `decompile --json --score`, which says what instruction of the listing each line is written of. Errors: unsupported for what the language
 *  cannot express or is not written; those of a shader that cannot be run. UNSHADE_INVALID_ARGUMENT: an unknown word or version, and options
 *  of GLSL for HLSL. */
UNSHADE_API unshade_code unshade_decompile(const unshade_shader *shader, const unshade_decompile_options *options, unshade_blob **text,
                                           unshade_blob **document, unshade_error **error);

#ifdef __cplusplus
}
#endif

#endif
