// Draws the draw calls of a frame. The formulas are those of `render::soft`, which is the reference; see its `shade` module.
// Only what WebGL2 has is used: uniform buffers, no storage, no derivatives of samplers, no line width.

const MAX_LIGHTS: u32 = 16u;

struct Light {
    // Towards the light, of unit length.
    direction: vec4<f32>,
    color: vec4<f32>,
}

struct Frame {
    // The rows of the product of projection and view.
    rows: array<vec4<f32>, 4>,
    camera: vec4<f32>,
    ambient: vec4<f32>,
    // Width and height of the target in pixels, number of lights.
    size: vec4<f32>,
    lights: array<Light, MAX_LIGHTS>,
}

struct Draw {
    // For each texture: width, height, last mip level, and 1 if there is one.
    textures: array<vec4<f32>, 5>,
    // The matrix of a bump map, row by row.
    bump: vec4<f32>,
    // Numbers of the programs that light each pixel.
    numbers: array<vec4<f32>, 4>,
    // Gradient, combination of colour, combination of alpha, 1 if the specular colour is added.
    operations: vec4<u32>,
    // Alpha test: the bytes from x to y pass; the others if z is 1.
    alpha_test: vec4<u32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> draw: Draw;
@group(1) @binding(0) var texture_0: texture_2d<f32>;
@group(1) @binding(1) var sampler_0: sampler;
@group(1) @binding(2) var texture_1: texture_2d<f32>;
@group(1) @binding(3) var sampler_1: sampler;
@group(1) @binding(4) var texture_2: texture_2d<f32>;
@group(1) @binding(5) var sampler_2: sampler;
@group(1) @binding(6) var texture_3: texture_2d<f32>;
@group(1) @binding(7) var sampler_3: sampler;
@group(1) @binding(8) var texture_4: texture_2d<f32>;
@group(1) @binding(9) var sampler_4: sampler;

// ---------------------------------------------------------------------------------------------------------------- vertices

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) color: vec4<f32>,
    @location(4) specular: vec3<f32>,
    @location(5) uv: vec4<f32>,
}

// The other end of a line.
struct End {
    @location(6) position: vec3<f32>,
    @location(7) normal: vec3<f32>,
    @location(8) tangent: vec4<f32>,
    @location(9) color: vec4<f32>,
    @location(10) specular: vec3<f32>,
    @location(11) uv: vec4<f32>,
}

struct Pixel {
    // All passes of a mesh must have the same depth.
    @invariant @builtin(position) clip: vec4<f32>,
    // At the centre of the pixel. Where it lies outside of the triangle, the values go on: what drivers take for a place inside differs.
    @location(0) color: vec4<f32>,
    @location(1) uv: vec4<f32>,
    @location(2) specular: vec3<f32>,
    @location(3) normal: vec3<f32>,
    @location(4) tangent: vec4<f32>,
    @location(5) position: vec3<f32>,
}

// Numbers beyond this, infinite ones and NaN become zero.
const LARGEST: f32 = 1e6;

fn sane3(value: vec3<f32>) -> vec3<f32> {
    return select(vec3<f32>(0.0), value, abs(value) <= vec3<f32>(LARGEST));
}

fn sane4(value: vec4<f32>) -> vec4<f32> {
    return select(vec4<f32>(0.0), value, abs(value) <= vec4<f32>(LARGEST));
}

// One row of a product, summed in the order of the reference: models far from the origin show the rounding.
fn row(at: u32, position: vec3<f32>) -> f32 {
    let row = frame.rows[at];
    return (row.x * position.x + row.y * position.y) + (row.z * position.z + row.w);
}

// A position in clip space.
fn projected(position: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(row(0u, position), row(1u, position), row(2u, position), row(3u, position));
}

@vertex
fn triangle_vertex(vertex: Vertex) -> Pixel {
    var pixel: Pixel;
    pixel.clip = projected(vertex.position);
    pixel.color = sane4(vertex.color);
    pixel.uv = sane4(vertex.uv);
    pixel.specular = sane3(vertex.specular);
    pixel.normal = sane3(vertex.normal);
    pixel.tangent = sane4(vertex.tangent);
    pixel.position = sane3(vertex.position);
    return pixel;
}

// Nothing nearer to the plane of the camera is projected.
const LEAST_W: f32 = 1e-6;

// Lines are cut where they are farther outside than the screen is wide.
const GUARD: f32 = 3.0;

