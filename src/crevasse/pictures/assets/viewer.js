// A surface of quadrilaterals in WebGL2, each pixel with its own four corners, drawn only when something changes.
"use strict";

const SURFACE_SHADER = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D corners, table;
uniform mat4 view;
uniform ivec2 size;
uniform vec4 lens;      // fx, fy, cx, cy; fx is 0 for parallel rays
uniform vec3 origin;    // column, row of the first pixel; pixels of the map a quadrilateral stands for
uniform vec3 centre;
uniform vec2 range;     // nearest, farthest height
uniform int colouring;  // 0 clay, 1 depth, 2 normals
uniform float level;    // height of the centre
in ivec3 place;         // column, row, kind: 0 a pixel, 1 the gap to its right neighbour, 2 the gap below
flat out vec3 tint;
flat out vec3 normal;
flat out float jump;

float height(ivec2 corner) { return texelFetch(corners, corner, 0).r; }

// Camera frame turned to x right, y up, z towards the viewer, in pixels of the map.
vec3 point(ivec2 corner) {
  float h = height(corner);
  vec2 at = origin.xy + origin.z * (vec2((corner + 1) / 2) - 0.5);
  if (lens.x == 0.0) return vec3(at.x, -at.y, level - h) - centre;
  float grown = exp((h - level) / lens.x);
  vec2 ray = (at - lens.zw) / lens.xy;
  return vec3(ray.x, -ray.y, -1.0) * grown * lens.x + vec3(0.0, 0.0, lens.x) - centre;
}

void main() {
  ivec2 first = 2 * place.xy;
  ivec2 steps[4] = ivec2[4](ivec2(0, 0), ivec2(0, 1), ivec2(1, 1), ivec2(1, 0));
  int order[6] = int[6](0, 1, 2, 0, 2, 3);
  ivec2 shift = place.z == 1 ? ivec2(1, 0) : place.z == 2 ? ivec2(0, 1) : ivec2(0, 0);
  vec3 corner = point(first + shift + steps[order[gl_VertexID]]);
  // A gap takes the shade of the pixel it belongs to.
  vec3 a = point(first), b = point(first + steps[1]), c = point(first + steps[2]), d = point(first + steps[3]);
  normal = normalize(cross(c - a, d - b));
  jump = 0.0;
  if (place.z == 1) jump = 0.5 * (height(first + ivec2(2, 0)) - height(first + ivec2(1, 0))
                                + height(first + ivec2(2, 1)) - height(first + ivec2(1, 1)));
  if (place.z == 2) jump = 0.5 * (height(first + ivec2(0, 2)) - height(first + ivec2(0, 1))
                                + height(first + ivec2(1, 2)) - height(first + ivec2(1, 1)));
  float middle = 0.25 * (height(first) + height(first + steps[1]) + height(first + steps[2]) + height(first + steps[3]));
  float near = clamp((range.y - middle) / max(range.y - range.x, 1e-6), 0.0, 1.0);
  if (colouring == 1) tint = texelFetch(table, ivec2(int(near * 255.0 + 0.5), 0), 0).rgb;
  else if (colouring == 2) tint = 0.5 * normal + 0.5;
  else tint = vec3(0.90, 0.85, 0.79);
  gl_Position = view * vec4(corner, 1.0);
}`;

const PAINT_SHADER = `#version 300 es
precision highp float;
precision highp int;
uniform int curtain;    // 0 the surface, 1 the jumps
uniform int colouring;
uniform vec3 towards;   // viewer, in the frame of the surface
flat in vec3 tint;
flat in vec3 normal;
flat in float jump;
out vec4 colour;

