import './sign-in.cases.js';
import './bottles.cases.js';
