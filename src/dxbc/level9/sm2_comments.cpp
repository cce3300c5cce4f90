#include <unshade/dxbc/sm2.hpp>

#include "dxbc/level9/sm2_comments_layout.hpp"

namespace unshade::dxbc::sm2 {

namespace {

constexpr NamedValue kTypeClasses[] = {{0, "scalar"},         {1, "vector"}, {2, "matrix_rows"},
                                       {3, "matrix_columns"}, {4, "object"}, {5, "struct"}};
constexpr NameTable kTypeClassNames{kTypeClasses};
constexpr FieldType kTypeClassType{FieldKind::enumeration, "type class", &kTypeClassNames};

constexpr NamedValue kBaseTypes[] = {
    {0, "void"},
    {1, "bool"},
    {2, "int"},
    {3, "float"},
    {4, "string"},
    {5, "texture"},
    {6, "texture1d"},
    {7, "texture2d"},
    {8, "texture3d"},
    {9, "texturecube"},
    {10, "sampler"},
    {11, "sampler1d"},
    {12, "sampler2d"},
    {13, "sampler3d"},
    {14, "samplercube"},
    {15, "pixelshader"},
    {16, "vertexshader"},
    {17, "pixelfragment"},
    {18, "vertexfragment"},
    {19, "unsupported"},
};
constexpr NameTable kBaseTypeNames{kBaseTypes};
constexpr FieldType kBaseTypeType{FieldKind::enumeration, "base type", &kBaseTypeNames};

constexpr NamedValue kRegisterSets[] = {{0, "bool"}, {1, "int4"}, {2, "float4"}, {3, "sampler"}};
constexpr NameTable kRegisterSetNames{kRegisterSets};
constexpr FieldType kRegisterSetType{FieldKind::enumeration, "register set", &kRegisterSetNames};

template <class T>
Result<T> parse(View comment, const char* name, std::uint32_t fourcc) {
  if (comment.u32(0) != fourcc)
    return Error{ErrorCode::bad_magic, comment.file_offset(), name, "the comment does not begin with the expected FourCC"};
  T model;
  auto done = read_part(*comment.sub(kFourCCBytes, comment.size() - kFourCCBytes), name, model);
  if (!done) return std::move(done).error();
  return model;
}

}  // namespace

std::size_t Constant::default_bytes() const {
  constexpr std::size_t kRegisterBytes = 16;
  constexpr std::size_t kBooleanBytes = 4;
  if (set == RegisterSet::sampler) return 0;
  return register_count * (set == RegisterSet::boolean ? kBooleanBytes : kRegisterBytes);
}

const FieldType& field_type(TypeClass) { return kTypeClassType; }
const FieldType& field_type(BaseType) { return kBaseTypeType; }
const FieldType& field_type(RegisterSet) { return kRegisterSetType; }

Result<DebugInfo> parse_debug_info(View comment) { return parse<DebugInfo>(comment, "DBUG", kDebugComment); }
Result<ConstantTable> parse_constant_table(View comment) { return parse<ConstantTable>(comment, "CTAB", kConstantComment); }

}  // namespace unshade::dxbc::sm2
