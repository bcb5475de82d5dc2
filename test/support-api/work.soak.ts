import './examined.cases.js';
import './events.cases.js';
import './two-staff.cases.js';
import './alarm-quality.cases.js';
import './erasure-kills.cases.js';
