import './ingest.cases.js';
import './tags.cases.js';
import './erased.cases.js';
import './charts.cases.js';
import './reads.cases.js';
