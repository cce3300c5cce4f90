#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>

int main() {
  constexpr std::byte kNothing[4] = {};
  return unshade::shader::open(unshade::View(kNothing)) ? 1 : 0;
}
