"""Cases of llvm/offload-test-suite: compute shaders on buffers, and draws of triangles."""
from exec import values
from exec.draw import STAGES, draw
from exec.engine import Failed, Unsupported

TILE = 65536  # bytes of a tile of a reserved resource
DEPTH = "depth of the pipeline"

LETTER = {"StructuredBuffer": "t", "RWStructuredBuffer": "u", "Buffer": "t", "RWBuffer": "u", "ByteAddressBuffer": "t",
          "RWByteAddressBuffer": "u", "ConstantBuffer": "b", "Texture2D": "t", "RWTexture2D": "u", "Sampler": "s"}
CHANNELS = {"Float16": "R16{}_FLOAT", "Float32": "R32{}_FLOAT", "Int16": "R16{}_SINT", "UInt16": "R16{}_UINT", "Int32": "R32{}_SINT",
            "UInt32": "R32{}_UINT", "Hex32": "R32{}_UINT", "Bool": "R32{}_UINT", "Int64": "R32{}_UINT", "UInt64": "R32{}_UINT", "Float64": "R32{}_UINT",
            "Hex8": "R8{}_UINT", "Hex16": "R16{}_UINT", "Hex64": "R32{}_UINT", "Depth32": "R32{}_FLOAT"}


def format_of(buffer):
    channels = buffer.get("Channels", 1)
    form = buffer["Format"]
    if values.size_of(form) == 8:  # a pair of 32 bits
        channels *= 2
    each = CHANNELS[form].split("{}")[0][1:]
    return CHANNELS[form].format("".join(letter + each for letter in "GBA"[:channels - 1]))


FILTERS = {"Nearest": "point", "Linear": "linear"}
ADDRESSES = {"Clamp": "clamp", "Repeat": "wrap", "Mirror": "mirror", "Border": "border", "MirrorOnce": "mirror_once"}
COMPARISONS = {"Never": "never", "Less": "less", "Equal": "equal", "LessEqual": "less_equal", "Greater": "greater",
               "NotEqual": "not_equal", "GreaterEqual": "greater_equal", "Always": "always"}


def sampler_of(one):
    known = {"Name", "Kind", "MinFilter", "MagFilter", "Address", "ComparisonOp", "MinLOD", "MaxLOD", "MipLODBias"}
    if set(one) - known:
        raise KeyError(", ".join(sorted(set(one) - known)))
    # the suite's levels are the nearest
    given = {"filter": [FILTERS[one.get("MinFilter", "Linear")], FILTERS[one.get("MagFilter", "Linear")], "point"],
             "address": ADDRESSES[one.get("Address", "Clamp")], "border": [0] * 4}
    if "ComparisonOp" in one:
        given["comparison"] = COMPARISONS[one["ComparisonOp"]]
    for field, name in (("MinLOD", "min_lod"), ("MaxLOD", "max_lod"), ("MipLODBias", "lod_bias")):
        if field in one:
            given[name] = one[field]
    return given


def key_of(resource, index):
    """The binding of an element of a resource."""
    if "HeapIndex" in resource:
        return f"heap{resource['HeapIndex'] + index}"
    binding = resource["DirectXBinding"]
    space = f",space{binding['Space']}" if binding.get("Space", 0) else ""
    return f"{LETTER[resource['Kind']]}{binding['Register'] + index}{space}"


