#include "dxil/edit/library.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dxil/parts/text_table.hpp"

namespace unshade::dxil::edit {

namespace {

class Walk {
 public:
  explicit Walk(Rdat& rdat) : rdat_(rdat), budget_(kShares * (rdat.index_arrays.size() / 4 + 1)) {}

  Result<RdatTexts> run() {
    for (auto& row : rdat_.resources.rows) use(row.name);
    // Functions that are not there have their names before all that are, in the order of the module.
    std::vector<RdatWord*> absent;
    for (const auto& row : rdat_.functions.rows)
      for (RdatWord* word : words(row.dependencies_array)) absent.push_back(word);
    std::ranges::stable_sort(absent, {}, [](const RdatWord* word) { return word->text.offset; });
    for (RdatWord* word : absent) use(word->text);
    for (auto& row : rdat_.functions.rows) {
      use(row.name);
      use(row.unmangled_name);
      if (row.kind == ShaderKind::node) node_shader(row.shader_record);
    }
    for (auto& row : rdat_.subobjects.rows) subobject(row);
    for (auto& row : rdat_.node_ids.rows) use(row.name);
    for (auto& row : rdat_.signature_elements.rows) use(row.semantic_name);
    if (exhausted_) return Error{ErrorCode::overlap, rdat_.index_arrays.file_offset(), "RDAT/index_arrays", "index arrays overlap"};
    parts::TextTableWriter table;
    table.add({});
    texts_.in_order = std::ranges::all_of(texts_.uses, [&](const String* text) { return table.add(text->text) == text->offset; }) &&
                      std::ranges::equal(table.take(parts::Padding::words), rdat_.strings.bytes());
    return std::move(texts_);
  }

 private:
  /// Arrays are looked at once each. They could overlap to be many times what is there.
  static constexpr std::size_t kShares = 8;

  void use(String& text) {
    if (!text.text.empty() && used_.insert(&text).second) texts_.uses.push_back(&text);
  }

  RdatIndexes numbers(std::uint32_t array) {
    const RdatIndexes result = rdat_.indexes(array);
    if (result.size() > budget_) {
      exhausted_ = true;
      return {};
    }
    budget_ -= result.size();
    return result;
  }
  /// Nothing the second time.
  std::vector<RdatWord*> words(std::uint32_t array) {
    std::vector<RdatWord*> result;
    if (!text_arrays_.insert(array).second) return result;
    const RdatIndexes offsets = numbers(array);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      result.push_back(
          &texts_.words.emplace_back(RdatWord{array + 1 + static_cast<std::uint32_t>(i), {rdat_.text(offsets[i]), offsets[i]}}));
    return result;
  }

  void node_id(std::uint32_t record) {
    if (record < rdat_.node_ids.size()) use(rdat_.node_ids[record].name);
  }
  void node_shader(std::uint32_t record) {
    if (record >= rdat_.node_shaders.size() || !shaders_.insert(record).second) return;
    const RdatNodeShader& shader = rdat_.node_shaders[record];
    const RdatIndexes attributes = numbers(shader.attributes_array);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (attributes[i] >= rdat_.node_function_attributes.size()) continue;
      const RdatNodeFunctionAttribute& attribute = rdat_.node_function_attributes[attributes[i]];
      if (attribute.kind == NodeFunctionAttribute::id || attribute.kind == NodeFunctionAttribute::share_input_of) node_id(attribute.value);
    }
    for (const std::uint32_t array : {shader.inputs_array, shader.outputs_array}) {
      const RdatIndexes ios = numbers(array);
      for (std::size_t i = 0; i < ios.size(); ++i)
        if (ios[i] < rdat_.node_ios.size()) node_io(rdat_.node_ios[ios[i]]);
    }
  }
  void node_io(const RdatNodeIo& io) {
    const RdatIndexes attributes = numbers(io.attributes_array);
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (attributes[i] < rdat_.node_io_attributes.size() && rdat_.node_io_attributes[attributes[i]].kind == NodeIoAttribute::output_id)
        node_id(rdat_.node_io_attributes[attributes[i]].value);
  }

  void subobject(RdatSubobject& row) {
    use(row.name);
    if (row.kind == SubobjectKind::subobject_to_exports_association) {
      use(row.subobject);
      for (RdatWord* word : words(row.exports_array)) use(word->text);
    }
    if (row.kind == SubobjectKind::hit_group)
      for (String* name : {&row.any_hit, &row.closest_hit, &row.intersection}) use(*name);
  }

  Rdat& rdat_;
  RdatTexts texts_;
  std::unordered_set<const String*> used_;
  std::unordered_set<std::uint32_t> text_arrays_, shaders_;
  std::size_t budget_;
  bool exhausted_ = false;
};

}  // namespace

Result<RdatTexts> RdatTexts::of(Rdat& rdat) { return Walk(rdat).run(); }

std::vector<std::byte> RdatTexts::place(const Rdat& rdat, std::vector<std::byte>& arrays) const {
  std::vector<std::byte> buffer;
  if (in_order) {
    parts::TextTableWriter table;
    table.add({});
    for (String* text : uses) text->offset = table.add(text->text);
    buffer = table.take(parts::Padding::words);
  } else {
    buffer = parts::place_texts(rdat.strings, uses, parts::Sharing::always, parts::Padding::words);
  }
  arrays.assign(rdat.index_arrays.bytes().begin(), rdat.index_arrays.bytes().end());
  for (const RdatWord& word : words)
    for (unsigned b = 0; b < 4; ++b) arrays[std::size_t{word.at} * 4 + b] = static_cast<std::byte>(word.text.offset >> (8 * b));
  return buffer;
}

}  // namespace unshade::dxil::edit
