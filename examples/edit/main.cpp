// edit IN OUT: tells what a shader binds, takes out what only reflection and debuggers read, and writes the rest.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

namespace {

int complain(const char* path, const unshade::Error& error) {
  std::fprintf(stderr, "%s:%s\n", path, to_string(error).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: edit IN OUT\n");
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "%s: cannot be read\n", argv[1]);
    return 2;
  }
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const unshade::View view(std::as_bytes(std::span(bytes)));

  // Open and inspect.
  const auto shader = unshade::shader::open(view);
  if (!shader) return complain(argv[1], shader.error());
  const auto reflection = unshade::shader::reflect(*shader);
  if (!reflection) return complain(argv[1], reflection.error());
  for (const auto& resource : reflection->resources)
    std::printf("%s: %.*s %u\n", resource.name.c_str(), static_cast<int>(id(resource.kind).size()), id(resource.kind).data(),
                resource.bind_point);

  // Edit: sizes and digest follow.
  const auto edited = unshade::shader::strip(*shader, {.debug = true, .reflection = true});
  if (!edited) return complain(argv[1], edited.error());
  for (const auto& note : edited->notes) std::printf("note: %s\n", note.c_str());

  // Write.
  std::ofstream out(argv[2], std::ios::binary);
  out.write(reinterpret_cast<const char*>(edited->bytes.data()), static_cast<std::streamsize>(edited->bytes.size()));
  if (!out.flush()) {
    std::fprintf(stderr, "%s: cannot be written\n", argv[2]);
    return 2;
  }
  std::printf("%zu bytes -> %zu bytes\n", bytes.size(), edited->bytes.size());
  return 0;
}
