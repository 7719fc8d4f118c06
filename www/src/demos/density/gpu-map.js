import { Tensor, gpu_device } from 'scatterwise';
import code from './map.wgsl?raw';
import { deepestCount, shadesOf } from './paint.js';

/** As in map.wgsl. */
const BINDINGS = { frame: 0, curves: 1, routes: 2, phases: 3, bins: 4, counts: 5, shades: 6 };

/**
 * The map without leaving the GPU: a shader finds the bins, `scatter_add_` counts them, another shader paints the counts.
 * A frame uploads 32 bytes. Counts come back for the scale of colours when the view has changed, and for the number
 * beside the map; a frame waits for them only if no scale fits the number of points yet.
 */
export class GpuMap {
  device = gpu_device();
  #grid;
  #context;
  #pipelines;
  #buffers = {}; // by the names of BINDINGS, apart from `counts`, whose buffer is the tensor's
  #frame = new ArrayBuffer(32); // the struct `Frame` of map.wgsl
  #held = 0; // points that the buffers have
  #index; // the bin of each point of the newest frame, as a tensor
  #counts; // the points in each bin of the newest frame, then those outside
  /**
   * The scale of colours. `most` is the count that gets the deepest colour, and `theme` the theme of the colours that are uploaded, empty
   * where none are that fit `most`. Each change of the view gives the next view its number. `newest` is that of the view as it is now,
   * `drawn` that of the last frame, `measured` that of the view whose counts `most` was found in. Until a view of the number `awaited` or
   * later was measured, a frame is not painted.
   */
  #scale = { most: 0, theme: '', newest: 0, drawn: 0, measured: -1, awaited: 0 };

