import { gpu_device } from 'scatterwise';
import { palette } from '../histogram/colormap.js';
import code from './charts.wgsl?raw';
import { GRID, HEIGHT, charts, names } from './charts.js';
import { BARS } from './pixel-charts.js';

/** As in charts.wgsl. */
const BINDINGS = { chart: 0, shades: 1, values: 2, most: 3 };

/** What a shader sees of a tensor of 32-bit elements. */
const resourceOf = (tensor) => ({ buffer: tensor.gpu_buffer(), size: 4 * tensor.size });

/** Paints the map and the histograms from the library's buffers, by a shader: nothing is read back. */
export class GpuCharts {
  #device = gpu_device();
  #contexts = {};
  #pipelines;
  #shades; // the buffer of the palette
  #uniforms = {}; // the buffer of `Chart` of each canvas
  #theme; // of the palette that is uploaded

  /** @param {Record<string, HTMLCanvasElement>} canvases by the names of the histograms; `map` is the map's */
  constructor(canvases) {
    const device = this.#device;
    const format = navigator.gpu.getPreferredCanvasFormat();
    const module = device.createShaderModule({ code });
    const pipeline = (entryPoint) =>
      device.createRenderPipeline({ layout: 'auto', vertex: { module, entryPoint: 'corner' }, fragment: { module, entryPoint, targets: [{ format }] } });
    this.#pipelines = { cells: pipeline('shade_cell'), bars: pipeline('shade_bar') };
    this.#shades = device.createBuffer({ size: 1024, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    for (const [name, canvas] of Object.entries(canvases)) {
      this.#contexts[name] = canvas.getContext('webgpu');
      if (!this.#contexts[name]) throw new Error('no WebGPU on a canvas');
      this.#contexts[name].configure({ device, format, alphaMode: 'premultiplied' });
      this.#uniforms[name] = device.createBuffer({ size: 32, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    }
  }

  /**
   * @param {import('./flights.js').Look} look
   * @param {{ brushes: import('./charts.js').Brushes, column: string, theme: 'light' | 'dark' }} how
   */
  async draw({ means, counts }, { brushes, column, theme }) {
    const { queue } = this.#device;
    const shades = palette(theme);
    if (this.#theme !== theme) queue.writeBuffer(this.#shades, 0, shades);
    this.#theme = theme;
    const [out, kept] = BARS.map((at) => new Uint32Array(shades.buffer)[at]);
    const encoder = this.#device.createCommandEncoder();
    this.#fill('map', { size: [GRID.columns, GRID.rows], colours: charts[column].colours, brush: [0, 0], out, kept });
    this.#pass(encoder, 'map', this.#pipelines.cells, { [BINDINGS.shades]: { buffer: this.#shades }, [BINDINGS.values]: resourceOf(means) });
    const largest = names.map((name) => counts[name].amax());
    names.forEach((name, at) => {
      this.#fill(name, { size: [charts[name].bins, HEIGHT], colours: [0, 1], brush: brushes[name], out, kept });
      this.#pass(encoder, name, this.#pipelines.bars, { [BINDINGS.values]: resourceOf(counts[name]), [BINDINGS.most]: resourceOf(largest[at]) });
    });
    queue.submit([encoder.finish()]);
    for (const tensor of largest) tensor.dispose();
    await queue.onSubmittedWorkDone();
  }

  /** Uploads the struct `Chart` of a canvas. */
  #fill(name, { size, colours, brush, out, kept }) {
    const chart = new ArrayBuffer(32);
    new Float32Array(chart).set([...size, ...colours]);
    new Uint32Array(chart).set([...brush, out, kept], 4);
    this.#device.queue.writeBuffer(this.#uniforms[name], 0, chart);
  }

  /** Has a pipeline paint a canvas from these resources, by their bindings, and the canvas's `Chart`. */
  #pass(encoder, name, pipeline, resources) {
    const all = { [BINDINGS.chart]: { buffer: this.#uniforms[name] }, ...resources };
    const entries = Object.entries(all).map(([binding, resource]) => ({ binding: Number(binding), resource }));
    const view = this.#contexts[name].getCurrentTexture().createView();
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.draw(3); // one triangle that covers the canvas
    pass.end();
  }

  /** Gives back the GPU's memory and the canvases. */
  dispose() {
    for (const context of Object.values(this.#contexts)) context.unconfigure();
    for (const buffer of [this.#shades, ...Object.values(this.#uniforms)]) buffer.destroy();
  }
}