// The part of a line on the positive side of a plane, of which both ends have these distances. The first is larger if there is none.
fn inside(part: vec2<f32>, start: f32, end: f32) -> vec2<f32> {
    if start < 0.0 && end < 0.0 {
        return vec2<f32>(1.0, 0.0);
    }
    if start < 0.0 {
        return vec2<f32>(max(part.x, start / (start - end)), part.y);
    }
    if end < 0.0 {
        return vec2<f32>(part.x, min(part.y, start / (start - end)));
    }
    return part;
}

// A corner of the rectangle that is a line: one pixel wide, and half a pixel longer at both ends.
@vertex
fn line_vertex(@builtin(vertex_index) index: u32, start: Vertex, end: End) -> Pixel {
    let a = projected(start.position);
    let b = projected(end.position);
    // The part of the line in front of the camera and near the screen: numbers far outside are not precise enough for one pixel.
    var part = vec2<f32>(0.0, 1.0);
    part = inside(part, a.w - LEAST_W, b.w - LEAST_W);
    part = inside(part, a.z, b.z);
    part = inside(part, GUARD * a.w + a.x, GUARD * b.w + b.x);
    part = inside(part, GUARD * a.w - a.x, GUARD * b.w - b.x);
    part = inside(part, GUARD * a.w + a.y, GUARD * b.w + b.y);
    part = inside(part, GUARD * a.w - a.y, GUARD * b.w - b.y);
    let near_end = part.x;
    let far_end = part.y;

    var pixel: Pixel;
    if near_end > far_end {
        // Outside of everything: the rectangle has no area.
        pixel.clip = vec4<f32>(2.0, 2.0, 2.0, 1.0);
        return pixel;
    }
    let first = mix(a, b, near_end);
    let last = mix(a, b, far_end);
    let half_size = 0.5 * frame.size.xy;
    let way = (last.xy / last.w - first.xy / first.w) * half_size;
    let distance = length(way);
    // A line of no length is a dot.
    var along = vec2<f32>(1.0, 0.0);
    if distance > 0.0 { along = way / distance; }
    let aside = vec2<f32>(-along.y, along.x);
    let is_end = index == 1u || index == 2u || index == 4u;
    let is_above = index == 2u || index == 4u || index == 5u;
    let at = select(near_end, far_end, is_end);
    let moved = 0.5 * (select(-along, along, is_end) + select(-aside, aside, is_above));
    pixel.clip = select(first, last, is_end);
    pixel.clip = vec4<f32>(pixel.clip.xy + moved / half_size * pixel.clip.w, pixel.clip.zw);
    pixel.color = mix(sane4(start.color), sane4(end.color), at);
    pixel.uv = mix(sane4(start.uv), sane4(end.uv), at);
    pixel.specular = mix(sane3(start.specular), sane3(end.specular), at);
    pixel.normal = mix(sane3(start.normal), sane3(end.normal), at);
    pixel.tangent = mix(sane4(start.tangent), sane4(end.tangent), at);
    pixel.position = mix(sane3(start.position), sane3(end.position), at);
    return pixel;
}

// ----------------------------------------------------------------------------------------------------------------- textures

// How fast the coordinates change from pixel to pixel, to the right and downwards.
struct Footprint {
    dx: vec2<f32>,
    dy: vec2<f32>,
}

// The colour at these coordinates. The mip level is calculated here, so that every driver chooses the same.
fn texel(image: texture_2d<f32>, how: sampler, info: vec4<f32>, uv: vec2<f32>, footprint: Footprint) -> vec4<f32> {
    let dx = footprint.dx * info.xy;
    let dy = footprint.dy * info.xy;
    let longest = max(dot(dx, dx), dot(dy, dy));
    // Up to a texel per pixel the first level is right.
    let lod = min(0.5 * log2(max(longest, 1.0)), info.z);
    let level = floor(lod);
    let near = textureSampleLevel(image, how, uv, level);
    let rest = lod - level;
    if rest <= 0.0 {
        return near;
    }
    let far = textureSampleLevel(image, how, uv, level + 1.0);
    return near + (far - near) * rest;
}

// --------------------------------------------------------------------------------------------------- what all programs share

