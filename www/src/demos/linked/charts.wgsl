// The colours of the map (`shade_cell`) and of a histogram (`shade_bar`), a pixel of the canvas for each cell, and for each bin from left to right.

struct Chart {
  size: vec2f,  // of the canvas, in pixels
  low: f32,     // the mean that gets the first colour
  high: f32,    // the mean that gets the last one
  begin: u32,   // the first bin that the brush keeps
  end: u32,     // the bin behind the last one
  out: u32,     // the colour of bars that are left out
  kept: u32,    // the colour of bars that are kept
}

@group(0) @binding(0) var<uniform> chart: Chart;
@group(0) @binding(1) var<storage, read> shades: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>; // the bits of means, or counts
@group(0) @binding(3) var<storage, read> most: array<u32>;   // the largest count

// The corners (-1, -1), (3, -1) and (-1, 3) of a triangle that covers the canvas, whose sides are 2 long.
@vertex
fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn shade_cell(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let mean = values[u32(at.y) * u32(chart.size.x) + u32(at.x)];
  if ((mean & 0x7fffffffu) > 0x7f800000u) { // NaN, by its bits: a cell without flights
    return vec4f(0.0);
  }
  let part = clamp((bitcast<f32>(mean) - chart.low) / (chart.high - chart.low), 0.0, 1.0);
  return unpack4x8unorm(shades[u32(round(255.0 * part))]);
}

@fragment
fn shade_bar(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let bin = u32(at.x);
  let height = ceil(chart.size.y * f32(values[bin]) / f32(max(most[0], 1u)));
  if (chart.size.y - floor(at.y) > height) {
    return vec4f(0.0);
  }
  return unpack4x8unorm(select(chart.out, chart.kept, bin >= chart.begin && bin < chart.end));
}
