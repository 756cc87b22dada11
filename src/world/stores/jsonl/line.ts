import type { crc32 } from "node:zlib"

/**
 * Makes a line of a log or inbox: `{"crc":"1a2b3c4d",` and then the rest of an object. The sum covers the object's own
 * text, without the `crc`. A `+` after the sum says that the next line belongs to the same append, and only counts with
 * it.
 */
export function seal(text: string, place: "last" | "more" = "last"): string {
  return `${start}${computeCrc(text).toString(16).padStart(8, "0")}${place === "more" ? "+" : ""}",${text.slice(1)}\n`
}

export type Unsealed =
  | {
      readonly type: "good"
      readonly text: string
      readonly value: Record<string, unknown>
      readonly place: "last" | "more"
    }
  | { readonly type: "bad"; readonly reason: string }

/** Checks and parses a line, given without its newline. */
export function unseal(line: Buffer): Unsealed {
  if (line.length < start.length + 12 || line.toString("latin1", 0, start.length) !== start)
    return invalidLine
  const place = line[start.length + 8] === plus ? "more" : "last"
  const rest = start.length + 8 + (place === "more" ? 1 : 0)
  if (line[rest] !== quote || line[rest + 1] !== comma) return invalidLine
  const sum = Number.parseInt(line.toString("latin1", start.length, start.length + 8), 16)
  if (computeCrc(line.subarray(rest + 2), crcOfBrace) !== sum)
    return { type: "bad", reason: "the checksum does not match" }
  const text = `{${line.toString("utf8", rest + 2)}`
  try {
    return { type: "good", text, value: JSON.parse(text), place }
  } catch {
    return invalidLine
  }
}

const start = '{"crc":"'
const [plus, quote, comma] = Buffer.from('+",')
/** `zlib` is loaded at first use, so that importing `cadre` stays fast. */
export const computeCrc: typeof crc32 = (data, value) => {
  crcFunction ??= process.getBuiltinModule("node:zlib").crc32
  return crcFunction(data, value)
}
let crcFunction: typeof crc32 | undefined

export const crcOfBrace = 0x15d54739
const invalidLine: Unsealed = { type: "bad", reason: "it is not a line of this format" }