// Ends the pixel if its final alpha, as it is stored, fails the alpha test.
fn test_alpha(color: vec4<f32>) -> vec4<f32> {
    let alpha = u32(color.w * 255.0 + 0.5);
    let is_inside = alpha >= draw.alpha_test.x && alpha <= draw.alpha_test.y;
    if is_inside == (draw.alpha_test.z == 1u) {
        discard;
    }
    return color;
}

// A vector of unit length, or the other one if it has no direction.
fn unit(vector: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let size = length(vector);
    if size > 1e-12 {
        return vector / size;
    }
    return otherwise;
}

// The base-2 logarithm of a positive number. The built-in one of some drivers has three digits.
fn logarithm(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    var exponent = f32(i32(bits >> 23u) - 127);
    var mantissa = bitcast<f32>((bits & 0x007fffffu) | 0x3f800000u);
    // The series converges best around 1.
    if mantissa > 1.41421356 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 * (1.0 / 9.0))));
    return exponent + 2.88539008 * t * series;
}

// Two to the power of `x`.
fn exponential(x: f32) -> f32 {
    let limited = clamp(x, -126.0, 127.0);
    let whole = floor(limited + 0.5);
    let f = (limited - whole) * 0.69314718;
    let series = 1.0 + f * (1.0 + f * (1.0 / 2.0 + f * (1.0 / 6.0 + f * (1.0 / 24.0 + f * (1.0 / 120.0 + f / 720.0)))));
    return series * bitcast<f32>(u32(clamp(i32(whole) + 127, 1, 254)) << 23u);
}

fn power(x: f32, y: f32) -> f32 {
    if x <= 0.0 {
        return select(0.0, 1.0, y == 0.0);
    }
    return exponential(y * logarithm(x));
}

struct Surface {
    normal: vec3<f32>,
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
    // Towards the camera.
    view: vec3<f32>,
}

// Any vector across this one, which is of unit length (Duff and others, "Building an Orthonormal Basis, Revisited").
fn across(n: vec3<f32>) -> vec3<f32> {
    let side = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (side + n.z);
    return vec3<f32>(n.x * n.y * a, side + n.y * n.y * a, -n.y);
}

fn surface_of(pixel: Pixel) -> Surface {
    var surface: Surface;
    surface.normal = unit(pixel.normal, vec3<f32>(0.0, 1.0, 0.0));
    surface.tangent = unit(pixel.tangent.xyz, across(surface.normal));
    surface.bitangent = cross(surface.normal, surface.tangent) * select(1.0, -1.0, pixel.tangent.w < 0.0);
    surface.view = unit(frame.camera.xyz - pixel.position, surface.normal);
    return surface;
}

// --------------------------------------------------------------------------------------------------- texture stages (Fixed)

fn first_stage(d: vec4<f32>, t: vec4<f32>) -> vec4<f32> {
    let product = t * d;
    switch draw.operations.x {
        case 0u: { return t; }
        case 1u: { return product; }
        case 2u: { return vec4<f32>((t + d).xyz, product.w); }
        case 3u: { return vec4<f32>(product.xyz * 2.0, product.w); }
        case 4u: { return d; }
        default: {
            let value = 4.0 * dot(t.xyz - 0.5, d.xyz - 0.5);
            return vec4<f32>(value, value, value, product.w);
        }
    }
}

// `other` is the result so far, `local` the texture.
fn combine(operation: u32, other: vec4<f32>, local: vec4<f32>) -> vec4<f32> {
    switch operation {
        case 0u: { return other; }
        case 1u: { return local; }
        case 2u: { return local * other; }
        case 3u: { return local + other - local * other; }
        case 4u: { return local + other; }
        case 5u: { return local - other; }
        case 6u: { return other - local; }
        case 7u: { return local * local.w + other * (1.0 - local.w); }
        case 8u: { return local * other.w + other * (1.0 - other.w); }
        case 9u: { return local + other - 0.5; }
        case 10u: { return (local + other - 0.5) * 2.0; }
        case 11u: { return local * other * 2.0; }
        default: { return other + local * other.w; }
    }
}

