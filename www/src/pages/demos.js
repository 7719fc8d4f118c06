import '../../styles/demos.css';
import '../../styles/histogram.css';
import '../shared/frame.js';
import { startNear } from '../demos/device.js';
import { byId } from '../shared/dom.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

/** Each demo is loaded when it comes near the screen. */
const demos = {
  linked: async () => (await import('../demos/linked/panel.js')).LinkedPanel,
  density: async () => (await import('../demos/density/panel.js')).DensityPanel,
  image: async () => (await import('../demos/image/panel.js')).ImagePanel,
  atlas: async () => (await import('../demos/atlas/panel.js')).AtlasPanel,
  ranks: async () => (await import('../demos/ranks/panel.js')).RanksPanel,
  club: async () => (await import('../demos/club/panel.js')).ClubPanel,
  histogram: async () => (await import('../demos/histogram/panel.js')).HistogramPanel,
};

startDeviceSwitch();
for (const [id, load] of Object.entries(demos)) startNear(byId(id), load);
