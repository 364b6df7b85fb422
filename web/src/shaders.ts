/** Shaders: a welded mesh of lattice points with heights, lit by its own normals. */

export const surfaceVertex = /* glsl */ `
precision highp float;
in vec2 place;
in float height;
in vec2 folded;
in float value;
uniform vec4 lens;
uniform vec2 size;
uniform vec3 grid;
uniform float rise;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform mat3 normalMatrix;
out vec3 facing;
out vec3 own;
out vec2 along;
out vec3 eye;
out float high;
out float known;
invariant gl_Position;

vec3 unfold(vec2 f) {
  vec3 n = vec3(f, 1.0 - abs(f.x) - abs(f.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
  return normalize(n);
}
vec3 pointAt(vec2 pixel, float lifted) {
  if (lens.x > 0.0) {
    float depth = exp(lifted / lens.x);
    vec2 ray = (pixel - lens.zw) * vec2(1.0, lens.x / lens.y);
    return vec3(ray.x * depth, -ray.y * depth, lens.x - lens.x * depth);
  }
  return vec3(pixel.x - size.x * 0.5, size.y * 0.5 - pixel.y, -lifted);
}
void main() {
  vec2 pixel = grid.xy + place * grid.z - 0.5;
  vec4 seen = modelViewMatrix * vec4(pointAt(pixel, height * rise), 1.0);
  own = unfold(folded);
  facing = normalMatrix * own;
  along = (pixel + 0.5) / size;
  eye = seen.xyz;
  high = height;
  known = value;
  gl_Position = projectionMatrix * seen;
}
`;

export const surfaceFragment = /* glsl */ `
precision highp float;
precision highp int;
uniform sampler2D ramp;
uniform sampler2D photo;
uniform vec3 light;
uniform vec2 range;
uniform int shading;
uniform vec3 clay;
in vec3 facing;
in vec3 own;
in vec2 along;
in vec3 eye;
in float high;
in float known;
out vec4 colour;

vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
/** Light that reaches a surface: a key light, a cool sky and a warm floor. */
float lit(vec3 n) {
  float key = max(0.0, dot(n, light));
  return 0.92 * key + 0.14 + 0.07 * n.y + 0.06 * max(0.0, n.z);
}
float gloss(vec3 n) {
  vec3 halfway = normalize(light + normalize(-eye));
  return 0.16 * pow(max(0.0, dot(n, halfway)), 38.0);
}
/** A polished ball in a studio: two soft boxes, a dark floor and a bright rim. */
vec3 matcap(vec3 n) {
  vec3 base = mix(vec3(0.015, 0.022, 0.03), vec3(0.16, 0.20, 0.23), smoothstep(-0.9, 0.9, n.y));
  float box = smoothstep(0.45, 1.0, dot(n, light)), side = smoothstep(0.55, 0.9, dot(n, normalize(vec3(-light.x, 0.25, 0.45))));
  float rim = pow(1.0 - clamp(n.z, 0.0, 1.0), 3.0);
  return base + box * vec3(0.66, 0.61, 0.54) + side * vec3(0.10, 0.16, 0.22) + rim * vec3(0.12, 0.2, 0.26);
}
void main() {
  vec3 n = normalize(facing);
  if (!gl_FrontFacing) n = -n;
  vec3 made;
  if (shading == 1) made = matcap(n);
  else if (shading == 2) { colour = vec4(normalize(own) * 0.5 + 0.5, 1.0); if (!gl_FrontFacing) colour.rgb *= 0.5; return; }
  else if (shading == 3) made = linear(texture(ramp, vec2(clamp((high - range.x) / max(1e-9, range.y - range.x), 0.0, 1.0), 0.5)).rgb) * mix(1.0, lit(n), 0.55);
  else if (shading == 4) {
    bool there = known == known;
    float share = clamp(0.5 + 0.5 * (there ? known : 0.0) / max(1e-30, range.y), 0.0, 1.0);
    made = (there ? linear(texture(ramp, vec2(share, 0.5)).rgb) : vec3(0.2)) * mix(1.0, lit(n), 0.35);
  }
  else if (shading == 5) made = linear(texture(photo, along).rgb);
  else if (shading == 6) made = linear(texture(photo, along).rgb) * lit(n) * 1.15 + 0.3 * gloss(n);
  else made = clay * lit(n) + gloss(n);
  if (!gl_FrontFacing) made *= 0.3;
  colour = vec4(pow(made, vec3(1.0 / 2.2)), 1.0);
}
`;

/** Walls at jumps: a flat tint that is seen through. */
export const wallFragment = /* glsl */ `
precision highp float;
uniform vec3 tint;
out vec4 colour;
void main() {
  colour = vec4(tint, 0.3);
}
`;
