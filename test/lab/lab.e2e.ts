import './bottle-logs.cases.js';
import './lab-documents.cases.js';
import './lab-queries.cases.js';
import './ttl.cases.js';
