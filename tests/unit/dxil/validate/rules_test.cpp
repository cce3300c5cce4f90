// Whether each rule of modules has something that breaks it; validate_test.cpp asks the same of those of parts.
#include <algorithm>
#include <iterator>

#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

bool is_of_parts(const Rule& rule) {
  return rule.id.starts_with("dxil.") || rule.id.starts_with("psv0.") || rule.id.starts_with("rdat.") || rule.id.starts_with("sfi0.");
}

}  // namespace

TEST(DxilRules, EachOfModulesHasACase) {
  std::set<std::string> broken = rules_with_texts();
  broken.emplace("bitcode.valid");  // below: there is no module to change
  for (const Cases& table :
       {structure_cases(), operation_cases(), signature_cases(), entry_cases(), resource_cases(), code_cases(), resource_operation_cases(),
        more_operation_cases(), instruction_cases(), declaration_cases(), more_signature_cases(), more_entry_cases(), flow_cases(),
        function_cases(), node_cases(), packing_cases(), view_cases(), ray_cases()})
    for (const Case& c : table) broken.emplace(c.id);
  std::set<std::string> known;
  for (const Rule* rule : validate::validation_rules())
    if (!is_of_parts(*rule)) known.emplace(rule->id);
  std::vector<std::string> differ;
  std::set_symmetric_difference(broken.begin(), broken.end(), known.begin(), known.end(), std::back_inserter(differ));
  EXPECT_EQ(differ, std::vector<std::string>{});
}

TEST(DxilRules, BitcodeThatCannotBeRead) {
  const Bytes part = test::part_data(test::dxil_sample(kVertex), "DXIL");
  const View bitcode = parse_program(test::loose("DXIL", part))->bitcode;
  const auto ids = [](View view) {
    Findings findings(1000);
    validate::check_bitcode(view, findings);
    std::set<std::string> found;
    for (const Diagnostic& d : findings.take()) found.emplace(d.rule->id);
    return found;
  };
  EXPECT_FALSE(ids(bitcode).contains("bitcode.valid"));
  const Bytes half(bitcode.bytes().begin(), bitcode.bytes().begin() + static_cast<std::ptrdiff_t>(bitcode.size() / 2));
  EXPECT_EQ(ids(view_of(half)), std::set<std::string>{"bitcode.valid"});
}

}  // namespace unshade::dxil::test_rules
