import './ingest.cases.js';
import './tags.cases.js';
import './erased.cases.js';
import './follow.cases.js';
import './charts.cases.js';
import './reads.cases.js';
import './roll-ups.cases.js';
