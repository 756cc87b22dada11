/** Decodes the named characters that pages really use, and all numbers. Unknown names stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text
  return text.replace(/&(#x?[0-9a-f]{1,8}|[a-z][a-z0-9]{1,10});?/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return namedCharacters[name] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
      ? String.fromCodePoint(code)
      : "\ufffd"
  })
}

const namedCharacters: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  larr: "←",
  rarr: "→",
  deg: "°",
  para: "¶",
  sect: "§",
  euro: "€",
  pound: "£",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
})
