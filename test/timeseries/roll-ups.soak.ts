import './follow.cases.js';
import './roll-ups.cases.js';
import './ingest.cases.js';
import './tags.cases.js';
import './erased.cases.js';
