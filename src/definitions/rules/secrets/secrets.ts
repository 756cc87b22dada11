import type { Span } from "../../../ground/diagnostics/position.ts"

export interface Secret {
  readonly kind: string
  readonly span: Span
  /** As much of it as may be shown. */
  readonly start: string
}

/** Enough to know that a file is full of them. */
const mostSecrets = 100

/** Keys and tokens by their shape. What is plainly a placeholder does not count. */
export function findSecrets(text: string): readonly Secret[] {
  const found: Secret[] = []
  for (const piece of piecesOf(text))
    for (const { kind, pattern, isReal, cut } of shapes)
      for (const match of piece.text.matchAll(pattern)) {
        if (found.length >= mostSecrets) break
        const secret = cut?.(match[0]) ?? match[1] ?? match[0]
        const start = piece.start + match.index + match[0].lastIndexOf(secret)
        const span = { start, end: start + secret.length }
        const isKnown = found.some((other) => span.start < other.span.end && other.span.start < span.end)
        if (!isKnown && isReal(secret)) found.push({ kind, span, start: secret.slice(0, 4) })
      }
  return found.sort((left, right) => left.span.start - right.span.start)
}

/** The text with every secret in it made unreadable; nothing in it moves. */
export function maskSecrets(text: string): string {
  let masked = text
  for (const { span } of findSecrets(text))
    masked = masked.slice(0, span.start + 4) + "*".repeat(span.end - span.start - 4) + masked.slice(span.end)
  return masked
}

/** Where a secret can be at all: long words with a digit, and what they are called. It keeps large files cheap. */
function piecesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  if (text.includes("PRIVATE KEY-----")) return [{ text, start: 0 }]
  const pieces: { text: string; start: number }[] = []
  let begin = 0
  while (begin + shortestWord <= text.length) {
    // From where the shortest would end: most words are shorter, so most of the text is never looked at.
    let last = begin + shortestWord - 1
    while (last >= begin && isWordUnit[text.charCodeAt(last)] === 1) last--
    if (last >= begin) {
      begin = last + 1
      continue
    }
    let end = begin + shortestWord
    while (isWordUnit[text.charCodeAt(end)] === 1) end++
    const start = Math.max(0, begin - 40)
    const piece = text.slice(start, end + 1)
    if (/\d|hf_/.test(text.slice(begin, end)) && mayHold(piece)) pieces.push({ text: piece, start })
    begin = end + 1
  }
  return pieces
}

const shortestWord = 20

/** A part of every shape below, in lower case. Most long words hold none, and looking for these is quick. */
const signs = [
  ...["sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "akia", "asia", "xox", "aiza"],
  ...["_live_", "npm_", "hf_", "sg.", "private key", "eyj", "key", "secret", "token", "password"],
]

function mayHold(text: string): boolean {
  const lower = text.toLowerCase()
  return signs.some((sign) => lower.includes(sign))
}

/** By code unit: letters, digits and what keys are written with. A regular expression takes ten times as long. */
const isWordUnit = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[\w+/=.-]/.test(String.fromCharCode(unit)) ? 1 : 0,
)

interface Shape {
  readonly kind: string
  /** With a group, the secret is what the group holds. */
  readonly pattern: RegExp
  readonly isReal: (secret: string) => boolean
  /** What of a match is the secret. */
  readonly cut?: (match: string) => string
}

const shape = (kind: string, pattern: RegExp, isReal: Shape["isReal"] = isUnmarked): Shape => ({
  kind,
  pattern,
  isReal,
})

const shapes: readonly Shape[] = [
  shape("an Anthropic key", /\bsk-ant-[a-z]+\d*-[\w-]{24,}/g),
  shape("an OpenRouter key", /\bsk-or-v1-[0-9a-f]{40,}/g),
  shape("an OpenAI key", /\bsk-(?:proj|svcacct|admin)-[\w-]{32,}/g),
  shape("an OpenAI key", /\bsk-[A-Za-z0-9]{40,}\b/g, isRandom),
  shape("a GitHub token", /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}/g),
  shape("a GitLab token", /\bglpat-[\w-]{20,}/g),
  shape("an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g),
  shape("a Slack token", /\bxox[abeoprs]-\d{8,}-[\w-]{16,}/g),
  shape("a Google key", /\bAIza[\w-]{35}(?![\w-])/g),
  shape("a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{20,}\b/g),
  shape("an npm token", /\bnpm_[A-Za-z0-9]{36}\b/g),
  shape("a Hugging Face token", /\bhf_[A-Za-z]{34}\b/g),
  shape("a SendGrid key", /\bSG\.[\w-]{22}\.[\w-]{43}\b/g),
  shape(
    "a private key",
    /-----BEGIN (?:[A-Z]{1,20} ){0,4}PRIVATE KEY-----(?:\s|\\n){1,40}((?:[A-Za-z0-9+/=]{40,4000}(?:\s|\\n){0,40}){1,400})/g,
    (secret) => entropyOf(secret) >= 4,
  ),
  {
    kind: "a signed token (JWT)",
    // From the start of the word: from every `eyJ` in it, a row of them would be read over and over.
    pattern: /(?<![\w-])[\w-]{15,}\.eyJ[\w-]{12,}\.[\w-]{20,}/g,
    isReal: (token) => token.startsWith("eyJ") && isUnmarked(token),
    cut: (match) => match.slice(Math.max(0, match.search(/\beyJ[\w-]{12}/))),
  },
  shape(
    "a secret value",
    /(?:api[_-]?key|secret|token|password|access[_-]?key)["'`]?[ \t]*[:=][ \t]*["'`]?([A-Za-z0-9+/_=-]{24,128})(?=["'`\s,;}]|$)/gi,
    (secret) => isRandom(secret) && !/key|token|secret|pass/i.test(secret),
  ),
]

/** Nothing about it says that it was made up: words, rows of one character, counting. */
function isUnmarked(secret: string): boolean {
  return !(
    /example|your|placeholder|dummy|fake|sample|redacted|change_?me|insert|replace|abcdef|qwerty/i.test(
      secret,
    ) ||
    /(.)\1{3}|1234|9876/.test(secret) ||
    // The token that jwt.io shows, which half of all documentation copies.
    secret.includes("eyJzdWIiOiIxMjM0NTY3ODkw")
  )
}

/** Letters and digits mixed as a generator mixes them and nobody else does. */
function isRandom(secret: string): boolean {
  const changes = secret.match(/[a-zA-Z]\d|\d[a-zA-Z]/g)?.length ?? 0
  return isUnmarked(secret) && changes >= 4 && entropyOf(secret) >= 3.2
}

/** Bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  )
}
