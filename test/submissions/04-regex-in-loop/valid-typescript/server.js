// Node.js strips the types by itself.
import './app.ts'
