// Opens a file and reflects it: links_no_more_test.py looks at what that links.
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto shader = unshade::shader::open(unshade::View(std::as_bytes(std::span(bytes))));
  if (!shader) return 1;
  const auto reflection = unshade::shader::reflect(*shader);
  if (!reflection) return 1;
  for (const auto& resource : reflection->resources) std::printf("%s\n", resource.name.c_str());
  return 0;
}
