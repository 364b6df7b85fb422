/** Shaders: one quadrilateral per pixel, displaced from the height texture, torn where neighbours do not meet. */

/** Shared by drawing and picking: places the corner of a pixel that this vertex is. */
const place = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D picture;
uniform sampler2D slopes;
uniform sampler2D heights;
uniform ivec2 cells;
uniform vec2 size;
uniform float step_;
uniform float middle;
uniform float rise;
uniform vec4 lens;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;

const vec2 corners[6] = vec2[6](vec2(0, 0), vec2(0, 1), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(1, 0));

float bend(float slope) {
  return lens.x > 0.0 ? -log(1.0 - min(slope / lens.x, 0.9)) * lens.x : slope;
}
float heightAt(ivec2 cell, vec2 offset) {
  return texelFetch(heights, cell, 0).r + bend(dot(texelFetch(slopes, cell, 0).rg, offset));
}
/** Like heightAt, with slopes limited so that contours show no hairs. */
float drawnHeightAt(ivec2 cell, vec2 offset) {
  vec2 slope = texelFetch(slopes, cell, 0).rg;
  slope *= min(1.0, 5.0 / max(1e-6, length(slope)));
  return texelFetch(heights, cell, 0).r + bend(dot(slope, offset));
}
bool inside(ivec2 cell) {
  return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, cells)) &&
    texelFetch(picture, cell, 0).a > 0.5 && texelFetch(heights, cell, 0).r > -1e29;
}
vec3 pointAt(vec2 pixel, float height) {
  float lifted = height * rise;
  if (lens.x > 0.0) {
    float depth = exp(lifted / lens.x);
    vec2 ray = (pixel - lens.zw) * vec2(1.0, lens.x / lens.y);
    return vec3(ray.x * depth, -ray.y * depth, lens.x - lens.x * depth);
  }
  return vec3(pixel.x - size.x * 0.5, size.y * 0.5 - pixel.y, -lifted);
}
/** A corner, a little outside its pixel: rounding leaves no pinholes between neighbours. */
vec3 cornerPoint(ivec2 cell, vec2 corner) {
  vec2 pixel = (vec2(cell) + 0.5 + (corner - 0.5) * 1.05) * step_ - 0.5;
  vec2 sampled = min(vec2(cell) * step_ + middle, size - 1.0);
  return pointAt(pixel, drawnHeightAt(cell, pixel - sampled));
}
`;

export const surfaceVertex = /* glsl */ `${place}
out vec2 within;
flat out ivec2 cell;
flat out vec4 jumps;

float meeting(ivec2 here, ivec2 to) {
  ivec2 there = here + to;
  if (!inside(there)) return 0.0;
  vec2 half_ = vec2(to) * step_ * 0.5;
  return heightAt(there, -half_) - heightAt(here, half_);
}
void main() {
  int number = gl_VertexID / 6;
  cell = ivec2(number % cells.x, number / cells.x);
  within = corners[gl_VertexID % 6];
  if (!inside(cell)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  jumps = vec4(
    meeting(cell, ivec2(-1, 0)),
    meeting(cell, ivec2(1, 0)),
    meeting(cell, ivec2(0, -1)),
    meeting(cell, ivec2(0, 1)));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(cornerPoint(cell, within), 1.0);
}
`;

export const surfaceFragment = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D picture;
uniform sampler2D heights;
uniform sampler2D truth;
uniform mat3 normalMatrix;
uniform vec2 range;
uniform int shading;
uniform float threshold;
uniform vec3 jumpColour;
uniform vec3 clay;
in vec2 within;
flat in ivec2 cell;
flat in vec4 jumps;
out vec4 colour;

vec3 ice(float t) {
  vec3 deep = vec3(0.05, 0.10, 0.28), mid = vec3(0.13, 0.52, 0.67), near = vec3(0.96, 0.95, 0.80);
  return t < 0.5 ? mix(deep, mid, t * 2.0) : mix(mid, near, t * 2.0 - 1.0);
}
vec3 signed_(float t) {
  vec3 middle = vec3(0.93);
  return t < 0.0 ? mix(middle, vec3(0.10, 0.33, 0.75), min(1.0, -t)) : mix(middle, vec3(0.80, 0.16, 0.12), min(1.0, t));
}
void main() {
  vec3 packed = texelFetch(picture, cell, 0).rgb;
  vec3 normal = normalize(packed * 2.0 - 1.0);
  vec3 facing = normalize(normalMatrix * normal) * (gl_FrontFacing ? 1.0 : -1.0);
  float key = max(0.0, dot(facing, normalize(vec3(-0.45, 0.6, 0.75))));
  float fill = max(0.0, dot(facing, normalize(vec3(0.7, -0.1, 0.5))));
  float light = 0.27 + 0.68 * key + 0.22 * fill;
  float height = texelFetch(heights, cell, 0).r;
  vec3 base = clay;
  if (shading == 1) base = ice(clamp((range.y - height) / max(1e-6, range.y - range.x), 0.0, 1.0));
  if (shading == 2) base = packed;
  if (shading == 3) {
    float right = texelFetch(truth, cell, 0).r;
    base = right > -1e29 ? signed_((height - right) / 4.0) : vec3(0.5);
  }
  colour.rgb = shading == 2 ? base : shading == 0
    ? base * light + vec3(0.10) * pow(max(0.0, dot(facing, normalize(vec3(-0.3, 0.45, 0.9)))), 24.0)
    : base * mix(1.0, light, 0.45);
  if (!gl_FrontFacing) colour.rgb *= 0.55;
  vec4 near = vec4(within.x < 0.5, within.x >= 0.5, within.y < 0.5, within.y >= 0.5);
  vec4 open = near * abs(jumps);
  float widest = max(max(open.x, open.y), max(open.z, open.w));
  if (threshold > 0.0 && widest > threshold) colour.rgb = mix(colour.rgb, jumpColour, 0.88);
  colour.a = 1.0;
}
`;

export const pickVertex = /* glsl */ `${place}
flat out ivec2 cell;
void main() {
  int number = gl_VertexID / 6;
  cell = ivec2(number % cells.x, number / cells.x);
  gl_Position = inside(cell)
    ? projectionMatrix * modelViewMatrix * vec4(cornerPoint(cell, corners[gl_VertexID % 6]), 1.0)
    : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

/** The cell, 12 bits per coordinate, and 1 in alpha to distinguish it from the background. */
export const pickFragment = /* glsl */ `
precision highp float;
precision highp int;
flat in ivec2 cell;
out vec4 colour;
void main() {
  colour = vec4(cell.x & 255, cell.y & 255, (cell.x >> 8) | ((cell.y >> 8) << 4), 255) / 255.0;
}
`;
