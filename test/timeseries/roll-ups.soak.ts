import './follow.cases.js';
import './roll-ups.cases.js';
