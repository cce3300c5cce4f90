// Edits of every DXIL file of the corpus: nothing changed gives the same bits, names and registers come back, and LLVM reads what is
// between.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/validate.hpp>
#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

using shader::Rebind;
using shader::Rename;

/// Files that another compiler than dxc numbered: edited, they are numbered as dxc does.
constexpr std::size_t kOtherNumbers = 16;

struct Changes {
  std::vector<Rename> names, names_back;
  std::vector<Rebind> registers, registers_back;
};

Changes changes_of(const dxcontainer::Container& container) {
  Changes result;
  using dxcontainer::fourcc;
  const auto* part = container.find_any({fourcc("STAT"), fourcc("DXIL"), fourcc("ILDB")});
  if (part == nullptr) return result;
  const auto program = dxil::parse_program(*part);
  if (!program) return result;
  const auto module = dxil::parse_module(program->bitcode);
  if (!module) return result;
  const auto metadata = dxil::read_program_metadata(*module);
  std::set<std::pair<Rename::What, std::string>> seen;
  const auto add = [&](Rename::What what, std::string from, std::string to) {
    if (!seen.emplace(what, from).second) return;
    result.names.push_back({what, from, to});
    result.names_back.push_back({what, to, from});
  };
  const std::pair<char, const std::vector<dxil::ProgramResource>*> lists[] = {
      {'t', &metadata.shader_resources}, {'u', &metadata.unordered_access}, {'b', &metadata.constant_buffers}, {'s', &metadata.samplers}};
  for (const auto& [letter, list] : lists)
    for (const auto& r : *list) {
      if (!r.name.empty()) add(Rename::What::resource, std::string(r.name), "zz" + std::to_string(seen.size()));
      result.registers.push_back({letter, r.lower_bound, r.space, r.lower_bound + 1000, r.space + 3});
      result.registers_back.push_back({letter, r.lower_bound + 1000, r.space + 3, r.lower_bound, r.space});
    }
  // Members of buffers: of each structure the first.
  std::set<std::uint32_t> structures;
  for (const auto& [letter, list] : lists)
    for (const auto& r : *list) {
      std::uint32_t type = r.type;
      const auto is = [&](dxil::TypeKind kind) { return type < module->types.size() && module->types[type].kind == kind; };
      const auto skip = [&] {
        while (is(dxil::TypeKind::pointer) || is(dxil::TypeKind::array)) type = module->element_of(type);
      };
      skip();
      if (r.kind == dxil::ResourceKind::structured_buffer && is(dxil::TypeKind::structure)) type = module->element_of(type), skip();
      if (r.name.empty() || (letter != 'b' && r.kind != dxil::ResourceKind::structured_buffer) || !is(dxil::TypeKind::structure)) continue;
      if (type >= metadata.struct_of_type.size() || metadata.struct_of_type[type] == dxil::kNone || !structures.insert(type).second)
        continue;
      const auto& fields = metadata.structs[metadata.struct_of_type[type]].fields;
      if (fields.empty() || fields[0].name.empty()) continue;
      const std::string now =
          std::ranges::find_if(result.names, [&](const Rename& n) { return n.what == Rename::What::resource && n.from == r.name; })->to;
      result.names.push_back({Rename::What::variable, std::string(r.name) + '.' + std::string(fields[0].name), "zz_member"});
      result.names_back.push_back({Rename::What::variable, now + ".zz_member", std::string(fields[0].name)});
    }
  if (metadata.entries.size() != 1) return result;
  const auto& entry = metadata.entries[0];
  // Some engines name entry points as HLSL cannot: such a name is not given back.
  if (is_identifier(entry.name)) add(Rename::What::entry, std::string(entry.name), "zz_entry");
  const std::pair<Rename::What, const std::vector<dxil::MetadataElement>*> signatures[] = {
      {Rename::What::input, &entry.inputs}, {Rename::What::output, &entry.outputs}, {Rename::What::patch, &entry.patch_or_primitives}};
  for (const auto& [what, elements] : signatures)
    for (const auto& element : *elements)
      if (element.semantic == dxil::SemanticKind::arbitrary && !element.name.empty() && !element.semantic_indexes.empty())
        add(what, std::string(element.name) + std::to_string(element.semantic_indexes[0]),
            "ZZ_" + std::string(element.name) + "_" + std::to_string(element.semantic_indexes[0] + 2));
  return result;
}

/// Without what a root signature does not bind any more: it stays as it is where registers move.
std::size_t errors_of(View file) {
  return static_cast<std::size_t>(std::ranges::count_if(shader::validate(file), [](const Diagnostic& d) {
    return d.rule->severity == Severity::error && d.rule->id != "dxil.root-binding";
  }));
}

template <class F>
void for_files(const std::filesystem::path& corpus, F&& f) {
  for (const auto& path : files_below(corpus / "dxil", ".dxil")) {
    const auto bytes = read_bytes(path);
    if (const auto container = dxcontainer::parse_container(view_of(bytes))) f(path.string(), bytes, *container);
  }
}

