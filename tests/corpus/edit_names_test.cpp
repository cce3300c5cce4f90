// Other names and registers, over every file: there and back gives the same bytes, nothing becomes invalid, reflection shows the change.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/validate.hpp>

#include "support/files.hpp"
#include "support/open_first.hpp"

namespace unshade::test {

namespace {

using namespace shader;
using What = Rename::What;

// Things of a kind that are tried in each file.
constexpr std::size_t kMost = 3;

/// Without what a root signature does not bind any more: it stays as it is where registers move.
std::multiset<std::string> errors_of(View file) {
  std::multiset<std::string> errors;
  for (const Diagnostic& d : validate(file))
    if (d.rule->severity == Severity::error && !d.rule->id.ends_with(".root-binding")) errors.insert(std::string(d.rule->id));
  return errors;
}

struct Counts {
  std::size_t same = 0;
  std::size_t different = 0;
  std::size_t refused = 0;
};

void print(const char* what, const std::map<std::string, Counts>& counts) {
  for (const auto& [kind, count] : counts)
    std::printf("%s %s: %zu there and back to the byte, %zu laid out otherwise, %zu refused\n", what, kind.c_str(), count.same,
                count.different, count.refused);
}

/// All shaders of a folder that open and reflect.
template <class F>
void each(const char* folder, const char* extension, F&& f) {
  for (const auto& path : files_below(corpus_dir() / folder, extension)) {
    const auto bytes = read_bytes(path);
    const auto shader = open(view_of(bytes));
    if (!shader) continue;
    if (const auto reflection = reflect(*shader)) f(path.string(), bytes, *shader, *reflection);
  }
}

class RenameTrip {
 public:
  /// `to` is a name that no file has. `refuses`: codes that may come.
  void run(const std::string& path, const std::vector<std::byte>& bytes, What what, const std::string& name, const std::string& to,
           const std::string& back) {
    SCOPED_TRACE(path + ": " + name);
    Counts& count = counts[std::to_string(static_cast<int>(what))];
    const Rename same{what, name, name};
    const auto unchanged = rename(view_of(bytes), std::span(&same, 1));
    if (!unchanged) {
      ++count.refused;
      return;
    }
    EXPECT_FALSE(unchanged->changed);
    EXPECT_TRUE(unchanged->bytes == bytes);
    const Rename there{what, name, to};
    const auto edited = rename(view_of(bytes), std::span(&there, 1));
    if (!edited) {
      // the name is a system value's under other letters
      EXPECT_EQ(edited.error().code, ErrorCode::bad_value) << edited.error().message;
      ++count.refused;
      return;
    }
    EXPECT_TRUE(edited->changed);
    EXPECT_EQ(errors_of(view_of(edited->bytes)), errors_of(view_of(bytes)));
    const Rename again{what, to, back};
    const auto returned = rename(view_of(edited->bytes), std::span(&again, 1));
    if (!returned) {
      // a name that is none in HLSL: an assembler's
      EXPECT_EQ(returned.error().code, ErrorCode::bad_value) << returned.error().message;
      ++count.refused;
      return;
    }
    returned->bytes == bytes ? ++count.same : ++count.different;
  }

  std::map<std::string, Counts> counts;
};

void rename_everything(const char* folder, const char* extension, RenameTrip& trip) {
  each(folder, extension, [&](const std::string& path, const std::vector<std::byte>& bytes, const Shader& shader, const Reflection& r) {
    const bool has_semantics = shader.family == Family::dxbc;
    for (std::size_t i = 0; i < std::min(kMost, r.resources.size()); ++i)
      trip.run(path, bytes, What::resource, r.resources[i].name, "zq_resource", r.resources[i].name);
    std::size_t variables = 0;
    for (const Buffer& buffer : r.buffers)
      for (const Variable& v : buffer.variables)
        if (++variables <= kMost)
          trip.run(path, bytes, What::variable, shader.family == Family::pica ? v.name : buffer.name + '.' + v.name, "zq_variable", v.name);
    for (const EntryPoint& entry : r.entry_points) {
      const auto side = [&](const std::vector<SignatureElement>& elements, What what) {
        for (std::size_t i = 0; i < std::min(kMost, elements.size()); ++i) {
          const SignatureElement& e = elements[i];
          if (!e.built_in.empty()) continue;
          const std::string name = e.semantic + (has_semantics ? std::to_string(e.semantic_index) : std::string());
          trip.run(path, bytes, what, name, has_semantics ? "ZQSEMANTIC7" : "zq_name", name);
        }
      };
      side(entry.inputs, What::input);
      side(entry.outputs, What::output);
      if (shader.family == Family::spirv) trip.run(path, bytes, What::entry, entry.name, "zq_entry", entry.name);
    }
  });
}

std::size_t total(const RenameTrip& trip, std::size_t Counts::* member) {
  std::size_t sum = 0;
  for (const auto& [kind, count] : trip.counts) sum += count.*member;
  return sum;
}

// Parts that fxc did not lay out keep their places, and what is new stands behind the rest.
TEST(CorpusEditNames, NamesOfDxbcGoThereAndBack) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  RenameTrip trip;
  rename_everything("dxbc", ".dxbc", trip);
  print("dxbc", trip.counts);
  EXPECT_LE(1000 * total(trip, &Counts::different), total(trip, &Counts::same));
  EXPECT_GT(total(trip, &Counts::same), 0U);
}

TEST(CorpusEditNames, NamesOfSpirvGoThereAndBack) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  RenameTrip trip;
  rename_everything("spirv", ".spv", trip);
  print("spirv", trip.counts);
  EXPECT_EQ(total(trip, &Counts::different), 0U);
}

