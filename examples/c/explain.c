/* explain FILE OFFSET: which field a byte of a shader belongs to, what its value means, and the line of the listing that it is in.
 *   cc -std=c99 explain.c $(pkg-config --cflags --libs unshade-c) -o explain
 */
#include <stdio.h>
#include <stdlib.h>

#include <unshade/unshade.h>

static const char *const kinds[] = {"group", "unsigned", "signed", "hexadecimal", "offset", "float", "enumeration", "flags", "bits",
                                    "component mask", "FourCC", "text", "bytes", "padding", "unknown", "instruction"};

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  long length = -1;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
  if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) bytes = malloc((size_t)length + 1);
  if (bytes != NULL) *size = fread(bytes, 1, (size_t)length, file);
  fclose(file);
  return bytes;
}

static void print_field(const unshade_tree *tree, unsigned long offset) {
  uint32_t count = 0;
  uint32_t i;
  const uint32_t *words = unshade_tree_fields(tree, &count);
  const uint32_t number = unshade_tree_at(tree, offset);
  const uint32_t *field = words + (size_t)number * UNSHADE_FIELD_WORDS;
  unshade_blob *path = NULL;
  unshade_blob *value = NULL;
  unshade_detail detail = {0};
  if (number == 0) {
    printf("0x%lx is not in the file\n", offset);
    return;
  }
  if (unshade_tree_path(tree, number, &path, NULL) == UNSHADE_OK && unshade_tree_value(tree, number, &value, NULL) == UNSHADE_OK) {
    printf("%s = %s (0x%x, %u %s, %s)\n", (const char *)unshade_blob_data(path), (const char *)unshade_blob_data(value),
           (unsigned)field[UNSHADE_FIELD_AT], (unsigned)field[UNSHADE_FIELD_SIZE], field[UNSHADE_FIELD_SIZE] == 1 ? "byte" : "bytes",
           kinds[field[UNSHADE_FIELD_KIND]]);
  }
  unshade_blob_free(path);
  unshade_blob_free(value);
  detail.struct_size = sizeof detail;
  for (i = 0; unshade_tree_detail_at(tree, number, i, &detail) == UNSHADE_OK; ++i) {
    if (detail.bit_count != 0) printf("  bits %u+%u  %s = %u %s\n", detail.first_bit, detail.bit_count, detail.name, detail.value, detail.meaning);
    if (detail.bit_count == 0 && detail.is_set) printf("  0x%x  %s\n", detail.value, detail.name);
  }
}

static void print_line(const unshade_listing *listing, unsigned long offset) {
  uint32_t count = 0;
  const uint32_t *line = unshade_listing_lines(listing, &count);
  for (; count != 0; --count, line += UNSHADE_LINE_WORDS) {
    if (line[UNSHADE_LINE_OFFSET] == UNSHADE_NO_OFFSET || offset < line[UNSHADE_LINE_OFFSET]) continue;
    if (offset - line[UNSHADE_LINE_OFFSET] >= line[UNSHADE_LINE_SIZE]) continue;
    printf("%.*s\n", (int)line[UNSHADE_LINE_TEXT_SIZE], unshade_listing_text(listing) + line[UNSHADE_LINE_TEXT]);
  }
}

int main(int argc, char **argv) {
  unshade_shader *shader = NULL;
  unshade_tree *tree = NULL;
  unshade_listing *listing = NULL;
  unsigned char *bytes = NULL;
  size_t size = 0;
  if (argc != 3 || (bytes = read_file(argv[1], &size)) == NULL) {
    fprintf(stderr, "usage: explain FILE OFFSET\n");
    return 2;
  }
  if (unshade_annotate(bytes, size, &tree, NULL) == UNSHADE_OK) print_field(tree, strtoul(argv[2], NULL, 0));
  if (unshade_open(bytes, size, &shader, NULL) == UNSHADE_OK && unshade_list(shader, 0, &listing, NULL) == UNSHADE_OK)
    print_line(listing, strtoul(argv[2], NULL, 0));
  unshade_listing_free(listing);
  unshade_shader_free(shader);
  unshade_tree_free(tree);
  free(bytes);
  return 0;
}
