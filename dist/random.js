/******/ // The require scope
/******/ var __nccwpck_require__ = {};
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
var __webpack_exports__ = {};
/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   N: () => (/* binding */ randomUUID)
/* harmony export */ });
/**
 * What the step's bundle has in place of `node:crypto`, of which the toolkit needs one function, for the delimiters of its output
 * files: that module takes as long to load as a tenth of the step. The bytes are the kernel's either way.
 */
const { closeSync, openSync, readSync } = process.getBuiltinModule('node:fs')

const SOURCE = '/dev/urandom'

/** @returns 36 characters; 128 random bits, without the version that a UUID tells */
function randomUUID() {
  if (process.platform === 'win32') return process.getBuiltinModule('node:crypto').randomUUID()
  const bytes = Buffer.alloc(16)
  const file = openSync(SOURCE, 'r')
  try {
    readSync(file, bytes)
  } finally {
    closeSync(file)
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

var __webpack_exports__randomUUID = __webpack_exports__.N;
export { __webpack_exports__randomUUID as randomUUID };