def contents(buffer):
    """Bytes of each element of an array of bindings."""
    form = buffer["Format"]
    if "Data" in buffer:
        data = buffer["Data"]
        lists = data if buffer.get("ArraySize") and data and isinstance(data[0], list) else [data]
        return [values.pack(form, one) for one in lists]
    size = buffer.get("FillSize", 0)
    fill = values.pack(form, [buffer.get("FillValue", 0)])
    return [(fill * (size // len(fill) + 1))[:size]] * buffer.get("ArraySize", 1)


def by_root_signature(pipeline, binary, engine):
    """Resources of root parameters, which the suite names in the order that they have in the shader's root signature."""
    wanted = pipeline.get("RuntimeSettings", {}).get("DirectX", {}).get("RootParameters", [])
    if all(one["Kind"] == "DescriptorTable" for one in wanted):
        return []
    made = []
    for one, parameter in zip(wanted, engine.root_parameters(binary)):
        if one["Kind"] == "DescriptorTable":
            continue
        resource = {"Name": one["Name"], "Kind": "ConstantBuffer"} if one["Kind"] == "Constant" else dict(one["Resource"])
        made.append({**resource, "DirectXBinding": {"Register": parameter["register"], "Space": parameter["space"]}})
    return made


def reason_to_skip(pipeline, source=""):
    if source.rsplit("/", 1)[-1].split("-")[-1].startswith("error") or "-error" in source:
        return "is meant to fail: it tests the suite's own comparisons"
    if "AccelerationStructures" in pipeline or any(shader["Stage"].lower() not in ("compute", *STAGES) for shader in pipeline["Shaders"]):
        return "needs ray tracing"
    return None


def run(document, folder, engine, family):
    """None if all expectations hold, else what does not."""
    pipeline = document["pipeline"]
    buffers = {one["Name"]: one for one in pipeline["Buffers"]}
    binaries = document["binaries"][family]
    binary = binaries[0]
    dispatch = pipeline.get("DispatchParameters", {}).get("DispatchGroupCount") or pipeline["Shaders"][0].get("DispatchSize") or [1, 1, 1]
    case = {"grid": dispatch, "entry": binary["entry"], "resources": {}, "samplers": {}}
    samplers = {one["Name"]: one for one in pipeline.get("Samplers") or []}
    places = {}
    root = {"Resources": by_root_signature(pipeline, folder / binary["file"], engine)}
    for one_set in [*pipeline.get("DescriptorSets", []), root]:
        for resource in one_set["Resources"]:
            if resource["Kind"] == "SampledTexture2D":
                raise Unsupported("textures with samplers of their own, which Direct3D does not have")
            if resource["Kind"] == "Sampler":
                case["samplers"][key_of(resource, 0)] = sampler_of(samplers[resource["Name"]])
                continue
            buffer = buffers[resource["Name"]]
            kind = resource["Kind"]
            blocks = contents(buffer)
            if one_set is root and kind == "ConstantBuffer":
                blocks = [b"".join(blocks)]  # root constants are one block
            for index, data in enumerate(blocks):
                key = key_of(resource, index)
                given = {"hex": data.hex()}
                if "HeapIndex" in resource:
                    given["class"] = LETTER[kind]
                if kind in ("StructuredBuffer", "RWStructuredBuffer"):
                    given["stride"] = buffer.get("Stride") or values.size_of(buffer["Format"]) * buffer.get("Channels", 1)
                elif kind in ("ByteAddressBuffer", "RWByteAddressBuffer"):
                    given["raw"] = True
                elif kind != "ConstantBuffer":
                    given["format"] = format_of(buffer)
                if "Texture" in kind:
                    properties = buffer["OutputProps"]
                    given.update(width=properties["Width"], height=properties["Height"], levels=properties.get("MipLevels", 1))
                if "TilesMapped" in resource:  # of a reserved resource, else all
                    given["mapped"] = TILE * resource["TilesMapped"]
                if resource.get("HasCounter"):
                    given["counter"] = 0
                case["resources"][key] = given
                places.setdefault(resource["Name"], []).append(key)
    if pipeline["Shaders"][0]["Stage"] == "Compute":
        result = engine.run(folder / binary["file"], case)
    else:
        result = drawn(pipeline, buffers, folder, binaries, engine, {"resources": case["resources"], "samplers": case["samplers"]}, dispatch)
    for check in pipeline.get("Results", []):
        expected = buffers[check["Expected"]]
        actual = buffers[check["Actual"]]
        form = expected["Format"]
        for index, data in enumerate(contents(expected)):
            key = places.get(check["Actual"], [check["Actual"]])[index]
            given = result["resources"].get(key)
            if given is None:
                raise Failed(f"the result has no resource {key}")
            got = values.unpack(form, bytes.fromhex(given["hex"]))
            want = values.unpack(form, data)
            if check["Actual"].endswith("Counter") and "counter" in given:
                got = [given["counter"]]
            for at, (a, b) in enumerate(zip(got, want)):
                rule = check["Rule"]
                same = values.same_exact(form, a, b) if rule == "BufferExact" else \
                    values.same_ulps(form, a, b, check["ULPT"], check.get("DenormMode", "Any"), check.get("ZeroTolerance", 0.0)) if rule == "BufferFloatULP" else \
                    values.same_within(form, a, b, check["Epsilon"], check.get("DenormMode", "Any"))
                if not same:
                    return f"{check['Result']}: {actual['Name']}[{at}] is {a!r}, expected {b!r}"
            if len(got) < len(want):
                return f"{check['Result']}: {len(got)} values, expected {len(want)}"
    return None


def drawn(pipeline, buffers, folder, binaries, engine, given, groups):
    """As dispatches give it, with the render target by its name. groups: of mesh and amplification shaders."""
    bindings = pipeline["Bindings"]
    target = buffers[bindings["RenderTarget"]]
    size = target["OutputProps"]["Width"], target["OutputProps"]["Height"]
    topology = bindings.get("Topology", "TriangleList")
    mesh = {"topology": f"{bindings['PatchControlPoints']}_CONTROL_POINT_PATCHLIST" if topology == "PatchList" else topology.upper()}
    count = pipeline.get("DispatchParameters", {}).get("VertexCount")
    if bindings.get("VertexBuffer"):  # else the vertex shader makes do with SV_VertexID
        attributes = bindings["VertexAttributes"]
        stride = sum(one["Channels"] * values.size_of(one["Format"]) for one in attributes)
        data = contents(buffers[bindings["VertexBuffer"]])[0]
        elements = {one["Name"]: {"format": format_of(one), "offset": one["Offset"]} for one in attributes}
        mesh["buffers"] = [{"data": {"hex": data.hex()}, "stride": stride, "elements": elements}]
        count = len(data) // stride if count is None else count
    files, entries = {}, {}
    for shader, binary in zip(pipeline["Shaders"], binaries):
        files[shader["Stage"].lower()], entries[shader["Stage"].lower()] = folder / binary["file"], binary["entry"]
    name = bindings["RenderTarget"]
    targets = {name: {"format": format_of(target), "width": size[0], "height": size[1], "clear": [0] * 4},
               DEPTH: {"format": "D32_FLOAT", "width": size[0], "height": size[1], "clear": 1}}
    states = {"depth_target": DEPTH, "depth_stencil": {"DepthFunc": "LESS"}}
    if "mesh" in files:
        states.update(grid=groups)
        mesh, call = None, None
    else:
        states.update(rasterizer={"CullMode": "NONE", "FrontCounterClockwise": True})
        call = {"count": count}
    colours, result = draw(engine, files, given, mesh, call, targets, entries=entries, **states)
    image = b"".join(values.pack(target["Format"], colours[name, x, y]) for y in range(size[1]) for x in range(size[0]))
    result["resources"][name] = {"hex": image.hex()}
    return result
