import '../../styles/demos.css';
import '../../styles/home.css';
import '../shared/frame.js';
import { startLabs } from '../lab/start.js';
import { startDeviceSwitch } from '../shared/device-switch.js';
import { startFlights } from '../home/flights.js';

startFlights();
startDeviceSwitch();
startLabs();
