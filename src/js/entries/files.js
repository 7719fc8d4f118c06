// The entry `scatterwise/files`: NumPy's .npz archives and safetensors. A separate entry, so that only its users download it. The caller
// passes the class that makes the tensors, so it works with every entry.

export { list_npz, load_npz, save_npz } from '../files/npz.js';
export { list_safetensors, load_safetensors, save_safetensors } from '../files/safetensors.js';
