import type { McpServerSettings } from "./mcp-server.ts"

/** A text of an entry, with the key that it belongs to and the name of its value there. */
export interface EntryText {
  readonly key: string
  /** The variable, header or option that the text is the value of. */
  readonly name: string
  readonly text: string
}

interface EntryTextProblem {
  readonly key: string
  /** A phrase that follows the name of the server. */
  readonly problem: string
}

/** Finds a literal value whose name says that it is a secret, or that has the shape of one. */
export function findLiteralSecret(texts: readonly EntryText[]): EntryTextProblem | undefined {
  const match = texts.find(isLiteralSecret)
  if (!match) return undefined
  const { key, name } = match
  const variable = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : variableFor(name)
  const written = /^authorization$/i.test(name) ? `"Bearer \${${variable}}"` : `"\${${variable}}"`
  return {
    key,
    problem: `has a secret written out in \`${key}\`${name === "" ? "" : ` (${name})`}. Files of a project and definitions are shared and kept: write ${written}, set that variable in your environment, and revoke the secret`,
  }
}

/** Finds a variable in the notation of another host, which would stay as it is written. */
export function findStrangeVariable(texts: readonly EntryText[]): EntryTextProblem | undefined {
  for (const { key, text } of texts) {
    if (!text.includes("$")) continue
    const [written, name] =
      /\$\{\{\s*(?:secrets|vars|env)\.([A-Za-z_]\w*)\s*\}\}/.exec(text) ??
      /\$\{(?:env|input|secret):([\w-]+)\}/.exec(text) ??
      (key === "env" || key === "headers" ? /(?:^|\s)\$([A-Za-z_]\w*)$/.exec(text) : null) ??
      []
    if (written !== undefined)
      return {
        key,
        problem: `has ${JSON.stringify(written.trim())} in \`${key}\`, which is not a variable here. Write "\${${variableFor(name!)}}", and set that variable in your environment`,
      }
    // A shell's own notation may stand in an argument.
    const other =
      key === "args" || key === "command"
        ? undefined
        : /\$\{(?![A-Za-z_]\w*(?::-[^}]*)?\})[^}]*\}/.exec(text)?.[0]
    if (other !== undefined)
      return {
        key,
        problem: `has ${JSON.stringify(other)} in \`${key}\`, which is not a variable here. Write "\${NAME}" or "\${NAME:-default}", or the value itself`,
      }
  }
  return undefined
}

/** Lists every text of an entry. An option of a program is the name of the argument after it. */
export function listEntryTexts(settings: McpServerSettings): readonly EntryText[] {
  const texts: EntryText[] = []
  if ("url" in settings) {
    texts.push(...queryOf(settings.url), { key: "url", name: "", text: settings.url })
    addValues(texts, "headers", settings.headers)
    return texts
  }
  const { command, args = [] } = settings
  texts.push({ key: "command", name: "", text: command })
  for (const [index, text] of args.entries()) texts.push(argumentText(text, args[index - 1]))
  addValues(texts, "env", settings.env)
  return texts
}

function addValues(texts: EntryText[], key: string, values: { readonly [name: string]: string } = {}): void {
  for (const name of Object.keys(values)) texts.push({ key, name, text: values[name]! })
}

function argumentText(text: string, before: string | undefined): EntryText {
  const [, option, value] = (text.includes("=") && /^(-{0,2}[\w-]+)=(.*)$/s.exec(text)) || []
  if (option !== undefined) return { key: "args", name: option.replace(/^-+/, ""), text: value! }
  const name = before?.startsWith("--") && !before.includes("=") ? before.replace(/^-+/, "") : ""
  return { key: "args", name, text }
}

const queryOf = (url: string): readonly EntryText[] =>
  [...url.matchAll(/[?&]([\w.-]+)=([^&#]*)/g)].map(([, name, text]) => ({
    key: "url",
    name: name!,
    text: text!,
  }))

function isLiteralSecret({ name, text }: EntryText): boolean {
  if (text.length < shortest) return false
  const value = text.replace(/^(?:Bearer|Basic|Token)\s+/i, "").trim()
  if (value.includes("${")) return false
  if (shapes.test(value)) return true
  return value.length >= shortest && secretName.test(name) && !isPlain(value)
}

/** The end of the name decides: `TOKEN_LIMIT` is a number, and `KEY_FILE` is a path. */
const secretName = /(?:^|[_-]|[a-z])(?:key|token|secret|passw(?:or)?d|credentials?|auth|authorization)$/i
const shortest = 8

/** Paths, numbers and flags are no secrets. */
const isPlain = (value: string): boolean => /^(?:[~/.]|[\d.]+$|true$|false$)/.test(value)

/** The beginnings that some providers give to their keys. */
const shapes = new RegExp(
  [
    /\bsk-(?:ant-|proj-|or-)?[\w-]{20,}/,
    /\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{40,}/,
    /\bglpat-[\w-]{20,}/,
    /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
    /\bxox[abeoprs]-[\w-]{20,}/,
    /\bAIza[\w-]{35}/,
    /\bnpm_[A-Za-z0-9]{36}\b/,
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
    /\beyJ[\w-]{12,}\.eyJ[\w-]{12,}\./,
  ]
    .map(({ source }) => source)
    .join("|"),
)

const variableFor = (name: string): string =>
  name === "" ? "NAME" : name.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase()
