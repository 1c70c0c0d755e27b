/**
 * @typedef {object} Figure
 * @property {'rounds' | 'ratio' | 'latency'} kind of its chart
 * @property {string} name of what it shows; together with the kind there is one
 * @property {string} caption HTML
 * @property {string} summary of the table
 * @property {string} table HTML
 * @property {unknown} values for the chart
 */
export {}
