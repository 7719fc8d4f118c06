import { Tensor, gpu_device } from 'scatterwise';
import code from './map.wgsl?raw';
import { crowded, shadesOf } from './paint.js';

const BINDINGS = { frame: 0, curves: 1, routes: 2, phases: 3, bins: 4, counts: 5, shades: 6 };

/**
 * The map without leaving the GPU: a shader finds the bins, `scatter_add_` counts them, another shader paints the counts.
 * A frame uploads 32 bytes. Counts come back for the scale of colours when the view has changed, and for the number
 * beside the map; only the first frame waits for them.
 */
export class GpuMap {
  device = gpu_device();
  #grid;
  #context;
  #pipelines;
  #buffers = {};
  #frame = new ArrayBuffer(32);
  #held = 0; // points that the buffers have
  #index;
  #counts;
  /**
   * `most` gets the deepest colour. Views are numbered: `newest`; `first`, the oldest that needs its own scale at once; `drawn`, of the last
   * frame; `of`, the one `most` belongs to.
   */
  #scale = { most: 0, newest: 0, first: 0, drawn: 0, of: -1, theme: '' };

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

  /** The view has changed, so the scale of colours will; `at_once` where the old one would be far off. */
  rescale(at_once) {
    this.#scale.newest += 1;
    if (at_once) this.#scale.first = this.#scale.newest;
  }

  /** @param {import('./points.js').Points} points @param {import('./pixel-map.js').Frame} frame @returns {Promise<number[]>} ms of it all */
  async draw(points, { count, time, view: { k, x, y }, theme }) {
    const started = performance.now();
    this.#scale.drawn = this.#scale.newest;
    this.#upload(points, count);
    const { columns, rows } = this.#grid;
    new Float32Array(this.#frame).set([columns, rows, x, y, k, time % 1]);
    new Uint32Array(this.#frame)[6] = count;
    this.device.queue.writeBuffer(this.#buffers.frame, 0, this.#frame);
    this.#bin(count);
    this.#count(count);
    if (this.#scale.of < this.#scale.first) await this.read();
    this.#paint(theme);
    await this.device.queue.onSubmittedWorkDone();
    return [performance.now() - started];
  }

  /** How many points of the newest frame are outside; `rescaled` if it has brought another scale of colours. */
  async read() {
    const view = this.#scale.drawn;
    const counts = await this.counts();
    const rescaled = this.#scale.of !== view;
    if (rescaled) Object.assign(this.#scale, { most: crowded(counts.subarray(0, -1)), of: view, theme: '' });
    return { outside: counts.at(-1), rescaled };
  }

  /** The counts of the newest frame, and those of the same bins on the CPU. */
  counts = () => copyOf(this.#counts);
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

  /** Uploads what is the same in every frame. */
  #upload(points, count) {
    points.take(count);
    if (!this.#buffers.curves) this.#fill('curves', points.curves);
    if (this.#held === count) return;
    this.#fill('routes', points.route);
    this.#fill('phases', points.phase);
    this.#held = count;
    this.#allocate('bins', 4 * count, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  }

  #bin(count) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipelines.bin);
    pass.setBindGroup(0, this.#group('bin', ['frame', 'curves', 'routes', 'phases', 'bins']));
    pass.dispatchWorkgroups(Math.ceil(count / 256));
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  #count(count) {
    this.#index?.dispose();
    this.#counts?.dispose();
    this.#index = Tensor.from_gpu_buffer(this.#buffers.bins, { shape: [count], dtype: 'int32' });
    this.#counts = Tensor.zeros([this.#grid.columns * this.#grid.rows + 1], { dtype: 'int32', device: 'webgpu' });
    this.#counts.scatter_add_(0, this.#index, 1);
  }

  #paint(theme) {
    if (this.#scale.theme !== theme) this.#fill('shades', shadesOf(this.#scale.most, theme));
    this.#scale.theme = theme;
    const counts = { buffer: this.#counts.gpu_buffer(), size: 4 * this.#counts.size };
    const encoder = this.device.createCommandEncoder();
    const view = this.#context.getCurrentTexture().createView();
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(this.#pipelines.paint);
    pass.setBindGroup(0, this.#group('paint', ['frame', 'shades'], [{ binding: BINDINGS.counts, resource: counts }]));
    pass.draw(3);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  #group(pipeline, names, more = []) {
    const entries = names.map((name) => ({ binding: BINDINGS[name], resource: { buffer: this.#buffers[name] } }));
    return this.device.createBindGroup({ layout: this.#pipelines[pipeline].getBindGroupLayout(0), entries: [...entries, ...more] });
  }

  #allocate(name, size, usage) {
    this.#buffers[name]?.destroy();
    this.#buffers[name] = this.device.createBuffer({ size: 4 * Math.ceil(size / 4), usage: usage | GPUBufferUsage.COPY_DST });
  }

  #fill(name, data) {
    this.#allocate(name, data.byteLength, GPUBufferUsage.STORAGE);
    const whole = data.length - (data.byteLength % 4) / data.BYTES_PER_ELEMENT; // the rest of a word comes by itself
    this.device.queue.writeBuffer(this.#buffers[name], 0, data, 0, whole);
    if (whole < data.length) this.device.queue.writeBuffer(this.#buffers[name], 4 * Math.floor(data.byteLength / 4), Uint16Array.of(data[whole], 0));
  }

  dispose() {
    this.#index?.dispose();
    this.#counts?.dispose();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    this.#context.unconfigure();
  }
}

/** The values of a tensor, which may be disposed of in the meantime. */
async function copyOf(tensor) {
  const copy = tensor.clone();
  try {
    return await copy.data();
  } finally {
    copy.dispose();
  }
}
