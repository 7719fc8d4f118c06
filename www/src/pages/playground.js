import '../shared/frame.js';
import '../../styles/playground.css';

// The editor and its words are the weight of this page: the frame and the text stand before they come.
const { Playground } = await import('../playground/playground.js');
await new Playground(document.getElementById('playground')).start();
