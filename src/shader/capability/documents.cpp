#include "shader/capability/documents.hpp"

#include "shader/document/document.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::capability {

namespace {

constexpr DocumentRow kDocuments[] = {
    {Family::dxbc, document::make_dxbc, document::build_dxbc, &document::kDxbcParts},
    {Family::dxil, document::make_dxil, document::build_dxil, &document::kDxilParts},
    {Family::pica, document::make_pica, document::build_pica},
    {Family::spirv, document::make_spirv, document::build_spirv},
    {Family::vbc, document::make_vbc, document::build_vbc},
};

}  // namespace

const DocumentRow& document_row(Family family) { return family::find_row(kDocuments, family); }

}  // namespace unshade::shader::capability