// A name that grows makes room as picasso does: files of other tools are laid out otherwise then.
TEST(CorpusEditNames, NamesOfThePica200GoThereAndBack) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  RenameTrip trip;
  rename_everything("shbin", ".shbin", trip);
  print("shbin", trip.counts);
  EXPECT_LE(20 * total(trip, &Counts::different), total(trip, &Counts::same));
}

void rebind_everything(const char* folder, const char* extension, std::map<std::string, Counts>& counts) {
  each(folder, extension, [&](const std::string& path, const std::vector<std::byte>& bytes, const Shader& shader, const Reflection& r) {
    const bool is_dxbc = shader.family == Family::dxbc;
    for (std::size_t i = 0; i < std::min(kMost + 1, r.resources.size()); ++i) {
      const Resource& resource = r.resources[i];
      SCOPED_TRACE(path + ": " + resource.name);
      const std::string letters(register_letters(resource.kind));
      Counts& count = counts[is_dxbc ? letters : "binding"];
      Rebind there;
      if (is_dxbc) there.kind = letters == "cb" ? 'b' : letters[0];
      there.from = resource.bind_point;
      there.from_space = resource.space;
      there.to = !is_dxbc || letters == "t" ? 77 : letters == "cb" ? 12 : letters == "s" ? 13 : 7;
      const auto edited = rebind(view_of(bytes), std::span(&there, 1));
      if (!edited) {
        // linked classes; something is bound there already; push constants have no binding
        ++count.refused;
        continue;
      }
      // compute shaders of 4.0 and 4.1 have u0 alone: elsewhere it is out of bounds
      auto expected = errors_of(view_of(bytes));
      if (is_dxbc && there.kind == 'u' && r.major_version == 4) expected.insert("register.limit");
      EXPECT_EQ(errors_of(view_of(edited->bytes)), expected);
      const auto shader_now = open(view_of(edited->bytes));
      ASSERT_TRUE(shader_now);
      const auto now = reflect(*shader_now);
      ASSERT_TRUE(now);
      ASSERT_EQ(now->resources.size(), r.resources.size());
      if (now->resources[i].kind != ResourceKind::push_constants) {
        EXPECT_EQ(now->resources[i].bind_point, there.to);
      }
      const Rebind again{there.kind, there.to, there.from_space, there.from, {}};
      const auto returned = rebind(view_of(edited->bytes), std::span(&again, 1));
      ASSERT_TRUE(returned) << to_string(returned.error());
      returned->bytes == bytes ? ++count.same : ++count.different;
    }
  });
}

TEST(CorpusEditNames, RegistersGoThereAndBack) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  std::map<std::string, Counts> counts;
  rebind_everything("dxbc", ".dxbc", counts);
  rebind_everything("spirv", ".spv", counts);
  print("rebind", counts);
  for (const auto& [kind, count] : counts) EXPECT_EQ(count.different, 0U) << kind;
}

TEST(CorpusEditNames, UniformRegistersGoThereAndBack) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t count = 0;
  each("shbin", ".shbin", [&](const std::string& path, const std::vector<std::byte>& bytes, const Shader&, const Reflection& r) {
    for (const Buffer& buffer : r.buffers) {
      if (buffer.name != "c") continue;
      for (const Variable& v : buffer.variables) {
        SCOPED_TRACE(path + ": " + v.name);
        const auto at = v.offset / 16;
        const std::uint32_t last = 96 - v.size / 16;
        const Rebind there{'c', at, 0, last, {}};
        const auto edited = rebind(view_of(bytes), std::span(&there, 1));
        if (!edited) continue;  // something is there
        EXPECT_EQ(errors_of(view_of(edited->bytes)), errors_of(view_of(bytes)));
        const Rebind again{'c', last, 0, at, {}};
        const auto returned = rebind(view_of(edited->bytes), std::span(&again, 1));
        ASSERT_TRUE(returned) << to_string(returned.error());
        EXPECT_TRUE(returned->bytes == bytes);
        ++count;
      }
    }
  });
  std::printf("%zu uniforms moved\n", count);
  EXPECT_GT(count, 0U);
}

TEST(CorpusEditNames, DefinitionsComeBackWhereTheyWere) {
  if (corpus_dir().empty()) GTEST_SKIP() << kNoCorpus;
  std::size_t restored = 0;
  each("dxbc", ".dxbc", [&](const std::string& path, const std::vector<std::byte>& bytes, const Shader& shader, const Reflection&) {
    using dxcontainer::fourcc;
    const auto& container = *shader.container();
    if (container.find(fourcc("RDEF")) == nullptr || container.find(dxcontainer::PartRole::tokens) == nullptr) return;
    SCOPED_TRACE(path);
    const auto stripped = strip(view_of(bytes), {.reflection = true});
    ASSERT_TRUE(stripped) << to_string(stripped.error());
    const auto result = restore_definitions(view_of(stripped->bytes), view_of(bytes));
    ASSERT_TRUE(result) << to_string(result.error());
    const auto now = open(view_of(result->bytes));
    ASSERT_TRUE(now);
    // the parts in their order, but for the statistics that went too
    std::string before;
    std::string after;
    for (const auto& part : container.parts)
      if (part.fourcc != fourcc("STAT")) before += std::string(part.name()) + ' ';
    for (const auto& part : now->parts()) after += std::string(part.name()) + ' ';
    EXPECT_EQ(after, before);
    const auto made = make_definitions(view_of(stripped->bytes));
    ASSERT_TRUE(made) << to_string(made.error());
    for (const Diagnostic& d : validate(view_of(made->bytes)))
      if (d.rule->id.starts_with("rdef.")) {
        EXPECT_EQ(d.rule->severity, Severity::note) << to_string(d);
      }
    ++restored;
  });
  std::printf("%zu restored\n", restored);
  EXPECT_GT(restored, 0U);
}

}  // namespace

}  // namespace unshade::test
