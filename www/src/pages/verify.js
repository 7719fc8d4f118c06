import '../../styles/verify.css';
import '../shared/frame.js';
import { byId } from '../shared/dom.js';
import { Verify } from '../verify/page.js';

new Verify(byId('verify'));
