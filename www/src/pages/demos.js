import '../../styles/histogram.css';
import '../shared/frame.js';
import { startFlights } from '../demos/flights.js';
import { startDeviceSwitch } from '../shared/device-switch.js';

startDeviceSwitch();
startFlights(document.getElementById('histogram'));
