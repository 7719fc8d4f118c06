// What the platform tells of its GPU. wgpu passes on only a part of it.

/** Facts of the adapter that a request would get; null without one. A missing navigator.gpu is a rejection with its reason. */
export async function adapter_facts(powerPreference) {
  const gpu = globalThis.navigator?.gpu;
  if (!gpu) {
    throw globalThis.isSecureContext === false
      ? 'WebGPU needs a secure context: https or localhost'
      : 'this platform has no WebGPU (navigator.gpu is missing)';
  }
  const adapter = await gpu.requestAdapter({ powerPreference });
  if (!adapter) return null;
  const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
  return {
    vendor,
    architecture,
    description,
    software: Boolean(isFallbackAdapter ?? adapter.isFallbackAdapter),
    features: [...adapter.features],
  };
}
