import { type Headers, one } from "./headers.ts"
import { fields, parsed } from "./json.ts"

/** What a provider says of a failure. */
export interface Said {
  readonly message: string
  /** `type`, `code` and `status` as the provider gave them. */
  readonly words: string
  /** How long it asks to wait, in milliseconds, where it says so in the body. */
  readonly wait?: number
  /** A quota that is not full again soon. */
  readonly quota?: "day"
}

/** Never throws: a reason nested deeply enough exhausts the stack of whoever writes it out. */
export function saidBy(text: string, headers: Headers, size: number): Said {
  try {
    return providerError(text, headers, size)
  } catch {
    return { message: `a reason that cannot be shown (${size} bytes)`, words: "" }
  }
}

/** What an error object says, and what somebody says in it whom the provider only hands on. */
export function errorWords(error: unknown): Said {
  if (typeof error === "string") return { message: error, words: "" }
  const given = fields(error)
  const { metadata, details } = given
  const message = [given.message, given.detail, given.error].find(
    (value) => value !== undefined && value !== null,
  )
  const own: Said = {
    message: typeof message === "string" ? message : message === undefined ? "" : JSON.stringify(message),
    words: [given.type, given.code, given.status].map(word).join(" "),
  }
  const behind = behindIt(fields(metadata))
  const all = behind ? handedOn(own, behind, word(fields(metadata).provider_name)) : own
  return { ...all, ...waitIn(details, all.message) }
}

/** Only what is text already: an object with a `toString` of its own must not be asked for it. */
export const word = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : ""

function providerError(text: string, headers: Headers, size: number): Said {
  const type = one(headers["content-type"])
  if (!/html/i.test(type)) {
    const value = parsed(text)
    const outer = fields(Array.isArray(value) ? value[0] : value)
    const said = errorWords(outer.error ?? (value === undefined || value === null ? undefined : outer))
    if (said.message) return said
    if (text.trim() !== "") return { ...said, message: text.trim() }
  }
  // A page of a proxy or a firewall says in its title what it is.
  const title = /<title>([^<]{1,200})<\/title>/i.exec(text.slice(0, 8192))?.[1]?.trim()
  const page = `${size} bytes of ${type || "unnamed content"}`
  return {
    message: title ? `a page with the title ${JSON.stringify(title)} (${page})` : `no reason given (${page})`,
    words: "",
  }
}

/** OpenRouter hands on what the provider behind it said: as a text that is JSON, as plain text, or as a value. */
function behindIt({ raw }: Record<string, unknown>): Said | undefined {
  if (raw === undefined || raw === null || raw === "") return undefined
  const value = typeof raw === "string" ? (parsed(raw) ?? raw) : raw
  const said = errorWords(typeof value === "object" ? (fields(value).error ?? value) : String(value))
  return said.message === "" ? { ...said, message: word(raw) } : said
}

function handedOn(own: Said, behind: Said, name: string): Said {
  if (behind.message === "") return own
  const who = name === "" ? "" : ` (${name})`
  return {
    ...behind,
    message: `${own.message}${who}: ${behind.message}`,
    words: `${own.words} ${behind.words}`,
  }
}

/** Google says in details how long to wait and which quota was met; others in their sentence. */
function waitIn(details: unknown, message: string): Pick<Said, "wait" | "quota"> {
  const list = Array.isArray(details) ? details.map(fields) : []
  const delay = list.map(({ retryDelay }) => /^([\d.]+)s$/.exec(word(retryDelay))?.[1]).find(Boolean)
  const isDaily = list.some(
    ({ violations }) =>
      Array.isArray(violations) && violations.some((one) => /PerDay/i.test(word(fields(one).quotaId))),
  )
  const wait = delay === undefined ? spokenWait(message) : Math.ceil(Number(delay) * 1000)
  return {
    ...(wait !== undefined && wait > 0 && Number.isFinite(wait) && { wait }),
    ...(isDaily && { quota: "day" as const }),
  }
}

/** `Please try again in 1m30.5s.`, `in 20ms`, `retry after 12 seconds`. */
function spokenWait(message: string): number | undefined {
  const [, minutes, seconds, milliseconds] =
    /(?:try again|retry) (?:in|after) (?:(\d+) ?m(?:in(?:utes?)?)?(?![a-z]))? ?(?:([\d.]+) ?s(?:ec(?:onds?)?)?\b)?(?:([\d.]+) ?ms\b)?/i.exec(
      message,
    ) ?? []
  if (minutes === undefined && seconds === undefined && milliseconds === undefined) return undefined
  return Math.ceil(Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000 + Number(milliseconds ?? 0))
}
