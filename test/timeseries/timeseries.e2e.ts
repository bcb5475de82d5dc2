import './charts.cases.js';
import './reads.cases.js';