void main() {
  if (curtain == 1) {
    colour = vec4(jump > 0.0 ? vec3(0.95, 0.62, 0.24) : vec3(0.36, 0.70, 0.96), 0.4);
    return;
  }
  if (colouring == 2) { colour = vec4(tint, 1.0); return; }
  float side = dot(normal, towards) < 0.0 ? 0.45 : 1.0;
  float key = max(dot(normal, normalize(vec3(-0.48, 0.52, 0.707))), 0.0);
  float fill = max(dot(normal, towards), 0.0);
  float light = 0.16 + 0.62 * key + 0.26 * fill;
  colour = vec4(pow(tint * tint * light * side, vec3(1.0 / 2.2)), 1.0);
}`;

function decode(base64, Type) {
  const text = atob(base64);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new Type(bytes.buffer);
}

// The pixels, the gaps that are closed and the gaps that are jumps, as (column, row, kind) triples.
function listPlaces(corners, width, height, open) {
  const stride = 2 * width;
  const at = (row, column) => corners[row * stride + column];
  const inside = (row, column) => !Number.isNaN(at(2 * row, 2 * column));
  const surface = [], jumps = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (!inside(row, column)) continue;
      surface.push(column, row, 0);
      if (column + 1 < width && inside(row, column + 1)) {
        (open.right[row * (width - 1) + column] ? jumps : surface).push(column, row, 1);
      }
      if (row + 1 < height && inside(row + 1, column)) {
        (open.down[row * width + column] ? jumps : surface).push(column, row, 2);
      }
    }
  }
  return { surface: new Int32Array(surface), jumps: new Int32Array(jumps) };
}

function compile(gl) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, SURFACE_SHADER], [gl.FRAGMENT_SHADER, PAINT_SHADER]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  return program;
}

function texture(gl, unit, internal, width, height, format, type, data) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
}

function placesBuffer(gl, program, places) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW);
  const slot = gl.getAttribLocation(program, "place");
  gl.enableVertexAttribArray(slot);
  gl.vertexAttribIPointer(slot, 3, gl.INT, 0, 0);
  gl.vertexAttribDivisor(slot, 1);
  return { array, count: places.length / 3 };
}

// Turn (degrees around the vertical, up), distance and shift to a column-major matrix of rotation and perspective.
function viewMatrix(eye, radius, aspect) {
  const [cy, sy] = [Math.cos(eye.yaw), Math.sin(eye.yaw)];
  const [cp, sp] = [Math.cos(eye.pitch), Math.sin(eye.pitch)];
  const rotation = [[cy, 0, -sy], [-sp * sy, cp, -sp * cy], [cp * sy, sp, cp * cy]];
  const distance = radius * eye.distance, focal = 1 / Math.tan(0.3);
  const near = Math.max(distance - 4 * radius, 0.02 * radius), far = distance + 4 * radius;
  const matrix = new Float32Array(16);
  for (let i = 0; i < 3; i++) {
    const along = rotation[2][i];
    matrix[4 * i] = (rotation[0][i] * focal) / Math.max(aspect, 1);
    matrix[4 * i + 1] = rotation[1][i] * focal * Math.min(aspect, 1);
    matrix[4 * i + 2] = (-along * (far + near)) / (far - near);
    matrix[4 * i + 3] = -along;
  }
  matrix[12] = (eye.x * focal * distance) / Math.max(aspect, 1);
  matrix[13] = eye.y * focal * distance * Math.min(aspect, 1);
  matrix[14] = (distance * (far + near) - 2 * far * near) / (far - near);
  matrix[15] = distance;
  return { matrix, towards: rotation[2] };
}

function listen(canvas, eye, draw) {
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const scale = 1 / Math.min(canvas.clientWidth, canvas.clientHeight);
    if (others.length) {
      const span = (x, y) => Math.hypot(x - others[0][0], y - others[0][1]);
      zoom(span(...before) / Math.max(span(event.clientX, event.clientY), 1));
    } else if (event.shiftKey || event.buttons === 2) {
      eye.x += 0.62 * dx * scale;
      eye.y -= 0.62 * dy * scale;
    } else turn(-3 * dx * scale, 3 * dy * scale);
    draw();
  });
  const turn = (yaw, pitch) => {
    eye.yaw += yaw;
    eye.pitch = Math.min(1.5, Math.max(-1.5, eye.pitch + pitch));
  };
  const zoom = (factor) => (eye.distance = Math.min(20, Math.max(0.15, eye.distance * factor)));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(0.001 * event.deltaY));
    draw();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    if (keys[event.key]) turn(...keys[event.key]);
    else if (event.key === "+" || event.key === "=") zoom(0.9);
    else if (event.key === "-") zoom(1 / 0.9);
    else return;
    event.preventDefault();
    draw();
  });
}

function start(canvas, data) {
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const program = compile(gl);
  const uniform = (name) => gl.getUniformLocation(program, name);
  const corners = decode(data.corners, Float32Array);
  const open = { right: decode(data.right, Uint8Array), down: decode(data.down, Uint8Array) };
  const places = listPlaces(corners, data.width, data.height, open);
  const buffers = { surface: placesBuffer(gl, program, places.surface), jumps: placesBuffer(gl, program, places.jumps) };
  const heights = corners.map((height) => (Number.isNaN(height) ? 0 : height));
  texture(gl, 0, gl.R32F, 2 * data.width, 2 * data.height, gl.RED, gl.FLOAT, heights);
  texture(gl, 1, gl.RGB8, 256, 1, gl.RGB, gl.UNSIGNED_BYTE, decode(data.table, Uint8Array));
  gl.uniform1i(uniform("corners"), 0);
  gl.uniform1i(uniform("table"), 1);
  gl.uniform2i(uniform("size"), data.width, data.height);
  gl.uniform4fv(uniform("lens"), data.lens);
  gl.uniform3fv(uniform("origin"), data.origin);
  gl.uniform3fv(uniform("centre"), data.centre);
  gl.uniform2fv(uniform("range"), data.range);
  gl.uniform1f(uniform("level"), data.level);
  gl.enable(gl.DEPTH_TEST);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);

  const front = { yaw: 0, pitch: 0, distance: 2.9, x: 0, y: 0 };
  const aside = { yaw: -0.6, pitch: 0.35, distance: 2.9, x: 0, y: 0 };
  const eye = { ...aside };
  const look = { colouring: 0, jumps: true };
  let waiting = false;

  function paint() {
    waiting = false;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(...data.ground, 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { matrix, towards } = viewMatrix(eye, data.radius, width / height);
    gl.uniformMatrix4fv(uniform("view"), false, matrix);
    gl.uniform3fv(uniform("towards"), towards);
    gl.uniform1i(uniform("colouring"), look.colouring);
    for (const [name, shown] of [["surface", true], ["jumps", look.jumps]]) {
      if (!shown) continue;
      const curtain = name === "jumps";
      gl.uniform1i(uniform("curtain"), curtain ? 1 : 0);
      // Curtains are seen through, so they are drawn last and hide nothing.
      gl.depthMask(!curtain);
      curtain ? gl.enable(gl.BLEND) : gl.disable(gl.BLEND);
      gl.bindVertexArray(buffers[name].array);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, buffers[name].count);
    }
    document.documentElement.dataset.viewer = "ready";
  }
  const draw = () => {
    if (waiting) return;
    waiting = true;
    document.documentElement.dataset.viewer = "drawing";
    requestAnimationFrame(paint);
  };
  listen(canvas, eye, draw);
  new ResizeObserver(draw).observe(canvas);
  draw();
  return {
    show(changes) { Object.assign(look, changes); draw(); },
    front() { Object.assign(eye, front); draw(); },
    aside() { Object.assign(eye, aside); draw(); },
    counts: { surface: buffers.surface.count, jumps: buffers.jumps.count },
  };
}

function control(viewer) {
  document.getElementById("front").addEventListener("click", () => viewer.front());
  document.getElementById("aside").addEventListener("click", () => viewer.aside());
  document.getElementById("jumps").addEventListener("change", (event) => viewer.show({ jumps: event.target.checked }));
  document.getElementById("colouring").addEventListener("change", (event) =>
    viewer.show({ colouring: Number(event.target.value) }));
}

try {
  const viewer = start(document.getElementById("surface"), JSON.parse(document.getElementById("data").textContent));
  if (viewer) control(viewer);
  else throw new Error("WebGL2 is not available");
  window.crevasse = viewer;
} catch (error) {
  document.documentElement.dataset.viewer = "none";
  const note = document.getElementById("note");
  note.textContent = `This browser cannot draw the surface in 3D (${error.message}). The pictures below show it.`;
  note.hidden = false;
}