@fragment
fn fixed_fragment(pixel: Pixel) -> @location(0) vec4<f32> {
    let dx = dpdx(pixel.uv);
    let dy = dpdy(pixel.uv);
    let d = saturate(pixel.color);
    var color = d;
    var second = pixel.uv.zw;
    if draw.textures[0].w > 0.0 {
        let t = texel(texture_0, sampler_0, draw.textures[0], pixel.uv.xy, Footprint(dx.xy, dy.xy));
        color = saturate(first_stage(d, t));
        if draw.operations.x == 4u {
            // The first texture has the movement, 0 at half.
            let offset = t.xy * 2.0 - 1.0;
            second += vec2<f32>(dot(draw.bump.xy, offset), dot(draw.bump.zw, offset));
        }
    }
    if draw.textures[1].w > 0.0 {
        let t = texel(texture_1, sampler_1, draw.textures[1], second, Footprint(dx.zw, dy.zw));
        let rgb = combine(draw.operations.y, color, t).xyz;
        color = saturate(vec4<f32>(rgb, combine(draw.operations.z, color, t).w));
    }
    if draw.operations.w == 1u {
        color = saturate(color + vec4<f32>(pixel.specular, 0.0));
    }
    return test_alpha(color);
}

// -------------------------------------------------------------------------------------------------- BFME's NormalMapped.fx

@fragment
fn normal_mapped_fragment(pixel: Pixel) -> @location(0) vec4<f32> {
    let footprint = Footprint(dpdx(pixel.uv).xy, dpdy(pixel.uv).xy);
    let bump_scale = draw.numbers[0].x;
    let exponent = clamp(draw.numbers[0].y, 0.0, 10000.0);
    let ambient_color = draw.numbers[1].xyz;
    let diffuse_color = draw.numbers[2].xyz;
    let specular_color = draw.numbers[3].xyz;
    let surface = surface_of(pixel);
    var t = vec4<f32>(1.0);
    if draw.textures[0].w > 0.0 {
        t = texel(texture_0, sampler_0, draw.textures[0], pixel.uv.xy, footprint);
    }
    var n = surface.normal;
    if draw.textures[1].w > 0.0 {
        let stored = texel(texture_1, sampler_1, draw.textures[1], pixel.uv.xy, footprint);
        let bumped = (stored.xyz * 2.0 - 1.0) * vec3<f32>(bump_scale, bump_scale, 1.0);
        n = unit(surface.tangent * bumped.x + surface.bitangent * bumped.y + surface.normal * bumped.z, n);
    }
    var rgb = t.xyz * saturate(frame.ambient.xyz * ambient_color * 0.5) * 2.0;
    for (var at = 0u; at < u32(frame.size.z); at++) {
        let light = frame.lights[at];
        let lambert = dot(n, light.direction.xyz);
        if lambert > 0.0 {
            let halfway = unit(light.direction.xyz + surface.view, n);
            let shine = power(saturate(dot(n, halfway)), exponent);
            rgb += light.color.xyz * (t.xyz * diffuse_color * lambert + specular_color * shine);
        }
    }
    return test_alpha(saturate(vec4<f32>(rgb, t.w)));
}

// ------------------------------------------------------------------------------------------------------------- Reforged HD

fn linear_of(c: f32) -> f32 {
    if c <= 0.04045 {
        return c / 12.92;
    }
    return power((c + 0.055) / 1.055, 2.4);
}

fn linear_rgb(c: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(linear_of(c.x), linear_of(c.y), linear_of(c.z));
}

fn srgb_of(c: f32) -> f32 {
    if c <= 0.0031308 {
        return c * 12.92;
    }
    return 1.055 * power(c, 1.0 / 2.4) - 0.055;
}

