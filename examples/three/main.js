import { BufferAttribute, BufferGeometry, OrthographicCamera, Points, PointsMaterial, Scene, WebGLRenderer } from 'three';
import { init, Tensor } from 'scatterwise';

const size = 64;
const { device } = await init({ device: new URLSearchParams(location.search).get('device') ?? 'auto' });

// How many of 20,000 samples fall into each cell: the heights of a landscape.
const cells = Int32Array.from({ length: 40_000 }, (_, i) => (i * i + (i >> 3)) % size);
const counts = Tensor.zeros([size, size]).scatter_add_(new Tensor(cells, { shape: [20_000, 2] }), 1);

// A point for each cell: x and z go from -0.5 to 0.5, and y grows with the count, by 1 for 1,000.
// Three.js takes a typed array as an attribute as it is; data({ out }) fills the same one again for each frame.
const heights = await counts.data();
const positions = new Float32Array(3 * size * size);
heights.forEach((height, i) => positions.set([(i % size) / size - 0.5, height / 1000 - 0.4, Math.floor(i / size) / size - 0.5], 3 * i));
const geometry = new BufferGeometry();
geometry.setAttribute('position', new BufferAttribute(positions, 3));

const scene = new Scene();
scene.add(new Points(geometry, new PointsMaterial({ color: 'orange', size: 3, sizeAttenuation: false })));
const camera = new OrthographicCamera(-0.6, 0.6, 0.6, -0.6, -2, 2);
camera.position.set(0, 0.3, 1);
camera.lookAt(0, 0, 0);
const renderer = new WebGLRenderer({ canvas: document.querySelector('canvas') });
renderer.render(scene, camera);
const total = heights.reduce((sum, height) => sum + height, 0);
document.querySelector('output').textContent = `${device}: ${total} samples in ${renderer.info.render.points} points`;
