import './ingest.cases.js';
import './tags.cases.js';
import './erased.cases.js';
import './follow.cases.js';
