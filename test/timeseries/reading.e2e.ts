import './charts.cases.js';
import './reads.cases.js';
import './roll-ups.cases.js';
