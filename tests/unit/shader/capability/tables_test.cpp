// Every family has the row of its own in each table, and a file of no family is refused by what it was asked for.
#include <gtest/gtest.h>

#include <string>

#include <unshade/shader/edit.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/spirv_modules.hpp>

#include "shader/capability/assembling.hpp"
#include "shader/capability/documents.hpp"
#include "shader/capability/edits.hpp"
#include "shader/capability/fields.hpp"
#include "shader/capability/listing.hpp"
#include "shader/capability/modules.hpp"
#include "shader/capability/opcodes.hpp"
#include "shader/capability/reflection.hpp"
#include "shader/capability/run.hpp"
#include "shader/capability/sources.hpp"
#include "shader/capability/summary.hpp"
#include "shader/capability/validation.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader {
namespace {

constexpr Family kAll[] = {Family::dxbc, Family::dxil, Family::pica, Family::spirv, Family::vbc};

TEST(CapabilityTables, HaveARowForEachFamily) {
  for (const Family family : kAll) {
    SCOPED_TRACE(std::string(id(family)));
    EXPECT_EQ(family::row_of(family).family, family);
    EXPECT_EQ(capability::listing_row(family).family, family);
    EXPECT_EQ(capability::opcodes_row(family).family, family);
    EXPECT_EQ(capability::run_row(family).family, family);
    EXPECT_EQ(capability::summary_row(family).family, family);
    EXPECT_EQ(capability::fields_row(family).family, family);
    EXPECT_EQ(capability::reflection_row(family).family, family);
    EXPECT_EQ(capability::validation_row(family).family, family);
    EXPECT_EQ(capability::assembling_row(family).family, family);
    EXPECT_EQ(capability::document_row(family).family, family);
    EXPECT_EQ(capability::sources_row(family).family, family);
    EXPECT_EQ(capability::edit_row(family).family, family);
  }
}

TEST(CapabilityTables, OnlySpirvAndWhatHoldsItHaveModules) {
  EXPECT_NE(capability::modules_row(Family::spirv).modules, nullptr);
  EXPECT_NE(capability::modules_row(Family::vbc).modules, nullptr);
  EXPECT_EQ(capability::modules_row(Family::dxbc).modules, nullptr);
  EXPECT_EQ(capability::modules_row(Family::pica).modules, nullptr);
}

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? "" : result.error().message;
}

TEST(CapabilityTables, AFileOfNoFamilyIsRefused) {
  const Shader none;
  EXPECT_EQ(capability::listing_row(Family::unknown).disassemble, nullptr);
  Text out;
  EXPECT_EQ(message_of(disassemble(none, out)), "listings of the family unknown are not supported");
  EXPECT_EQ(message_of(reflect(none)), "reflections of the family unknown are not supported");
  EXPECT_EQ(message_of(lower(none)), "files of the family unknown cannot be lowered");
  EXPECT_EQ(message_of(strip(none, {})), "stripping is not supported for unknown files");
  EXPECT_EQ(message_of(modules_of(none)), "the file has no SPIR-V");
}

}  // namespace
}  // namespace unshade::shader
