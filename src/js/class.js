// Which JavaScript objects are tensors of this copy of the library, and where they are in its memory.

let Tensor;

/** Learns the class from one instance. */
export function register_class(instance) {
  Tensor = instance.constructor;
}

/** The address of a tensor; 0 when it was freed, -1 for anything else, tensors of another copy included. */
export function tensor_pointer(value) {
  return value instanceof Tensor ? value.__wbg_ptr : -1;
}
