"""Cases of llvm/offload-test-suite: compute shaders on buffers, and a triangle that covers the render target."""
from exec import values
from exec.engine import Failed
from exec.shader_test import Quad, key_of as semantic_of

LETTER = {"StructuredBuffer": "t", "RWStructuredBuffer": "u", "Buffer": "t", "RWBuffer": "u", "ByteAddressBuffer": "t",
          "RWByteAddressBuffer": "u", "ConstantBuffer": "b", "Texture2D": "t", "RWTexture2D": "u", "Sampler": "s"}
CHANNELS = {"Float16": "R16{}_FLOAT", "Float32": "R32{}_FLOAT", "Int16": "R16{}_SINT", "UInt16": "R16{}_UINT", "Int32": "R32{}_SINT",
            "UInt32": "R32{}_UINT", "Hex32": "R32{}_UINT", "Bool": "R32{}_UINT", "Int64": "R32{}_UINT", "UInt64": "R32{}_UINT", "Float64": "R32{}_UINT",
            "Hex16": "R16{}_UINT", "Depth32": "R32{}_FLOAT"}


def format_of(buffer):
    channels = buffer.get("Channels", 1)
    form = buffer["Format"]
    if values.size_of(form) == 8:  # a pair of 32 bits
        channels *= 2
    each = CHANNELS[form].split("{}")[0][1:]
    return CHANNELS[form].format("".join(letter + each for letter in "GBA"[:channels - 1]))


FILTERS = {"Nearest": "point", "Linear": "linear"}
ADDRESSES = {"Clamp": "clamp", "Repeat": "wrap", "Mirror": "mirror", "Border": "border"}
COMPARISONS = {"Never": "never", "Less": "less", "Equal": "equal", "LessEqual": "less_equal", "Greater": "greater",
               "NotEqual": "not_equal", "GreaterEqual": "greater_equal", "Always": "always"}


def sampler_of(one):
    known = {"Name", "Kind", "MinFilter", "MagFilter", "Address", "ComparisonOp", "MinLOD", "MaxLOD", "MipLODBias"}
    if set(one) - known:
        raise KeyError(", ".join(sorted(set(one) - known)))
    # the suite's levels are the nearest
    given = {"filter": [FILTERS[one.get("MinFilter", "Linear")], FILTERS[one.get("MagFilter", "Linear")], "point"],
             "address": ADDRESSES[one.get("Address", "Clamp")]}
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


def stages(pipeline):
    return [shader["Stage"] for shader in pipeline["Shaders"]]


def vertices(pipeline):
    """Inputs of each vertex, by name."""
    bindings = pipeline["Bindings"]
    attributes = bindings["VertexAttributes"]
    data = contents(next(one for one in pipeline["Buffers"] if one["Name"] == bindings["VertexBuffer"]))[0]
    stride = max(one["Offset"] + values.size_of(one["Format"]) * one["Channels"] for one in attributes)
    return [{one["Name"]: values.unpack(one["Format"], data[at + one["Offset"]:][:values.size_of(one["Format"]) * one["Channels"]])
             for one in attributes} for at in range(0, len(data) - stride + 1, stride)]


def covers(pipeline):
    """Whether a draw is one triangle over the whole target, whose pixels can run alone."""
    if stages(pipeline) != ["Vertex", "Pixel"] or "Topology" in pipeline["Bindings"]:
        return False
    corners = vertices(pipeline)
    if len(corners) != 3:
        return False
    (ax, ay), (bx, by), (cx, cy) = [one["POSITION"][:2] for one in corners]
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area == 0:
        return False
    inside = [((bx - ax) * (y - ay) - (x - ax) * (by - ay), (cx - bx) * (y - by) - (x - bx) * (cy - by),
               (ax - cx) * (y - cy) - (x - cx) * (ay - cy)) for x in (-1, 1) for y in (-1, 1)]
    return all(edge * area >= 0 for corner in inside for edge in corner)


