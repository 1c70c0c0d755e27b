/** Texts of the folder docs/ that have a page, and their titles. No other file of it is shown. */
export const docs = {
  'which-tool': 'Which tool when',
  gallery: 'Ten shapes',
  'cheat-sheet': 'Cheat sheet',
  glossary: 'Glossary',
  'your-own-service': 'Your own service',
  compare: 'Compare two servers'
}

/** @param {string} name @returns {name is keyof typeof docs} */
export function isDoc (name) {
  return Object.hasOwn(docs, name)
}
