"""Cases whose binary computes something else than their source means, or that lost something when they were made: known by name, with the line
of the listing (`unshade dis`) or the fact that shows it, and by rules. They count as skipped."""
import copy
import re

from exec.engine import Failed, Unsupported

FILL = 0x7f7f7f7f

BY_NAME = {
    r"Feature-ByteAddressBuffer-LegacyBufferMatrixOrderStore": "it is meant for Vulkan, with an option of dxc that DXIL does not have: the binary "
                                                               "stores columns, `rawBufferStore.i32(i32 140, %1, i32 0, undef, 1, 3, 5, 2, ...)`",
    r"Feature-HLSLLib-asuint_mat\.64": "dxc transposes the matrix, as the suite notes: `rawBufferStore.i32(i32 140, %2, i32 1, i32 0, %30, %39, %33, "
                                       "%42, ...)` stores by columns what was split by rows",
    r"Feature-HLSLLib-countbits\.16": "the suite runs it nowhere: OutInt[1].x counts the bits of InIntWarp[0].x, which is 0, and 3 is expected",
    r"determinant\.\d\.\d\.5": "its constants are not those of its source, whose first row is 1, -2, 3, 4: the case has 1, 2, 3, 4",
    r"register-reservations-resources\.6\.0\.[2-5]": "dxc reserves no registers for resources that are not used: the listing binds `tex` to t0",
    r"function\.6\.0\.10": "reads what is not assigned: the binary stores `fadd (float undef, float 4.0)`",
}


def run_again(suite, document, folder, engine, family, change):
    changed = copy.deepcopy(document)
    change(changed)
    try:
        return suite.run(changed, folder, engine, family)
    except (Failed, Unsupported):
        return "failed"


def reason(suite, document, folder, engine, family, fault):
    """Why a case that failed is not held against the program, or None."""
    for pattern, why in BY_NAME.items():
        if re.fullmatch(pattern, document["path"].stem):
            return why
    if FILL in document.get("constants", []):
        def fill(changed):
            changed["constants"] = [0 if word == FILL else word for word in changed["constants"]]
        if run_again(suite, document, folder, engine, family, fill) != fault:
            return "reads constants that the case does not have: their words are the suite's filling, 0x7f7f7f7f"
    if hasattr(fault, "target"):
        pixel = next((binary["file"] for binary in document["binaries"] if binary["stage"] == "pixel"), None)
        if pixel and (stored := constants_stored(engine.lowered(folder / pixel), fault.target, fault.components)):
            return f"the binary stores a constant there, {stored}"
    if at := re.search(r"\[(\d+)\] is 0, expected", fault):
        def negative(changed):
            for buffer in changed["pipeline"]["Buffers"]:
                index = int(at[1])
                if buffer["Format"].startswith("Float") and len(buffer.get("Data", [])) > index and buffer["Data"][index] == 0:
                    buffer["Data"][index] = -0.0
        if "pipeline" in document and run_again(suite, document, folder, engine, family, negative) is None:
            return f"its input {at[1]} is 0 where its source has -0, of which it passes"
    return None


def constants_stored(text, target, components):
    """What a shader stores to components of a target, if only constants, as IR."""
    elements = [line for line in text.splitlines() if line.startswith("output \"")]
    element = next((k for k, line in enumerate(elements) if re.search(rf"\"sv_target\".* register {target}\b", line, re.I)), None)
    stored = []
    for component in components:
        lines = [line.strip() for line in text.splitlines() if re.match(rf"  output \w+ out{element}\.{'xyzw'[component]} ", line)]
        if not lines or any("%" in line for line in lines):
            return None
        stored += [f"`{line.split(' !')[0]}`" for line in lines]
    return ", ".join(stored)