  /** @param {HTMLCanvasElement} canvas @param {{ columns: number, rows: number }} grid */
  constructor(canvas, grid) {
    const { device } = this;
    this.#grid = grid;
    [canvas.width, canvas.height] = [grid.columns, grid.rows];
    this.#context = canvas.getContext('webgpu');
    if (!this.#context) throw new Error('no WebGPU on a canvas');
    const format = navigator.gpu.getPreferredCanvasFormat();
    this.#context.configure({ device, format, alphaMode: 'premultiplied' });
    const module = device.createShaderModule({ code });
    this.#pipelines = {
      bin: device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'find_bins' } }),
      paint: device.createRenderPipeline({
        layout: 'auto',
        vertex: { module, entryPoint: 'corner' },
        fragment: { module, entryPoint: 'shade', targets: [{ format }] },
      }),
    };
    this.#allocate('frame', this.#frame.byteLength, GPUBufferUsage.UNIFORM);
  }

  /** The view has changed, so the scale of colours will. With `isAtOnce` no frame is painted by the old one, which would be far off. */
  rescale({ isAtOnce }) {
    this.#scale.newest += 1;
    if (isAtOnce) this.#scale.awaited = this.#scale.newest;
  }

  /**
   * Draws a frame.
   * @param {import('./points.js').Points} points @param {import('./pixel-map.js').Frame} frame
   * @returns {Promise<number[]>} one number: ms until the GPU has done it all
   */
  async draw(points, { count, time, view: { k, x, y }, theme }) {
    const started = performance.now();
    this.#scale.drawn = this.#scale.newest;
    this.#upload(points, count);
    const { columns, rows } = this.#grid;
    new Float32Array(this.#frame).set([columns, rows, x, y, k, time % 1]); // in the order of the fields of `Frame`
    new Uint32Array(this.#frame)[6] = count; // its field `points`
    this.device.queue.writeBuffer(this.#buffers.frame, 0, this.#frame);
    this.#findBins(count);
    this.#countBins(count);
    if (this.#scale.measured < this.#scale.awaited) await this.read();
    this.#paint(theme);
    await this.device.queue.onSubmittedWorkDone();
    return [performance.now() - started];
  }

  /**
   * Reads the counts of the newest frame. If its view was not measured yet, the scale of colours follows from them.
   * @returns {Promise<{ outside: number, rescaled: boolean }>} how many points are outside of the map, and whether the scale is a new one
   */
  async read() {
    const view = this.#scale.drawn;
    const counts = await this.counts();
    const rescaled = this.#scale.measured !== view;
    if (rescaled) Object.assign(this.#scale, { most: deepestCount(counts.subarray(0, -1)), measured: view, theme: '' });
    return { outside: counts.at(-1), rescaled };
  }

  /** The counts of the newest frame: of each bin, row by row, then of the points outside. */
  counts = () => copyOf(this.#counts);

  /** The same, counted on the CPU from the bins that the GPU found. */
  async recount() {
    const size = this.#counts.size;
    const index = await copyOf(this.#index);
    const counts = Tensor.zeros([size], { dtype: 'int32', device: 'cpu' });
    try {
      return await counts.scatter_add_(0, index, 1).data();
    } finally {
      counts.dispose();
    }
  }

  /** Uploads the data that every frame of `count` points shares, if it is not there yet. */
  #upload(points, count) {
    points.take(count);
    if (!this.#buffers.curves) this.#fill('curves', points.curves);
    if (this.#held === count) return;
    this.#fill('routes', points.route);
    this.#fill('phases', points.phase);
    this.#held = count;
    this.#allocate('bins', 4 * count, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  }

  /** Has the GPU write the bin of each point. */
  #findBins(count) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipelines.bin);
    pass.setBindGroup(0, this.#bindGroup('bin', ['frame', 'curves', 'routes', 'phases', 'bins']));
    pass.dispatchWorkgroups(Math.ceil(count / 256)); // 256: the workgroup size of `find_bins`
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /** Has the library count the points of each bin, in the buffer that the shader has written. */
  #countBins(count) {
    this.#index?.dispose();
    this.#counts?.dispose();
    this.#index = Tensor.from_gpu_buffer(this.#buffers.bins, { shape: [count], dtype: 'int32' });
    const size = this.#grid.columns * this.#grid.rows + 1; // one more for the points outside
    this.#counts = Tensor.zeros([size], { dtype: 'int32', device: 'webgpu' });
    this.#counts.scatter_add_(0, this.#index, 1);
  }

  /** Paints the counts on the canvas, by the colours of the theme. */
  #paint(theme) {
    if (this.#scale.theme !== theme) this.#fill('shades', shadesOf(this.#scale.most, theme));
    this.#scale.theme = theme;
    const counts = { buffer: this.#counts.gpu_buffer(), size: 4 * this.#counts.size };
    const encoder = this.device.createCommandEncoder();
    const view = this.#context.getCurrentTexture().createView();
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(this.#pipelines.paint);
    pass.setBindGroup(0, this.#bindGroup('paint', ['frame', 'shades'], [{ binding: BINDINGS.counts, resource: counts }]));
    pass.draw(3); // one triangle that covers the canvas
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /** The bind group of a pipeline, with the buffers of these names and further entries. */
  #bindGroup(pipeline, names, more = []) {
    const entries = names.map((name) => ({ binding: BINDINGS[name], resource: { buffer: this.#buffers[name] } }));
    return this.device.createBindGroup({ layout: this.#pipelines[pipeline].getBindGroupLayout(0), entries: [...entries, ...more] });
  }

  /** Replaces the buffer of this name by a new one of `bytes` bytes, rounded up to whole words. */
  #allocate(name, bytes, usage) {
    this.#buffers[name]?.destroy();
    this.#buffers[name] = this.device.createBuffer({ size: 4 * Math.ceil(bytes / 4), usage: usage | GPUBufferUsage.COPY_DST });
  }

  /**
   * Replaces the buffer of this name by one with these elements. Only whole words can be written: of an odd number of 16-bit elements the last
   * one is written with a 0 behind it.
   * @param {string} name @param {Float32Array | Uint32Array | Uint16Array} data
   */
  #fill(name, data) {
    this.#allocate(name, data.byteLength, GPUBufferUsage.STORAGE);
    const whole = data.length - (data.byteLength % 4) / data.BYTES_PER_ELEMENT; // elements in whole words
    this.device.queue.writeBuffer(this.#buffers[name], 0, data, 0, whole);
    if (whole < data.length) this.device.queue.writeBuffer(this.#buffers[name], 4 * Math.floor(data.byteLength / 4), Uint16Array.of(data[whole], 0));
  }

  /** Gives back the GPU's memory and the canvas. */
  dispose() {
    this.#index?.dispose();
    this.#counts?.dispose();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    this.#context.unconfigure();
  }
}

/** The values of a tensor. They come from a copy: the next frame may dispose of the tensor before they are here. */
async function copyOf(tensor) {
  const copy = tensor.clone();
  try {
    return await copy.data();
  } finally {
    copy.dispose();
  }
}
