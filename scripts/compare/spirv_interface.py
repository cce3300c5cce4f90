"""What a module of SPIR-V needs around it: its descriptors, inputs and outputs, and the decorations that transform feedback wants."""
import struct

INPUT, UNIFORM, OUTPUT, PRIVATE, PUSH, STORAGE = 1, 2, 3, 6, 9, 12
POSITION, VERTEX_INDEX, FRAG_COORD, NUM_WORKGROUPS = 0, 42, 15, 24
LOCAL_SIZE = 17  # an execution mode
LOCATION, COMPONENT, BUILTIN, FLAT, BLOCK, BUFFER_BLOCK, BINDING, SET, OFFSET = 30, 31, 11, 14, 2, 3, 33, 34, 35
ARRAY_STRIDE, MATRIX_STRIDE, ROW_MAJOR, XFB_BUFFER, XFB_STRIDE = 6, 7, 4, 36, 37
STAGES = {0: "vertex", 4: "fragment", 5: "compute"}
DIMS = {0: "1d", 1: "2d", 2: "3d", 3: "cube", 5: "buffer"}
IMAGE_FORMATS = {1: "R32G32B32A32_FLOAT", 2: "R16G16B16A16_FLOAT", 3: "R32_FLOAT", 4: "R8G8B8A8_UNORM", 5: "R8G8B8A8_SNORM", 6: "R32G32_FLOAT",
                 15: "R8_UNORM", 21: "R32G32B32A32_SINT", 24: "R32_SINT", 30: "R32G32B32A32_UINT", 33: "R32_UINT"}


class Unsupported(Exception):
    """The harness cannot run it; says why."""


# DPdx, DPdy, Fwidth; DPdxCoarse, DPdyCoarse, FwidthCoarse
QUERY_LOD = 105
SAMPLES = set(range(87, 95)) | {96, 97}
DERIVATIVES = {207, 208, 209, 213, 214, 215}


