import './sign-in.cases.js';
import './bottles.cases.js';
import './message.cases.js';
