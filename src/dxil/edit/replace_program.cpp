// A text in the place of the program that a container has, and what follows from it in other parts.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/debug_file.hpp>
#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/parts/hash.hpp>
#include <unshade/dxil/program/reflection_module.hpp>

#include "dxil/assemble/module.hpp"
#include "dxil/edit/strip.hpp"
#include "dxil/listing/comments.hpp"
#include "dxil/parts/program_header.hpp"

namespace unshade::dxil::edit {

namespace {

using dxcontainer::Container;
using dxcontainer::ContainerEdit;
using dxcontainer::fourcc;
using Bytes = std::vector<std::byte>;

class ProgramPlacer {
 public:
  ProgramPlacer(std::string_view text, const Container& container) : text_(text), container_(container), edit_(container) {}

  Assembly run() {
    const auto debug_place = edit_.find(fourcc("ILDB"));
    const auto plain_place = edit_.find(fourcc("DXIL"));
    const auto listed_place = debug_place ? debug_place : plain_place;
    if (!listed_place) return assembler::failed_assembly({ErrorCode::missing, 0, "container", "the container has no program to replace"});
    const auto listed = parse_program(edit_.part(*listed_place));
    if (!listed) return assembler::failed_assembly(listed.error());
    const auto before = parse_module(listed->bitcode);
    Module module;
    std::vector<listing::PlacedComment> comments;
    Assembly made = assembler::assemble_module(text_, module, before ? &*before : nullptr, &comments);
    if (!made.ok) return made;
    const ProgramMetadata metadata = read_program_metadata(module);
    const bool leaves_debug = debug_place && plain_place && !has_debug(module);
    Result<void> done;
    if (leaves_debug) {
      done = put(*plain_place, View(made.file), metadata);
      edit_.remove_all(fourcc("ILDB"));
      made.notes.emplace_back("ILDB is removed: it belongs to the old program, and the text has no debug information");
    } else {
      if (before && says_the_same(*before, listed->bitcode, made.file)) made.file = copy(listed->bitcode);
      done = put(*listed_place, View(made.file), metadata);
      if (done && debug_place && plain_place) done = derive_plain(*plain_place, View(made.file), metadata);
    }
    if (!done) return assembler::failed_assembly(done.error());
    if (before && edit_.changed()) derive(*before, module, made.notes);
    if (auto file = finish(); file)
      made.file = *std::move(file);
    else
      return assembler::failed_assembly(file.error());
    if (before && !comments.empty()) check_comments(comments, *before, listed->bitcode.size(), made);
    return made;
  }

 private:
  /// An edited comment is an error: nobody would be told otherwise that it changed nothing.
  void check_comments(const std::vector<listing::PlacedComment>& comments, const Module& before, std::size_t size, Assembly& made) const {
    const auto file = dxcontainer::parse_container(View(made.file));
    const auto* const part = file ? file->find_any({fourcc("ILDB"), fourcc("DXIL")}) : nullptr;
    const auto program = part == nullptr ? Result<Program>(Program()) : parse_program(*part);
    const auto now = program ? parse_module(program->bitcode) : Result<Module>(program.error());
    if (!now) return;
    const auto list = [&](const listing::AskedDxc& dxc) {
      return listing::ListedPair{
          listing::list_comments(*now, program->bitcode.size(), dxc, listing::list_sections(*file, dxc)),
          listing::list_comments(before, size, dxc, listing::list_sections(container_, dxc)),
      };
    };
    auto found = listing::find_comments_of_no_dxc(text_, comments, list, {});
    const auto error = std::ranges::find(found, Severity::error, &Message::severity);
    if (error == found.end()) {
      std::ranges::move(found, std::back_inserter(made.messages));
      return;
    }
    Message message = std::move(*error);
    made = {};
    made.messages.push_back(std::move(message));
  }

  static Bytes copy(View view) { return {view.bytes().begin(), view.bytes().end()}; }

  /// Whether a text is that of a module which another compiler wrote in another order: its bits are kept then.
  static bool says_the_same(const Module& before, View bitcode, const Bytes& assembled) {
    if (std::ranges::equal(assembled, bitcode.bytes())) return true;
    ListingOptions options;
    options.sections = false;
    options.exact = true;
    Text listing;
    if (!list_module(before, bitcode.size(), listing, options)) return false;
    Module again;
    const Assembly made = assembler::assemble_module(listing.view(), again, &before);
    return made.ok && made.file == assembled;
  }

