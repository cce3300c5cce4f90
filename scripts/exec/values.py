"""Numbers as bits, and the comparisons that test suites ask for."""
import math
import struct

FORMS = {  # struct's letter, bytes
    "Float16": ("e", 2), "Float32": ("f", 4), "Float64": ("d", 8), "Int16": ("h", 2), "UInt16": ("H", 2), "Int32": ("i", 4),
    "UInt32": ("I", 4), "Int64": ("q", 8), "UInt64": ("Q", 8), "Hex8": ("B", 1), "Hex16": ("H", 2), "Hex32": ("I", 4), "Hex64": ("Q", 8),
    "Bool": ("I", 4), "Depth32": ("f", 4),
}


def is_real(form):
    return FORMS[form][0] in "efd"


def size_of(form):
    return FORMS[form][1]


def pack(form, values):
    """Values of a suite's file as bytes; texts may be `nan`, `inf`, hexadecimal."""
    letter, _ = FORMS[form]
    made = bytearray()
    for value in values:
        if isinstance(value, str):
            text = value.strip()
            if letter in "efd":
                value = struct.unpack("<" + {"e": "e", "f": "f", "d": "d"}[letter], int(text, 16).to_bytes(FORMS[form][1], "little"))[0] \
                    if text.lower().startswith("0x") and "p" not in text.lower() else \
                    float.fromhex(text) if "0x" in text.lower() else float(text)
            else:
                value = int(text, 0)
        if isinstance(value, bool):
            value = int(value)
        if letter == "e" and isinstance(value, int):  # halves are given as their bits
            made += (value & 0xffff).to_bytes(2, "little")
            continue
        if letter in "efd":
            made += pack_real(letter, float(value))
        else:
            bits = 8 * FORMS[form][1]
            made += (int(value) & (1 << bits) - 1).to_bytes(bits // 8, "little")
    return bytes(made)


def pack_real(letter, value):
    try:
        return struct.pack("<" + letter, value)
    except OverflowError:
        return struct.pack("<" + letter, math.copysign(math.inf, value))


def real(value):
    """A number of a result: what JSON cannot hold stands as text."""
    return float(value) if isinstance(value, str) else value


def unpack(form, data):
    letter, size = FORMS[form]
    return list(struct.unpack(f"<{len(data) // size}{letter}", data[:len(data) // size * size]))


def ordered(form, value):
    """A whole number that counts representable values."""
    letter, size = FORMS[form]
    bits = int.from_bytes(pack_real(letter, value), "little")
    sign = 1 << 8 * size - 1
    return -(bits & sign - 1) if bits & sign else bits


def flushed(form, value):
    smallest = {"e": 2.0 ** -14, "f": 2.0 ** -126, "d": 2.0 ** -1022}[FORMS[form][0]]
    return math.copysign(0.0, value) if abs(value) < smallest else value


def same_exact(form, actual, expected):
    if is_real(form) and math.isnan(actual) and math.isnan(expected):
        return True
    return actual == expected


def same_ulps(form, actual, expected, ulps, mode="Any", near_zero=0.0):
    """near_zero: where one of the two is that close to zero, they may differ by as much, and ulps do not count."""
    if not is_real(form):
        return actual == expected
    if math.isnan(actual) or math.isnan(expected):
        return math.isnan(actual) and math.isnan(expected)
    if actual == expected:
        return True
    if math.isinf(actual) or math.isinf(expected):
        return False
    if near_zero > 0 and min(abs(actual), abs(expected)) <= near_zero:
        return abs(actual - expected) <= near_zero
    if abs(ordered(form, actual) - ordered(form, expected)) <= ulps:
        return True
    return mode != "Preserve" and abs(ordered(form, flushed(form, actual)) - ordered(form, flushed(form, expected))) <= ulps


def same_within(form, actual, expected, epsilon, mode="Any"):
    if math.isnan(actual) or math.isnan(expected):
        return math.isnan(actual) and math.isnan(expected)
    if actual == expected or abs(actual - expected) <= epsilon:
        return True
    return mode != "Preserve" and is_real(form) and abs(flushed(form, actual) - flushed(form, expected)) <= epsilon
