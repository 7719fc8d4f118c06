import '../shared/frame.js';
import { startBlocks } from '../blocks/block.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

startDeviceSwitch();
startBlocks();
