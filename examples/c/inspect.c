/* inspect FILE: what a shader is, what it binds, and its listing, through the C interface.
 *   cc -std=c99 inspect.c $(pkg-config --cflags --libs unshade-c) -o inspect             with libunshade.so
 *   cc -std=c99 inspect.c $(pkg-config --cflags --static --libs unshade) -o inspect     with the static libraries
 */
#include <stdio.h>
#include <stdlib.h>

#include <unshade/unshade.h>

static int complain(const char *path, unshade_error *error) {
  fprintf(stderr, "%s:0x%llx: error[%s]: %s: %s\n", path, (unsigned long long)unshade_error_offset(error),
          unshade_code_name(unshade_error_code(error)), unshade_error_path(error), unshade_error_message(error));
  unshade_error_free(error);
  return 1;
}

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

int main(int argc, char **argv) {
  unshade_shader *shader = NULL;
  unshade_error *error = NULL;
  unshade_reflection *reflection = NULL;
  unshade_blob *listing = NULL;
  unshade_summary summary = {0};
  unsigned char *bytes = NULL;
  size_t size = 0;
  uint32_t i;
  int exit_code = 0;

  if (argc != 2) {
    fprintf(stderr, "usage: inspect FILE\n");
    return 2;
  }
  bytes = read_file(argv[1], &size);
  if (bytes == NULL) {
    fprintf(stderr, "%s: cannot be read\n", argv[1]);
    return 2;
  }
  if (unshade_open(bytes, size, &shader, &error) != UNSHADE_OK) exit_code = complain(argv[1], error);
  free(bytes); /* unshade_open copied them */
  if (exit_code != 0) return exit_code;

  summary.struct_size = sizeof summary;
  unshade_summarize(shader, &summary);
  printf("%s %s %s\n", unshade_family_name(summary.family), summary.profile, summary.stage);

  if (unshade_reflect(shader, &reflection, &error) != UNSHADE_OK) {
    exit_code = complain(argv[1], error);
  } else {
    for (i = 0; i < unshade_resource_count(reflection); ++i) {
      unshade_resource resource = {0};
      resource.struct_size = sizeof resource;
      unshade_resource_at(reflection, i, &resource);
      printf("%s: %s %u, space %u\n", resource.name, resource.kind, (unsigned)resource.bind_point, (unsigned)resource.space);
    }
  }
  if (unshade_disassemble(shader, 0, &listing, &error) != UNSHADE_OK) {
    exit_code = complain(argv[1], error);
  } else {
    fwrite(unshade_blob_data(listing), 1, unshade_blob_size(listing), stdout);
  }
  unshade_blob_free(listing);
  unshade_reflection_free(reflection);
  unshade_shader_free(shader);
  return exit_code;
}
