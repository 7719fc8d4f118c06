import '../shared/frame.js';