// Narkowicz' fit of the ACES film curve.
fn film(light: vec3<f32>) -> vec3<f32> {
    let x = clamp(light, vec3<f32>(0.0), vec3<f32>(1e4));
    return (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
}

// Light that a microfacet surface reflects (GGX, Schlick).
fn highlight(n: vec3<f32>, view: vec3<f32>, light: vec3<f32>, facing: f32, lambert: f32, f0: vec3<f32>, rough: f32) -> vec3<f32> {
    let halfway = unit(view + light, n);
    let nh = saturate(dot(n, halfway));
    let vh = saturate(dot(view, halfway));
    let a = rough * rough;
    let a2 = a * a;
    let d = nh * nh * (a2 - 1.0) + 1.0;
    let distribution = a2 / max(d * d, 1e-9);
    let k = (rough + 1.0) * (rough + 1.0) / 8.0;
    let visibility = 0.25 / ((lambert * (1.0 - k) + k) * (facing * (1.0 - k) + k));
    let edge = 1.0 - vh;
    let grazing = edge * edge * (edge * edge) * edge;
    let most = max(f0.x, max(f0.y, f0.z));
    let fresnel = f0 + (vec3<f32>(1.0) - f0) * grazing * most;
    return fresnel * min(distribution * visibility, 64.0);
}

// A sky that is brighter above than below.
fn sky(direction: vec3<f32>) -> f32 {
    return 0.75 + 0.25 * direction.y;
}

// Light from everywhere, seen directly and mirrored.
fn ambient_light(n: vec3<f32>, view: vec3<f32>, facing: f32, diffuse: vec3<f32>, f0: vec3<f32>, rough: f32) -> vec3<f32> {
    let mirrored = n * (2.0 * dot(n, view)) - view;
    let r = vec4<f32>(-1.0, -0.0275, -0.572, 0.022) * rough + vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let a004 = min(r.x * r.x, power(0.002, facing)) * r.x + r.y;
    let scale = a004 * -1.04 + r.z;
    let bias = a004 * 1.04 + r.w;
    let most = max(f0.x, max(f0.y, f0.z));
    let reflected = (f0 * scale + vec3<f32>(bias * most)) * sky(mirrored);
    return frame.ambient.xyz * (diffuse * sky(n) + reflected);
}

@fragment
fn hd_fragment(pixel: Pixel) -> @location(0) vec4<f32> {
    let footprint = Footprint(dpdx(pixel.uv).xy, dpdy(pixel.uv).xy);
    let uv = pixel.uv.xy;
    let color = saturate(pixel.color);
    let gain = draw.numbers[0].x;
    let is_unlit = draw.numbers[0].y > 0.0;
    let fresnel = draw.numbers[1];
    var albedo_texel = vec4<f32>(1.0);
    if draw.textures[0].w > 0.0 {
        albedo_texel = texel(texture_0, sampler_0, draw.textures[0], uv, footprint);
    }
    var orm = vec4<f32>(1.0, 1.0, 0.0, 0.0);
    if draw.textures[2].w > 0.0 {
        orm = texel(texture_2, sampler_2, draw.textures[2], uv, footprint);
    }
    var emissive = vec3<f32>(0.0);
    if draw.textures[3].w > 0.0 {
        emissive = texel(texture_3, sampler_3, draw.textures[3], uv, footprint).xyz;
    }
    var team = vec3<f32>(1.0);
    if draw.textures[4].w > 0.0 {
        team = texel(texture_4, sampler_4, draw.textures[4], uv, footprint).xyz;
    }
    // The player colour multiplies the stored colours where the mask says so.
    let stored = albedo_texel.xyz * (vec3<f32>(1.0) + (team - vec3<f32>(1.0)) * orm.w);
    let alpha = albedo_texel.w * color.w;
    if is_unlit {
        return test_alpha(saturate(vec4<f32>((stored + emissive * gain) * color.xyz, alpha)));
    }
    let surface = surface_of(pixel);
    let albedo = linear_rgb(stored);
    var n = surface.normal;
    if draw.textures[1].w > 0.0 {
        let normal = texel(texture_1, sampler_1, draw.textures[1], uv, footprint);
        let x = 2.0 * normal.x * normal.w - 1.0;
        let y = 1.0 - 2.0 * normal.y;
        let z = sqrt(max(1.0 - x * x - y * y, 0.0));
        n = unit(surface.tangent * x + surface.bitangent * y + surface.normal * z, n);
    }
    let rough = (255.0 * orm.y + 1.0) / 256.0;
    let metal = orm.z;
    let facing = clamp(dot(n, surface.view), 1e-3, 1.0);
    let f0 = albedo * metal;
    let diffuse = albedo * (1.0 - metal);
    var light = ambient_light(n, surface.view, facing, diffuse, f0, rough) * orm.x;
    for (var at = 0u; at < u32(frame.size.z); at++) {
        let towards = frame.lights[at].direction.xyz;
        let lambert = dot(n, towards);
        if lambert > 0.0 {
            let shine = highlight(n, surface.view, towards, facing, lambert, f0, rough);
            light += frame.lights[at].color.xyz * lambert * (diffuse + shine);
        }
    }
    light += linear_rgb(emissive) * gain;
    light *= color.xyz;
    let edge = 1.0 - facing;
    let glow = saturate(edge * edge * fresnel.w);
    light += (fresnel.xyz - light) * glow;
    let shown = film(light);
    return test_alpha(saturate(vec4<f32>(srgb_of(shown.x), srgb_of(shown.y), srgb_of(shown.z), alpha)));
}
