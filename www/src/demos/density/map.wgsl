// The bin of each point (`find_bins`), and the colour of each bin (`corner`, `shade`).

struct Frame {
  grid: vec2f,   // columns, rows
  shift: vec2f,  // from the map to the grid: shift + scale * place
  scale: f32,
  time: f32,     // in routes flown, from 0 to 1
  points: u32,
  unused: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> curves: array<f32>; // a, b, c for x, then for y, of each route: a + f (b + f c)
@group(0) @binding(2) var<storage, read> routes: array<u32>;   // of each point, two to a word
@group(0) @binding(3) var<storage, read> phases: array<f32>;   // of each point
@group(0) @binding(4) var<storage, read_write> bins: array<i32>;

// Where each point is now, as the number of its bin; that of a point outside of the grid is the number of bins.
@compute @workgroup_size(256)
fn find_bins(@builtin(global_invocation_id) id: vec3u) {
  let point = id.x;
  if (point >= frame.points) { return; }
  // Two route numbers of 16 bits are in a word. Six numbers of a curve belong to each route.
  let c = 6u * extractBits(routes[point / 2u], 16u * (point % 2u), 16u);
  let f = fract(phases[point] + frame.time); // the part of the route that is flown
  let x = curves[c] + f * (curves[c + 1u] + f * curves[c + 2u]);
  let y = curves[c + 3u] + f * (curves[c + 4u] + f * curves[c + 5u]);
  let cell = floor(frame.shift + frame.scale * vec2f(x, y));
  let inside = all(cell >= vec2f(0.0)) && all(cell < frame.grid);
  bins[point] = i32(select(frame.grid.x * frame.grid.y, cell.y * frame.grid.x + cell.x, inside));
}

@group(0) @binding(5) var<storage, read> counts: array<i32>;
@group(0) @binding(6) var<storage, read> shades: array<u32>; // the colour of each count; the last is of all larger ones

// The corners (-1, -1), (3, -1) and (-1, 3) of a triangle that covers the canvas, whose sides are 2 long.
@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

// The colour of the bin at this pixel: the canvas has one for each.
@fragment
fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let count = u32(counts[u32(at.y) * u32(frame.grid.x) + u32(at.x)]);
  return unpack4x8unorm(shades[min(count, arrayLength(&shades) - 1u)]);
}
