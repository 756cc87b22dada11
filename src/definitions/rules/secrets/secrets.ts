import type { Span } from "../../../ground/diagnostics/position.ts"

export interface Secret {
  readonly kind: string
  readonly span: Span
  /** The first characters, which a message may show. */
  readonly start: string
}

/** The most secrets that are listed for one file. */
const mostSecrets = 100

/** Finds keys and tokens by their shape. Obvious placeholders do not count. */
export function findSecrets(text: string): readonly Secret[] {
  const secrets: Secret[] = []
  for (const piece of piecesOf(text))
    for (const { kind, pattern, isReal, cut } of shapes)
      for (const match of piece.text.matchAll(pattern)) {
        if (secrets.length >= mostSecrets) break
        const secret = cut?.(match[0]) ?? match[1] ?? match[0]
        const start = piece.start + match.index + match[0].lastIndexOf(secret)
        const span = { start, end: start + secret.length }
        const isKnown = secrets.some((other) => span.start < other.span.end && other.span.start < span.end)
        if (!isKnown && isReal(secret)) secrets.push({ kind, span, start: secret.slice(0, 4) })
      }
  return secrets.sort((left, right) => left.span.start - right.span.start)
}

/** Masks every secret in a text. The length of the text and all offsets stay the same. */
export function maskSecrets(text: string): string {
  let masked = text
  for (const { span } of findSecrets(text))
    masked = masked.slice(0, span.start + 4) + "*".repeat(span.end - span.start - 4) + masked.slice(span.end)
  return masked
}

/** The parts of a text that may hold a secret: long words with a digit, and the text before them. Makes large files fast. */
function piecesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  if (text.includes("PRIVATE KEY-----")) return [{ text, start: 0 }]
  const pieces: { text: string; start: number }[] = []
  let begin = 0
  while (begin + shortestWord <= text.length) {
    // The search starts where the shortest secret would end. Most words are shorter, so most of the text is skipped.
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

/** Every shape below contains one of these texts, in lower case. Most long words contain none, and the search is fast. */
const signs = [
  ...["sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "akia", "asia", "xox", "aiza"],
  ...["_live_", "npm_", "hf_", "sg.", "private key", "eyj", "key", "secret", "token", "password"],
]

function mayHold(text: string): boolean {
  const lower = text.toLowerCase()
  return signs.some((sign) => lower.includes(sign))
}

/** By code unit: whether it may occur in a key or token. A regular expression would take ten times as long. */
const isWordUnit = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[\w+/=.-]/.test(String.fromCharCode(unit)) ? 1 : 0,
)

interface Shape {
  readonly kind: string
  /** If the pattern has a group, the group is the secret. */
  readonly pattern: RegExp
  readonly isReal: (secret: string) => boolean
  /** Cuts the secret out of a match. */
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
    // Matches from the start of the word. Matching from every `eyJ` would read a row of them over and over.
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

/** True if a text shows no sign of being made up, such as words, repeated characters or counting. */
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

/** True if letters and digits are mixed as only a generator mixes them. */
function isRandom(secret: string): boolean {
  const changes = secret.match(/[a-zA-Z]\d|\d[a-zA-Z]/g)?.length ?? 0
  return isUnmarked(secret) && changes >= 4 && entropyOf(secret) >= 3.2
}

/** The entropy in bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  )
}
