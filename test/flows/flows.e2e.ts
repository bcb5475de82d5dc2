import './messages.cases.js';
