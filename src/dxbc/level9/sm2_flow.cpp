#include <unshade/dxbc/level9/sm2_flow.hpp>

namespace unshade::dxbc::sm2 {

program::Flow flow_of(const OpcodeInfo& row) {
  if (row.defines() || row.declares()) return program::Flow::declaration;
  return row.labels() ? program::Flow::body : program::flow_of_word(row.sem);
}

}  // namespace unshade::dxbc::sm2
