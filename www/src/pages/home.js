import '../shared/frame.js';
import { startLabs } from '../lab/start.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

startDeviceSwitch();
startLabs();
