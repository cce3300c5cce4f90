// The order in which runs that nobody watches execute the code of a program.
#pragma once

#include <vector>

#include "vm/program.hpp"

namespace unshade::vm {

/// Makes Data::scheduled and Data::steps of Data::code and Data::blocks: the instructions of the preamble, then those of each block without
/// them. Operations over lanes move within their block so that those of one kernel follow each other, as far as the slots allow that are
/// already given: each reads what it read before. An operation of f32 whose result one other alone needs becomes one instruction with it,
/// which rounds twice too: fmad, or a Pair. Accesses keep their order.
void schedule(Program::Data& data, const std::vector<bool>& in_preamble);

}  // namespace unshade::vm
