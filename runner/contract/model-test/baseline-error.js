/** The slow server does not agree with itself: our fault, not the submission's. */
export class BaselineError extends Error {}