def drawn(document, folder, engine, family, case):
    """Runs the vertices, and the pixel shader on all pixels of the target, whose values stand in the result under the target's name."""
    pipeline = document["pipeline"]
    vertex, pixel = document["binaries"][family]
    target = next(one for one in pipeline["Buffers"] if one["Name"] == pipeline["Bindings"]["RenderTarget"])
    width, height = target["OutputProps"]["Width"], target["OutputProps"]["Height"]
    outputs = engine.run(folder / vertex["file"], {**case, "entry": vertex["entry"], "lanes": vertices(pipeline)})["lanes"]
    quad = Quad(outputs, width, height)
    places = [(x + dx, y + dy) for y in range(0, height, 2) for x in range(0, width, 2) for dy in (0, 1) for dx in (0, 1)]
    lanes = [{**quad.at(x, y), "helper": x >= width or y >= height} for x, y in places]
    result = engine.run(folder / pixel["file"], {**case, "entry": pixel["entry"], "lanes": lanes})
    data = bytearray(contents(target)[0])
    channels = target.get("Channels", 1)
    size = values.size_of(target["Format"]) * channels
    for (x, y), lane in zip(places, result["lanes"]):
        color = {semantic_of(name): value for name, value in lane.items()}.get("sv_target0")
        if x < width and y < height and color is not None and not lane.get("discarded"):
            data[(y * width + x) * size:(y * width + x + 1) * size] = values.pack(target["Format"], color[:channels])
    result["resources"][target["Name"]] = {"hex": bytes(data).hex()}
    return result


def reason_to_skip(pipeline, source=""):
    if source.rsplit("/", 1)[-1].split("-")[-1].startswith("error") or "-error" in source:
        return "is meant to fail: it tests the suite's own comparisons"
    if stages(pipeline) != ["Compute"] and not covers(pipeline):
        return "needs a rasterizer"
    if "AccelerationStructures" in pipeline:
        return "needs ray tracing"
    return None


def run(document, folder, engine, family):
    """None if all expectations hold, else what does not."""
    pipeline = document["pipeline"]
    buffers = {one["Name"]: one for one in pipeline["Buffers"]}
    binary = document["binaries"][family][0]
    dispatch = pipeline.get("DispatchParameters", {}).get("DispatchGroupCount") or pipeline["Shaders"][0].get("DispatchSize") or [1, 1, 1]
    case = {"grid": dispatch, "entry": binary["entry"], "resources": {}, "samplers": {}}
    samplers = {one["Name"]: one for one in pipeline.get("Samplers") or []}
    places = {}
    for one_set in pipeline.get("DescriptorSets", []):
        for resource in one_set["Resources"]:
            if resource["Kind"] == "Sampler":
                case["samplers"][key_of(resource, 0)] = sampler_of(samplers[resource["Name"]])
                continue
            buffer = buffers[resource["Name"]]
            kind = resource["Kind"]
            for index, data in enumerate(contents(buffer)):
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
                if resource.get("IsReserved"):
                    given["mapped"] = 65536 * resource.get("TilesMapped", 0)
                if resource.get("HasCounter"):
                    given["counter"] = 0
                case["resources"][key] = given
                places.setdefault(resource["Name"], []).append(key)
    if stages(pipeline) == ["Compute"]:
        result = engine.run(folder / binary["file"], case)
    else:
        del case["grid"]
        target = pipeline["Bindings"]["RenderTarget"]
        places[target] = [target]
        result = drawn(document, folder, engine, family, case)
    for check in pipeline.get("Results", []):
        expected = buffers[check["Expected"]]
        actual = buffers[check["Actual"]]
        form = expected["Format"]
        for index, data in enumerate(contents(expected)):
            key = places[check["Actual"]][index]
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
                    values.same_ulps(form, a, b, check["ULPT"], check.get("DenormMode", "Any")) if rule == "BufferFloatULP" else \
                    values.same_within(form, a, b, check["Epsilon"])
                if not same:
                    return f"{check['Result']}: {actual['Name']}[{at}] is {a!r}, expected {b!r}"
            if len(got) < len(want):
                return f"{check['Result']}: {len(got)} values, expected {len(want)}"
    return None
