// list FILE: prints the listing of a DXBC shader, then its inputs and outputs.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <unshade/dxcontainer/signature.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>

namespace {

int complain(const char* path, const unshade::Error& error) {
  std::fprintf(stderr, "%s:%s\n", path, to_string(error).c_str());
  return 1;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: list FILE\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", argv[1]);
    return 2;
  }
  // The library borrows these bytes: they have to outlive everything that is read from them.
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const unshade::View view(std::as_bytes(std::span(bytes)));

  const auto shader = unshade::shader::open(view);
  if (!shader) return complain(argv[1], shader.error());

  unshade::Text text;
  if (const auto listed = unshade::shader::disassemble(*shader, text); !listed) return complain(argv[1], listed.error());
  print(text.view());

  for (const auto& part : shader->parts()) {
    if (!unshade::dxcontainer::is_signature(part.fourcc)) continue;
    const auto signature = unshade::dxcontainer::parse_signature(part);
    if (!signature) return complain(argv[1], signature.error());
    std::printf("\n%s: %zu elements\n", part.name(), signature->elements.size());
    for (const auto& element : signature->elements) {
      std::printf("  %.*s%u", static_cast<int>(element.semantic.text.size()), element.semantic.text.data(), element.semantic_index);
      if (element.register_index != unshade::dxcontainer::kNoRegister) std::printf(" in register %u", element.register_index);
      std::printf("\n");
    }
  }
  return 0;
}
