// The entry `scatterwise/files`: NumPy's .npz archives and safetensors. By itself, so that nobody else downloads it: the class that makes
// the tensors is handed to it, and it works with that of every entry.

export { list_npz, load_npz, save_npz } from '../files/npz.js';
export { list_safetensors, load_safetensors, save_safetensors } from '../files/safetensors.js';
