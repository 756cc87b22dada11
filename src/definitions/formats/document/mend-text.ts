/** Rewrites an entry whose value was meant as text, but is invalid YAML or is read as something else. */
export function repairText(key: string, entry: string): string {
  const value = entry.slice(entry.indexOf(":") + 1).trim()
  const block = /^([|>][-+]?)\d?([-+]?)[ \t]*(?:#.*)?\r?\n([\s\S]*)$/.exec(value)
  if (!block) return writeTextEntry(key, dedentRest(removeQuotes(value)), entry)
  const { indent, ending } = frameOf(entry)
  return `${indent}${key}: ${block[1]}${block[2]}\n${indentLines(dedentLines(block[3]!), indent)}${ending}`
}

/** Writes a key with its text in quotes, or as a block if it has several lines. Indent and line end are the entry's. */
export function writeTextEntry(key: string, text: string, entry: string): string {
  const { indent, ending } = frameOf(entry)
  return `${indent}${key}: ${styleText(text, indent)}${ending}`
}

const frameOf = (entry: string) => ({
  indent: /^ */.exec(entry)![0],
  ending: /\r?\n$/.exec(entry)?.[0] ?? "",
})

function styleText(text: string, indent: string): string {
  if (unusual.test(text)) return inDoubleQuotes(text)
  if (!text.includes("\n")) return `'${text.replaceAll("'", "''")}'`
  // A block would lose blanks at its edges and in blank lines.
  if (/^[ \t\n]|\n$|\n[ \t]+(?:\n|$)/.test(text)) return inDoubleQuotes(text)
  return `|-\n${indentLines(text, indent)}`
}

/** Characters that YAML readers disagree about or refuse outside double quotes. */
const unusual = /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

const inDoubleQuotes = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const indentLines = (text: string, indent: string): string =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? "" : `${indent}  ${line}`))
    .join("\n")

/** Removes the common indentation of all lines after the first. */
function dedentRest(text: string): string {
  const [first = "", ...rest] = linesOf(text)
  let common = Number.POSITIVE_INFINITY
  for (const line of rest) if (line !== "") common = Math.min(common, widthOf(line))
  return [first, ...rest.map((line) => line.slice(Math.min(common, line.length)))].join("\n")
}

/** Removes the indentation of the first line from every line. A line with less indentation loses all of it. */
function dedentLines(text: string): string {
  const lines = linesOf(text)
  const width = widthOf(lines.find((line) => line !== "") ?? "")
  return lines.map((line) => line.slice(Math.min(width, widthOf(line)))).join("\n")
}

const linesOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).map((line) => (line.trim() === "" ? "" : line))

const widthOf = (line: string): number => line.length - line.trimStart().length

/** Removes quotes that failed as YAML quotes, and resolves the escapes inside them. */
function removeQuotes(value: string): string {
  const quote = value[0]
  if (quote !== '"' && quote !== "'") return value
  switch (endOfQuotes(value, quote)) {
    case "never":
      return value.slice(1)
    case "early":
      return value
    case "last":
      return quote === "'"
        ? value.slice(1, -1).replaceAll("''", "'")
        : value
            .slice(1, -1)
            .replaceAll(/\\(["\\/nt])/g, (_, escaped: string) =>
              escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped,
            )
  }
}

/** Finds where the opening quote of a value is closed: at its last character, earlier, or never. */
function endOfQuotes(value: string, quote: string): "last" | "early" | "never" {
  let depth = 1
  for (let at = value.indexOf(quote, 1); at >= 0; at = value.indexOf(quote, at + 1)) {
    const [before, after] = [value[at - 1]!, value[at + 1]]
    if (before === "\\" || before === quote || after === quote) continue
    if (after === undefined) return depth === 1 ? "last" : "never"
    if (/[\s([{,;:=]/.test(before) && /\S/.test(after)) depth++
    else if (/[\s)\]},.;:!?]/.test(after)) depth--
    if (depth === 0) return "early"
  }
  return "never"
}
