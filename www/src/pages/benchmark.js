import '../../styles/demos.css';
import '../../styles/histogram.css';
import '../../styles/benchmark.css';
import '../shared/frame.js';
import { byId } from '../shared/dom.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

startDeviceSwitch();
// The library is the weight of this page: what was recorded is there before it comes.
const { Benchmark } = await import('../benchmark/page.js');
new Benchmark(byId('benchmark'));
