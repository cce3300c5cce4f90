#include <algorithm>
#include <cstddef>
#include <string>

#include <unshade/present/drawn.hpp>

namespace unshade::present {

void print_pixels(const scene::Drawn& drawn, std::span<const PixelAt> pixels, Printer& out) {
  for (const PixelAt& pixel : pixels) {
    for (const scene::Drawn::Target& one : drawn.targets) {
      const auto texel = texel_at(one.picture, pixel);
      if (!texel) continue;
      print_safely(out.text, one.name);
      out.text << ' ';
      out.text.dec(pixel.first) << ',';
      out.text.dec(pixel.second) << ':';
      for (const Value& number : *texel->value.as_list()) {
        out.text << ' ';
        if (const Real* const real = number.as_real()) {
          out.text.shortest(real->narrow);
        } else if (const Integer* const whole = number.as_integer()) {
          if (whole->negative) out.text << '-';
          out.text.dec(whole->magnitude);
        } else {
          out.text << *number.as_text();
        }
      }
      out.text << '\n';
    }
  }
}

std::vector<Doubt> doubts_of(const scene::Drawn& drawn) {
  constexpr std::size_t kMostListed = 8;
  std::vector<Doubt> doubts;
  for (const scene::Drawn::Pass& pass : drawn.passes) {
    for (const std::string& mismatch : pass.mismatches)
      doubts.push_back({"linkage", pass.name + ": Direct3D refuses this pipeline: " + mismatch});
    for (const std::string& mismatch : pass.vulkan_mismatches)
      doubts.push_back({"linkage", pass.name + ": the pipeline is not valid in Vulkan: " + mismatch});
    for (const std::string& mismatch : pass.format_mismatches) doubts.push_back({"format", pass.name + ": " + mismatch});
    for (const auto& [stage, names] : pass.not_given) {
      std::string message = pass.name + ": the scene does not give these constants of the " + stage + " shader, which are 0: ";
      for (std::size_t k = 0; k < std::min(names.size(), kMostListed); ++k) message += (k == 0 ? "`" : ", `") + names[k] + '`';
      if (names.size() > kMostListed) message += " and " + std::to_string(names.size() - kMostListed) + " more";
      doubts.push_back({"constants", std::move(message)});
    }
  }
  return doubts;
}

}  // namespace unshade::present
