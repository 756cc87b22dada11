import type { LookupFunction } from "node:net"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { cutText } from "../shown-text.ts"
import { findPrivateHostReason, parseUrl, toPlainHost } from "../web/address.ts"
import { decodePage } from "../web/decode-page.ts"
import { convertHtmlToText } from "../web/html-text.ts"
import { type Page, requestPage } from "../web/request.ts"

export interface WebFetchInput {
  readonly url: string
  readonly prompt?: string
}

const mostRedirects = 5
const mostBytes = 2 * 1024 * 1024
const mostCharacters = 40_000
const timeAllowed = 30_000

/** The private hosts that may be requested, and the function that turns names into addresses. */
interface Reach {
  readonly granted: ReadonlySet<string>
  readonly lookup: LookupFunction | undefined
}

/** Reads a page, and follows redirects on the same host. */
export async function fetchPage(
  { granted, lookup }: Reach,
  input: WebFetchInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { url } = input
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeAllowed)])
  let at = checkedUrl(url)
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const host = toPlainHost(at.hostname)
    const isGranted = granted.has(host)
    const why = isGranted ? undefined : await findPrivateHostReason(host)
    if (why !== undefined) throw new PathRefusal(`${at.host} was not requested: ${why}. Give a public page.`)
    const page = await requestPage({
      url: at,
      addresses: isGranted ? "any" : "public",
      signal,
      mostBytes,
      ...(lookup && { lookup }),
    }).catch((error) => {
      context.signal.throwIfAborted()
      if (!signal.aborted) throw error
      throw new PathRefusal(
        `${at.host} took longer than ${timeAllowed / 1000} seconds. Try again later, or another page.`,
      )
    })
    if (page.location === undefined)
      return { text: pageText(at, page), ...(page.status >= 400 && { isError: true }) }
    const next = checkedUrl(page.location, at)
    if (toPlainHost(next.hostname) !== host)
      return {
        text: `${at.href} redirects to another host: ${next.href}\nCall WebFetch with that address to read it.`,
      }
    at = next
  }
  throw new PathRefusal(
    `${url.slice(0, 200)} redirects more than ${mostRedirects} times. Give the final address.`,
  )
}

function checkedUrl(text: string, base?: URL): URL {
  const parsed = parseUrl(text, base)
  if ("problem" in parsed) throw new PathRefusal(parsed.problem)
  parsed.url.hash = ""
  return parsed.url
}

function pageText(url: URL, { status, contentType, body, cut }: Page): string {
  const type = contentType.split(";")[0]!.trim().toLowerCase()
  const head = `${url.href} (status ${status}${type === "" ? "" : `, ${type}`})`
  if (!isText(type, body))
    return `${head}\nThis is not text but ${body.length} bytes of data, so it is not shown.`
  const raw = decodePage(body, contentType)
  const text =
    type.includes("html") || (type === "" && /^\s*<(?:!doctype|html)/i.test(raw))
      ? convertHtmlToText(raw)
      : raw
  const clean = text.replaceAll("\0", "\ufffd").toWellFormed()
  const isCut = cut || clean.length > mostCharacters
  return `${head}\n\n${cutText(clean, mostCharacters)}${isCut ? "\n\n[The page is longer; the rest is left out.]" : ""}`
}

const isText = (type: string, body: Buffer): boolean =>
  /^text\/|json|xml|javascript|yaml|x-www-form/.test(type) ||
  (type === "" && !body.subarray(0, 8000).includes(0))