class Module:
    def __init__(self, data):
        count = len(data) // 4
        self.words = list(struct.unpack("<%dI" % count, data[:4 * count]))
        if not self.words or self.words[0] != 0x07230203:
            raise Unsupported("no SPIR-V")
        self.names, self.decorations, self.members, self.types, self.constants = {}, {}, {}, {}, {}
        self.variables, self.entries, self.modes, self.opcodes, self.capabilities = [], [], {}, set(), []
        self.builtins = set()
        self.after_annotations = self.after_modes = self.after_capabilities = 5
        at = 5
        while at < len(self.words):
            size, op = self.words[at] >> 16, self.words[at] & 0xffff
            if size == 0:
                raise Unsupported("no SPIR-V")
            self.read(op, self.words[at + 1:at + size], at + size)
            at += size

    def read(self, op, w, after):
        self.opcodes.add(op)
        if op == 17:
            self.capabilities.append(w[0])
            self.after_capabilities = after
        elif op == 15:
            text = struct.pack("<%dI" % (len(w) - 2), *w[2:])
            name = text[:text.index(0)]
            self.entries.append((w[0], w[1], name.decode(), w[2 + len(name) // 4 + 1:]))
            self.after_modes = after
        elif op in (16, 331):
            self.modes.setdefault(w[0], []).append(w[1:])
            self.after_modes = after
        elif op == 5:
            text = struct.pack("<%dI" % (len(w) - 1), *w[1:])
            self.names[w[0]] = text[:text.index(0)].decode("latin-1")
        elif op == 71:
            self.decorations.setdefault(w[0], {})[w[1]] = w[2] if len(w) > 2 else None
            if w[1] == BUILTIN:
                self.builtins.add(w[2])
            self.after_annotations = after
        elif op == 72:
            self.members.setdefault((w[0], w[1]), {})[w[2]] = w[3] if len(w) > 3 else None
            self.after_annotations = after
        elif op in (73, 74, 332, 5632, 5633):
            self.after_annotations = after
        elif 19 <= op <= 39:
            self.types[w[0]] = (op, w[1:])
        elif op in (43, 50):
            self.constants[w[1]] = w[2]
        elif op == 59:
            self.variables.append((w[1], w[0], w[2]))

    # (kind, width) of the scalar at the bottom, and how many components: of scalars and vectors
    def vector(self, type_id):
        op, w = self.types[type_id]
        if op == 23:
            kind, _ = self.vector(w[0])
            return kind, w[1]
        if op == 22 and w[0] == 32:
            return "float", 1
        if op == 21 and w[0] == 32:
            return "int" if w[1] else "uint", 1
        if op == 20:
            return "bool", 1
        raise Unsupported("inputs or outputs that are no vectors of 32 bits")

    def pointee(self, type_id):
        return self.types[type_id][1][1]

    def entry(self):
        model, function, name, interface = self.entries[0]
        if model not in STAGES:
            raise Unsupported("another stage")
        return STAGES[model], function, name, interface

    def interface(self, storage):
        """(variable, member or None, location or None, component, builtin, kind, components, flat) of each vector."""
        found = []
        _, _, _, listed = self.entry()
        for variable, type_id, where in self.variables:
            if where != storage or variable not in listed:
                continue
            has = self.decorations.get(variable, {})
            inner = self.pointee(type_id)
            op, w = self.types[inner]
            if op == 30:
                location = has.get(LOCATION)
                for number, member in enumerate(w):
                    of = self.members.get((inner, number), {})
                    if of.get(BUILTIN) is not None:
                        if of[BUILTIN] == POSITION:
                            found.append((variable, number, None, 0, POSITION, "float", 4, False))
                        continue
                    kind, components = self.vector(member)
                    at = of.get(LOCATION, location)
                    location = at + 1
                    found.append((variable, number, at, of.get(COMPONENT, 0), None, kind, components, FLAT in of or FLAT in has))
                continue
            builtin = has.get(BUILTIN)
            if builtin is not None:
                if op == 28:
                    inner = w[0]
                try:
                    found.append((variable, None, None, 0, builtin, *self.vector(inner), False))
                except Unsupported:
                    pass
                continue
            kind, components = self.vector(inner)
            found.append((variable, None, has[LOCATION], has.get(COMPONENT, 0), None, kind, components, FLAT in has))
        return found

    def layout(self, type_id, offset=0, has=None):
        """(offset, kind) of each scalar of 32 bits; runtime arrays have as many elements as fit into 4,096 bytes."""
        has = has or {}
        op, w = self.types[type_id]
        if op == 30:
            for number, member in enumerate(w):
                of = self.members.get((type_id, number), {})
                yield from self.layout(member, offset + of.get(OFFSET, 0), of)
        elif op in (28, 29):
            stride = self.decorations.get(type_id, {}).get(ARRAY_STRIDE, 16)
            count = min(self.constants.get(w[1], 1), 65536 // stride) if op == 28 else max(4096 // stride, 1)
            for at in range(count):
                yield from self.layout(w[0], offset + at * stride, has)
        elif op == 24:
            _, rows = self.vector(w[0])
            for column in range(w[1]):
                for row in range(rows):
                    major, minor = (row, column) if ROW_MAJOR in has else (column, row)
                    yield offset + major * has.get(MATRIX_STRIDE, 16) + 4 * minor, "float"
        elif op == 32:
            raise Unsupported("pointers in buffers")
        else:
            kind, components = self.vector(type_id)
            for at in range(components):
                yield offset + 4 * at, kind

    def descriptors(self):
        for variable, type_id, storage in self.variables:
            if storage not in (0, UNIFORM, STORAGE, PUSH):
                continue
            has = self.decorations.get(variable, {})
            inner = self.pointee(type_id)
            name = self.names.get(variable, "")
            if storage == PUSH:
                yield {"kind": "push", "layout": list(self.layout(inner)), "name": name}
                continue
            made = {"set": has.get(SET, 0), "binding": has.get(BINDING, 0), "name": name}
            op, w = self.types[inner]
            if op in (28, 29):
                raise Unsupported("arrays of descriptors")
            if op == 30:
                is_storage = storage == STORAGE or BUFFER_BLOCK in self.decorations.get(inner, {})
                yield {**made, "kind": "storage" if is_storage else "uniform", "layout": list(self.layout(inner))}
            elif op == 26:
                yield {**made, "kind": "sampler"}
            elif op in (25, 27):
                if op == 27:
                    _, w = self.types[w[0]]
                dim, depth, arrayed, multi, sampled, pixel = w[1:7]
                if multi or dim not in DIMS:
                    raise Unsupported("multisampled textures" if multi else "textures of another dimension")
                yield {**made, "kind": "combined" if op == 27 else "image", "view": DIMS[dim] + ("_array" if arrayed else ""), "depth": depth,
                       "storage": sampled == 2, "type": self.vector(w[0])[0], "format": IMAGE_FORMATS.get(pixel)}
                if pixel != 0 and pixel not in IMAGE_FORMATS:
                    raise Unsupported("a format of storage images")
            else:
                raise Unsupported("a descriptor of type %d" % op)

    def with_feedback(self, captured, stride):
        """The module's bytes with transform feedback of what is captured: (variable, member, offset)."""
        entry = self.entry()[1]
        annotations, done = [], set()
        for variable, member, offset in captured:
            inner = self.pointee(next(type_id for which, type_id, _ in self.variables if which == variable))
            if member is not None and BLOCK in self.decorations.get(inner, {}):
                annotations += [5 << 16 | 72, inner, member, OFFSET, offset]
            elif variable not in done:  # the members of a structure follow each other: all but the last must have 16 bytes
                annotations += [4 << 16 | 71, variable, OFFSET, offset]
            if variable not in done:
                done.add(variable)
                annotations += [4 << 16 | 71, variable, XFB_BUFFER, 0, 4 << 16 | 71, variable, XFB_STRIDE, stride]
        words = self.words[:self.after_capabilities] + [2 << 16 | 17, 53] + self.words[self.after_capabilities:self.after_modes]
        words += [3 << 16 | 16, entry, 11] + self.words[self.after_modes:self.after_annotations] + annotations + self.words[self.after_annotations:]
        return struct.pack("<%dI" % len(words), *words)

    def with_sets_from(self, first):
        """The module's bytes with the descriptor sets from a number on."""
        words, at = list(self.words), 5
        while at < len(words):
            if words[at] & 0xffff == 71 and words[at + 2] == SET:
                words[at + 3] += first
            at += words[at] >> 16
        return struct.pack("<%dI" % len(words), *words)

    def with_fine_derivatives(self):
        """The module's bytes with DPdx, DPdy and Fwidth, and their coarse kinds, as the fine kinds. lavapipe has no others: Vulkan lets coarse
        ones be as fine as they like, Direct3D has one for each quad (FS 22.5.2)."""
        words, at = list(self.words), 5
        while at < len(words):
            if words[at] & 0xffff in DERIVATIVES:
                words[at] += 3 if words[at] & 0xffff < 210 else -3
            at += words[at] >> 16
        words[self.after_capabilities:self.after_capabilities] = [] if 51 in self.capabilities else [2 << 16 | 17, 51]
        return struct.pack("<%dI" % len(words), *words)


    # --- what SPIR-V leaves open, closed

    def instructions(self):
        at = 5
        while at < len(self.words):
            yield self.words[at] & 0xffff, self.words[at:at + (self.words[at] >> 16)]
            at += self.words[at] >> 16

    def rewritten(self, change):
        """The module's bytes with what change(op, words, add, fresh) gives for each instruction. add(type, op, operands...): a constant, whose id it
        gives. fresh(): an id."""
        constants, last = {}, self.words[3]

        def fresh():
            nonlocal last
            last += 1
            return last - 1

        def add(type_id, op, *operands):
            made = fresh()
            constants.setdefault(type_id, []).extend([len(operands) + 3 << 16 | op, type_id, made, *operands])
            return made

        pieces = [(op, words, change(op, words, add, fresh)) for op, words in self.instructions()]
        made = []
        for op, words, instead in pieces:
            made += instead
            if 19 <= op <= 39:
                made += constants.get(words[1], [])
        return struct.pack("<%dI" % (5 + len(made)), *self.words[:3], last, self.words[4], *made)

    def with_zeroed_variables(self):
        """The module's bytes with variables of functions, and private ones, that begin as 0."""
        def change(op, words, add, _):
            if op != 59 or words[3] not in (PRIVATE, 7) or len(words) != 4:
                return words
            return [5 << 16 | 59, *words[1:4], add(self.pointee(words[1]), 46)]
        return self.rewritten(change)

    def with_clamped_conversions(self):
        """The module's bytes with f32 clamped to the range of integers before they are converted; NaN is 0 if they are unsigned. So Direct3D converts
        (FS 22.13.3-4)."""
        types = {words[2]: words[1] for op, words in self.instructions() if len(words) > 2}
        glsl = next((words[1] for op, words in self.instructions() if op == 11 and b"GLSL.std.450" in struct.pack("<%dI" % len(words), *words)), None)
        made_glsl = None

        def change(op, words, add, fresh):
            nonlocal made_glsl
            if op == 14 and glsl is None:
                made_glsl = fresh()
                name = b"GLSL.std.450".ljust(16, b"\0")
                return [6 << 16 | 11, made_glsl, *struct.unpack("<4I", name), *words]
            if op not in (109, 110):  # ConvertFToU, ConvertFToS
                return words
            kind = types[words[3]]
            scalar, count = self.types[kind][1] if self.types[kind][0] == 23 else (kind, 1)
            ends = []
            for end in (0.0, 4294967040.0) if op == 109 else (-2147483648.0, 2147483520.0):
                one = add(scalar, 43, struct.unpack("<I", struct.pack("<f", end))[0])
                ends.append(add(kind, 44, *[one] * count) if count > 1 else one)
            clamped = fresh()
            return [8 << 16 | 12, kind, clamped, glsl or made_glsl, 81, words[3], *ends, *words[:3], clamped]  # NClamp
        return self.rewritten(change)


def pass_through(outputs):
    """Text of a vertex shader that hands attributes on: the position of location 31, and (location, kind)."""
    lines = ["OpCapability Shader", "OpMemoryModel Logical GLSL450"]
    ids = ["%%i%d %%o%d" % (location, location) for location, _ in outputs]
    lines.append('OpEntryPoint Vertex %%main "main" %%i31 %%position %s' % " ".join(ids))
    lines += ["OpDecorate %i31 Location 31", "OpDecorate %position BuiltIn Position"]
    for location, _ in outputs:
        lines += ["OpDecorate %%i%d Location %d" % (location, location), "OpDecorate %%o%d Location %d" % (location, location)]
    lines += ["%void = OpTypeVoid", "%function = OpTypeFunction %void", "%float = OpTypeFloat 32", "%int = OpTypeInt 32 1", "%uint = OpTypeInt 32 0"]
    for kind in ("float", "int", "uint"):
        lines += ["%%v%s = OpTypeVector %%%s 4" % (kind, kind), "%%in_%s = OpTypePointer Input %%v%s" % (kind, kind),
                  "%%out_%s = OpTypePointer Output %%v%s" % (kind, kind)]
    every = [*((location, kind, "%%o%d" % location) for location, kind in outputs), (31, "float", "%position")]
    for location, kind, out in every:
        lines += ["%%i%d = OpVariable %%in_%s Input" % (location, kind), "%s = OpVariable %%out_%s Output" % (out, kind)]
    lines += ["%main = OpFunction %void None %function", "%label = OpLabel"]
    for location, kind, out in every:
        lines += ["%%l%d = OpLoad %%v%s %%i%d" % (location, kind, location), "OpStore %s %%l%d" % (out, location)]
    return "\n".join([*lines, "OpReturn", "OpFunctionEnd", ""])
