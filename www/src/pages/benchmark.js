import '../../styles/demos.css';
import '../../styles/histogram.css';
import '../../styles/benchmark.css';
import '../shared/frame.js';
import { Benchmark } from '../benchmark/page.js';
import { byId } from '../shared/dom.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

startDeviceSwitch();
new Benchmark(byId('benchmark'));
