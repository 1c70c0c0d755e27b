const words = {
  en: {
    site: 'The Daily Loop',
    claim: 'News from the edge of the event loop – every morning, every evening',
    sections: { World: 'Europe,Asia,Africa,The Americas,Oceania,The Poles', Economy: 'Markets,Work,Housing,Trade,Energy,Taxes', Culture: 'Books,Film,Theatre,Music,Exhibitions,Architecture', Science: 'Medicine,Space,Climate,Mathematics,Archaeology,Oceans', Sport: 'Football,Tennis,Athletics,Chess,Cycling,Sailing' },
    by: 'By',
    edition: 'Edition',
    missing: 'There is no such article',
    search: 'It may have moved. Have a look at our sections, or search for it.',
    imprint: 'Letters to the editors are welcome – please give your name and address. We do not print all of them, and we shorten some.'
  },
  de: {
    site: 'Die tägliche Schleife',
    claim: 'Nachrichten vom Rande der Ereignisschleife – jeden Morgen, jeden Abend',
    sections: { Welt: 'Europa,Asien,Afrika,Amerika,Ozeanien,Die Pole', Wirtschaft: 'Börse,Arbeit,Wohnen,Handel,Energie,Steuern', Kultur: 'Bücher,Film,Theater,Musik,Ausstellungen,Architektur', Wissen: 'Medizin,Weltraum,Klima,Mathematik,Archäologie,Meere', Sport: 'Fußball,Tennis,Leichtathletik,Schach,Radsport,Segeln' },
    by: 'Von',
    edition: 'Ausgabe',
    missing: 'Diesen Artikel gibt es nicht',
    search: 'Vielleicht ist er umgezogen. Sehen Sie in unsere Ressorts, oder suchen Sie nach ihm.',
    imprint: 'Leserbriefe sind willkommen – bitte mit Namen und Anschrift. Wir drucken nicht alle, und manche kürzen wir.'
  },
  fr: {
    site: 'La Boucle du jour',
    claim: 'Des nouvelles du bord de la boucle d’événements – chaque matin, chaque soir',
    sections: { Monde: 'Europe,Asie,Afrique,Amériques,Océanie,Les pôles', Économie: 'Bourse,Travail,Logement,Commerce,Énergie,Impôts', Culture: 'Livres,Cinéma,Théâtre,Musique,Expositions,Architecture', Sciences: 'Médecine,Espace,Climat,Mathématiques,Archéologie,Océans', Sport: 'Football,Tennis,Athlétisme,Échecs,Cyclisme,Voile' },
    by: 'Par',
    edition: 'Édition',
    missing: 'Cet article n’existe pas',
    search: 'Il a peut-être déménagé. Parcourez nos rubriques, ou cherchez-le.',
    imprint: 'Les lettres à la rédaction sont bienvenues – avec nom et adresse, s’il vous plaît. Nous ne les imprimons pas toutes, et nous en abrégeons.'
  }
}

export const languages = Object.keys(words)

export function articlePage (article) {
  const { by, edition } = words[article.lang]
  return frame(article.lang, article.title, [
    `<article lang="${article.lang}" id="${escape(article.id)}">`,
    `<h1>${escape(article.title)}</h1>`,
    `<p class="by">${by} ${escape(article.author)} · ${edition} ${article.edition} · ${escape(article.mark)}</p>`,
    ...article.paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    '</article>'
  ])
}

export function notFoundPage (lang) {
  const { missing, search } = words[lang]
  return frame(lang, missing, [`<h1>${missing}</h1>`, `<p>${search}</p>`])
}

function frame (lang, title, lines) {
  const { site, claim, sections, imprint } = words[lang]
  return [
    '<!doctype html>',
    `<html lang="${lang}">`,
    `<head><meta charset="utf-8"><title>${escape(title)} – ${site}</title>`,
    '<style>',
    ...styles,
    '</style></head>',
    '<body>',
    `<header><a class="site" href="/">${site}</a><p class="claim">${claim}</p></header>`,
    '<nav>',
    ...Object.entries(sections).flatMap(([section, topics]) => [
      `<section><h2><a href="/sections/${slug(section)}">${section}</a></h2><ul>`,
      ...topics.split(',').map((topic) => `<li><a href="/sections/${slug(section)}/${slug(topic)}" title="${section} – ${topic}">${topic}</a></li>`),
      '</ul></section>'
    ]),
    '</nav>',
    '<main>',
    ...lines,
    '</main>',
    `<footer><p>${imprint}</p><p>© ${site}</p></footer>`,
    '</body></html>',
    ''
  ].join('\n')
}

const places = ['body', 'header', 'header .site', 'header .claim', 'nav', 'nav section', 'nav h2', 'nav ul', 'nav li', 'nav a', 'nav a:hover', 'nav a:visited', 'main', 'main a', 'main a:hover', 'article', 'article h1', 'article h2', 'article p', 'article p:first-of-type', 'article .by', 'article figure', 'article figcaption', 'aside', 'aside h2', 'aside li', 'form', 'form input', 'form button', 'footer', 'footer p', 'footer a']
const styles = places.flatMap((place, index) => [
  `${place} { margin: ${index % 3}rem auto; padding: ${index % 2}rem; font: ${index % 4 + 14}px/1.${index % 3 + 4} Georgia, serif; color: #2${index % 10}2${index % 10}2${index % 10}; background: #f${index % 10}f${index % 10}f${index % 10} }`,
  `@media print { ${place} { margin: 0; padding: 0; color: #000; background: none } }`
])

function slug (text) {
  return encodeURIComponent(text.toLowerCase().replaceAll(' ', '-'))
}

function escape (text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
