// Properties of the assembler of DXIL.
#include <algorithm>
#include <optional>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>

#include "fuzz/properties.hpp"

namespace unshade::fuzz {

namespace {

using dxcontainer::fourcc;

Text exact_listing(const dxil::Module& module, std::size_t bytes, bool& good) {
  dxil::ListingOptions options;
  options.sections = false;
  options.exact = true;
  Text text;
  good = dxil::list_module(module, bytes, text, options).has_value();
  return text;
}

/// What is wrong with the parts that follow from a module: they can be read, and are in proportion.
std::string rederived(const dxcontainer::Container& container, const dxil::Module& module, std::size_t bytes) {
  std::optional<dxil::Rdat> rdat;
  if (const auto* const part = container.find(fourcc("RDAT")))
    if (auto parsed = dxil::parse_rdat(*part)) rdat = *std::move(parsed);
  std::size_t sum = 0;
  for (const dxil::DerivedPart& derived : dxil::derive_parts(dxil::read_program_metadata(module), rdat ? &*rdat : nullptr)) {
    sum += derived.data.size();
    const View data(derived.data);
    const dxcontainer::Part part{derived.fourcc, 0, data};
    const bool good = derived.fourcc == fourcc("PSV0")   ? dxil::parse_psv(part).has_value()
                      : derived.fourcc == fourcc("RDAT") ? dxil::parse_rdat(part).has_value()
                      : derived.fourcc == fourcc("SFI0") ? data.size() == 8
                                                         : dxcontainer::parse_signature(part).has_value();
    if (!good) return "a derived part cannot be read";
  }
  return sum > kTextBase + kTextPerByte * bytes ? "derived parts out of proportion" : std::string();
}

/// What is wrong with bitcode that the assembler made.
std::string relisted(const std::vector<std::byte>& bitcode) {
  const auto module = dxil::parse_module(View(bitcode));
  if (!module) return "what was made cannot be read: " + to_string(module.error());
  bool good = false;
  const Text text = exact_listing(*module, bitcode.size(), good);
  if (!good) return {};
  const Assembly again = dxil::assemble(text.view());
  if (!again.ok) return "its listing is refused: " + (again.messages.empty() ? std::string() : to_string(again.messages.front()));
  return again.file == bitcode ? std::string() : "its listing gives other bits";
}

}  // namespace

std::string dxil_assemble(View file) {
  const Assembly made = dxil::assemble(file.text());
  if (!made.ok) return made.messages.size() == 1 && !made.messages.front().text.empty() ? std::string() : "refused without a reason";
  if (made.file.size() > file.size() * kTextPerByte + kTextBase) return "bitcode out of proportion";
  return relisted(made.file);
}

std::string dxil_roundtrip(View file) {
  View bitcode = file;
  std::optional<dxcontainer::Container> container;
  if (dxcontainer::is_container(file)) {
    auto parsed = dxcontainer::parse_container(file);
    if (!parsed) return {};
    container = *std::move(parsed);
    const auto* const part = container->find(fourcc("DXIL"));
    if (part == nullptr) return {};
    const auto program = dxil::parse_program(*part);
    if (!program) return {};
    bitcode = program->bitcode;
  }
  const auto module = dxil::parse_module(bitcode);
  if (!module) return {};
  bool good = false;
  const Text text = exact_listing(*module, bitcode.size(), good);
  if (!good) return {};
  // Not every module that can be read can be written: names, types and values that contradict each other print all the same.
  const Assembly made = dxil::assemble(text.view());
  if (made.ok && container && container->find(fourcc("ILDB")) == nullptr) {
    const Assembly into = dxil::assemble_into(text.view(), *container);
    if (into.ok && !std::ranges::equal(into.file, file.bytes())) return "its listing changes a container";
    if (const auto fault = rederived(*container, *module, file.size()); !fault.empty()) return fault;
  }
  return made.ok ? relisted(made.file) : std::string();
}

}  // namespace unshade::fuzz