TEST(CorpusDxilEdit, AnUnchangedModuleIsNumberedAsItWas) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t count = 0;
  std::size_t others = 0;
  std::size_t bytes_read = 0;
  const auto start = std::chrono::steady_clock::now();
  for_files(corpus, [&](const std::string& name, const std::vector<std::byte>&, const dxcontainer::Container& container) {
    for (const auto& part : container.parts) {
      if (!dxil::is_program(part.fourcc)) continue;
      const auto program = dxil::parse_program(part);
      if (!program) continue;
      ++count;
      bytes_read += program->bitcode.size();
      const auto module = dxil::ModuleEdit::open(program->bitcode);
      ASSERT_TRUE(module) << name << ": " << to_string(module.error());
      const auto written = module->write();
      ASSERT_TRUE(written) << name << ": " << to_string(written.error());
      others += std::ranges::equal(*written, program->bitcode.bytes()) ? 0 : 1;
    }
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%zu modules, %zu numbered otherwise, %.1f MB/s\n", count, others, static_cast<double>(bytes_read) / seconds / 1e6);
  EXPECT_GT(count, 0U);
  EXPECT_LE(others * 50, count);
}

TEST(CorpusDxilEdit, NamesAndRegistersComeBack) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t renamed = 0, rebound = 0, otherwise = 0, wrong = 0;
  for_files(corpus, [&](const std::string& name, const std::vector<std::byte>& bytes, const dxcontainer::Container& container) {
    const Changes changes = changes_of(container);
    const auto check = [&](const auto& there, const auto& back, auto edit, std::size_t& count) {
      if (there.empty()) return;
      ++count;
      const auto first = edit(view_of(bytes), there);
      ASSERT_TRUE(first) << name << ": " << to_string(first.error());
      EXPECT_TRUE(first->changed) << name;
      wrong += errors_of(view_of(first->bytes)) > errors_of(view_of(bytes)) ? 1 : 0;
      const auto second = edit(view_of(first->bytes), back);
      ASSERT_TRUE(second) << name << ": " << to_string(second.error());
      otherwise += second->bytes == bytes ? 0 : 1;
    };
    check(changes.names, changes.names_back, [](View file, std::span<const Rename> all) { return shader::rename(file, all); }, renamed);
    check(
        changes.registers, changes.registers_back, [](View file, std::span<const Rebind> all) { return shader::rebind(file, all); },
        rebound);
  });
  std::printf("%zu renamed, %zu rebound, %zu not the same bytes again\n", renamed, rebound, otherwise);
  EXPECT_GT(renamed, 0U);
  EXPECT_EQ(wrong, 0U);
  EXPECT_LE(otherwise, kOtherNumbers + (renamed + rebound) / 50);
}

// Of a program with debug information dxc writes two modules: as it is, and stripped.
TEST(CorpusDxilEdit, StrippedProgramsAreThoseThatDxcStripped) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  using dxcontainer::fourcc;
  std::size_t both = 0, same = 0, changed = 0;
  for_files(corpus, [&](const std::string& name, const std::vector<std::byte>& bytes, const dxcontainer::Container& container) {
    const auto stripped_file = shader::strip(view_of(bytes), {.debug = true, .reflection = true});
    if (stripped_file && stripped_file->changed) {
      ++changed;
      EXPECT_LE(errors_of(view_of(stripped_file->bytes)), errors_of(view_of(bytes))) << name;
      const auto again = shader::strip(view_of(stripped_file->bytes), {.debug = true, .reflection = true});
      ASSERT_TRUE(again) << name << ": " << to_string(again.error());
      EXPECT_FALSE(again->changed) << name;
    }
    const auto* const debug = container.find(fourcc("ILDB"));
    const auto* const plain = container.find(fourcc("DXIL"));
    if (debug == nullptr || plain == nullptr) return;
    const auto from = dxil::parse_program(*debug);
    const auto to = dxil::parse_program(*plain);
    ASSERT_TRUE(from && to) << name;
    ++both;
    const auto is_same = [&](Strip what) {
      const auto stripped = dxil::strip_module(from->bitcode, what);
      EXPECT_TRUE(stripped) << name << ": " << to_string(stripped.error());
      return stripped && std::ranges::equal(*stripped, to->bitcode.bytes());
    };
    // with or without reflection, by its options
    same += is_same({.debug = true}) || is_same({.debug = true, .reflection = true}) ? 1 : 0;
  });
  std::printf("%zu files changed; %zu with debug information, %zu stripped to the bit\n", changed, both, same);
  EXPECT_GT(both, 0U);
  EXPECT_EQ(same, both);
}

TEST(CorpusDxilEdit, LlvmReadsWhatWasEdited) {
  const auto corpus = corpus_dir();
  if (corpus.empty()) GTEST_SKIP() << kNoCorpus;
  const std::filesystem::path tool = "/usr/bin/llvm-dis-14";
  if (!has_linux_program(tool)) GTEST_SKIP() << "no llvm-dis of LLVM 14";
  const system::WorkFolder work;
  const std::string input = (work.path() / "edited").string();
  const std::vector<std::string> words{"-o", (work.path() / "listing").string(), input};
  constexpr std::size_t kEvery = 16;  // a process for each takes its time
  std::size_t seen = 0;
  std::size_t read = 0;
  for_files(corpus, [&](const std::string& name, const std::vector<std::byte>& bytes, const dxcontainer::Container& container) {
    if (seen++ % kEvery != 0) return;
    const Changes changes = changes_of(container);
    if (changes.registers.empty()) return;
    const auto edited = shader::rebind(view_of(bytes), changes.registers);
    ASSERT_TRUE(edited) << name << ": " << to_string(edited.error());
    const auto again = dxcontainer::parse_container(view_of(edited->bytes));
    ASSERT_TRUE(again) << name;
    const auto* const part = again->find(dxcontainer::fourcc("DXIL"));
    if (part == nullptr) return;
    const auto program = dxil::parse_program(*part);
    ASSERT_TRUE(program) << name;
    std::ofstream(input, std::ios::binary) << program->bitcode.text();
    const auto status = system::run_program(tool.string(), words, (work.path() / "log").string(), std::chrono::minutes(1));
    EXPECT_TRUE(status && *status == 0) << name;
    ++read;
  });
  std::printf("%zu read by llvm-dis\n", read);
}

}  // namespace

}  // namespace unshade::test
