// Opens a file and lists it: links_no_more_test.py looks at what that links.
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto shader = unshade::shader::open(unshade::View(std::as_bytes(std::span(bytes))));
  unshade::Text text;
  if (!shader || !unshade::shader::disassemble(*shader, text)) return 1;
  std::fwrite(text.view().data(), 1, text.size(), stdout);
  return 0;
}
