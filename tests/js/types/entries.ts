// The other entries have the types of the first, and the ones without GPU code offer no WebGPU.

import * as whole from 'scatterwise';
import cpu, * as withoutGpu from 'scatterwise/cpu';
import cpuInline, * as withoutGpuInline from 'scatterwise/cpu/inline';
import core, * as onlyCore from 'scatterwise/core';
import coreInline from 'scatterwise/core/inline';
import inline, * as inlined from 'scatterwise/inline';

const everything: typeof whole = inlined;
inline({ device: 'webgpu' }) satisfies Promise<whole.BackendInfo>;
inlined.Tensor.zeros([2]) satisfies whole.Tensor;

cpu({ device: 'cpu' }) satisfies Promise<withoutGpu.BackendInfo>;
cpuInline() satisfies Promise<withoutGpuInline.BackendInfo>;
withoutGpu.set_device('auto') satisfies Promise<withoutGpu.BackendInfo>;
new withoutGpuInline.Tensor([1]).scatter_(0, [0], 2) satisfies withoutGpuInline.Tensor;
export const names: Record<keyof typeof whole, unknown>[] = [everything, withoutGpu, withoutGpuInline];

// @ts-expect-error: no WebGPU here
cpu({ device: 'webgpu' });
// @ts-expect-error: nor here
withoutGpuInline.set_device('webgpu');
// @ts-expect-error: no GPU to choose
withoutGpu.init({ powerPreference: 'low-power' });

core() satisfies Promise<onlyCore.BackendInfo>;
coreInline({ device: 'cpu' });
const t: onlyCore.Tensor<'float32'> = onlyCore.Tensor.zeros([2, 2]).scatter_add(0, [[0, 1]], 2, { sum: 'ordered', mode: 'clip' });
onlyCore.elementwise_mul(t, 2, { act: 'relu6' }).mul(t).gather(0, onlyCore.bincount([1])) satisfies onlyCore.Tensor;
onlyCore.IndexPlan.along([3], 0, [1]).counts satisfies onlyCore.Tensor;
// @ts-expect-error: no WebGPU here
core({ device: 'webgpu' });
// @ts-expect-error: a function of a family
onlyCore.unique([1]);
// @ts-expect-error: another one
onlyCore.vjp('gather', [1], [1], 0, [0]);
// @ts-expect-error: a class of a family
new onlyCore.ExactSum([1]);
// @ts-expect-error: a method of a family
t.sort();
// @ts-expect-error: another one
t.sum();
// @ts-expect-error: files and pictures
onlyCore.Tensor.from_npy(new Uint8Array(1));
// @ts-expect-error: a word of a family
t.scatter_add(0, [[0, 1]], 2, { sum: 'exact' });
// @ts-expect-error: an activation of a family
onlyCore.activate(t, 'tanh');
// @ts-expect-error: an option of a family
t.scatter_reduce(0, [[0, 1]], [[1, 2]], 'amax', { return_indices: true });

import { show_in_devtools } from 'scatterwise/devtools';
import { Tensor as AnyTensor } from 'scatterwise';
show_in_devtools(AnyTensor);

import { verify, type VerifyReport } from 'scatterwise/verify';
verify() satisfies Promise<VerifyReport>;
verify({ device: 'webgpu', seconds: 5, seed: 1, on_progress: (done, of) => done < of }) satisfies Promise<VerifyReport>;
verify({ on_progress: (done: number) => void done }).then(({ outcome }) => outcome satisfies 'same' | 'different' | 'no-answer' | 'not-compared');
// @ts-expect-error: the name of a device, no choice
verify({ device: 'auto' });

import { list_npz, list_safetensors, load_npz, load_safetensors, save_npz, save_safetensors } from 'scatterwise/files';
/** The entry for files takes a class of any entry. It is never called. */
export async function files(bytes: Uint8Array) {
  const arrays: Record<string, whole.Tensor> = await load_npz(bytes, { Tensor: AnyTensor });
  await load_npz(bytes, { Tensor: withoutGpu.Tensor, device: 'cpu', names: ['a'] });
  const { tensors, metadata } = load_safetensors(bytes, { Tensor: whole.Tensor });
  new Blob([await save_npz(arrays, { compressed: true }), await save_safetensors(tensors, { metadata })]);
  for (const { name, dtype, shape, problem } of [...(await list_npz(bytes)), ...list_safetensors(bytes).tensors]) {
    if (dtype !== undefined) whole.Tensor.zeros(shape, { dtype, name });
    else problem satisfies string;
  }
  // @ts-expect-error: which class?
  await load_npz(bytes);
  // @ts-expect-error: a text
  await save_safetensors(tensors, { metadata: { epoch: 3 } });
}