  /// The program part with other bitcode. Its header says what the metadata do.
  Result<void> put(std::size_t place, View bitcode, const ProgramMetadata& metadata) {
    auto program = parse_program(edit_.part(place));
    if (!program) return std::move(program).error();
    if (std::ranges::equal(program->bitcode.bytes(), bitcode.bytes())) return {};
    parts::set_versions(*program, metadata);
    program->bitcode = bitcode;
    program->size_dwords = 0;
    edit_.replace(place, write_program(*program));
    return {};
  }

  /// DXIL is ILDB without debug information, and without reflection if it had none.
  Result<void> derive_plain(std::size_t place, View debug_module, const ProgramMetadata& metadata) {
    if (!edit_.changed()) return {};
    const auto before = parse_program(edit_.part(place));
    if (!before) return before.error();
    const auto stripped = strip_module(before->bitcode, {.reflection = true});
    if (!stripped) return stripped.error();
    const bool reflection = std::ranges::equal(*stripped, before->bitcode.bytes());
    const auto bitcode = strip_module(debug_module, {.debug = true, .reflection = reflection});
    if (!bitcode) return bitcode.error();
    return put(place, View(*bitcode), metadata);
  }

  /// What else follows from the module.
  void derive(const Module& before, const Module& now, std::vector<std::string>& notes) {
    DerivedChanges changes = derive_changes(container_, before, now);
    for (DerivedChanges::Change& change : changes.parts)
      change.removed ? static_cast<void>(edit_.remove_all(change.fourcc))
                     : static_cast<void>(edit_.put(change.fourcc, std::move(change.data)));
    notes.insert(notes.end(), changes.notes.begin(), changes.notes.end());
    note_reflection(before, now, notes);
  }

  /// STAT has names and usage that the program lacks, so that it cannot be made of it.
  void note_reflection(const Module& before, const Module& now, std::vector<std::string>& notes) const {
    const auto place = edit_.find(fourcc("STAT"));
    const auto program = place ? parse_program(edit_.part(*place)) : Result<Program>(Error{});
    const auto module = program ? parse_module(program->bitcode) : Result<Module>(program.error());
    if (!module) return;
    const ProgramMetadata stated = read_program_metadata(*module);
    constexpr std::size_t kMost = 100;
    const auto faults = program::reflection_faults(stated, read_program_metadata(now), kMost);
    const auto known = program::reflection_faults(stated, read_program_metadata(before), kMost);
    const auto is_new = [&](const program::ReflectionFault& fault) {
      return std::ranges::none_of(known, [&](const auto& other) { return other.path == fault.path && other.message == fault.message; });
    };
    constexpr std::size_t kTold = 3;
    std::string text;
    std::size_t count = 0;
    for (const program::ReflectionFault& fault : faults) {
      if (!is_new(fault)) continue;
      if (count++ < kTold) text += (text.empty() ? "" : "; ") + fault.path + ": " + fault.message;
    }
    if (count == 0) return;
    if (count > kTold) text += "; and " + std::to_string(count - kTold) + " more";
    notes.push_back("STAT is kept, and its reflection data still describes the old module: " + text);
  }

  /// Hash, name of the debug file, and the container's own digest.
  Result<Bytes> finish() {
    if (!edit_.changed()) return edit_.write();
    const auto identity = identity_of(container_);
    update_hash(container_, edit_);
    const auto hash_place = edit_.find(fourcc("HASH"));
    const auto name_place = edit_.find(fourcc("ILDN"));
    // The name of a debug file that lies elsewhere stays.
    if (identity && hash_place && name_place && edit_.find(fourcc("ILDB"))) {
      const auto hash = parse_hash(edit_.part(*hash_place));
      auto name = parse_debug_name(edit_.part(*name_place));
      if (hash && name && name->name == debug_file_name(*identity)) {
        dxcontainer::PdbIdentity now = *identity;
        now.guid = hash->digest;
        const std::string now_name = debug_file_name(now);
        name->name = now_name;
        edit_.replace(*name_place, write_debug_name(*name));
      }
    }
    return edit_.write();
  }

  std::string_view text_;
  const Container& container_;
  ContainerEdit edit_;
};

}  // namespace

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

Assembly assemble_into(std::string_view text, const edit::Container& container) { return edit::ProgramPlacer(text, container).run(); }

}  // namespace unshade::dxil
