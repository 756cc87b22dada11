import type { ModelError } from "../../../agent/model.ts"
import { escapeForJson } from "../secrets.ts"

/**
 * Prepares an error for display: redacts secrets, then limits the length. In the other order a cut could leave half a
 * secret.
 */
export function presentError(error: ModelError, secrets: readonly string[]): ModelError {
  let message = redactSecrets(error.message, secrets)
  if (message.length > longestMessage) message = `${message.slice(0, longestMessage)}…`
  return { ...error, message: message.toWellFormed() }
}

/** Joins the text of a reply and its refusal. */
export const joinRefusal = (text: string, refusal: string): string =>
  text !== "" && refusal !== "" ? `${text}\n\n${refusal}` : text || refusal

export function redactSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  // The loop uses an index, here and in `secretSet`: it runs for every text of every event, and an iterator is an
  // object.
  for (let index = 0; index < secrets.length; index++) {
    const secret = secrets[index]!
    if (clean.length >= secret.length && clean.includes(secret))
      clean = clean.replaceAll(secret, "[redacted]")
  }
  return clean
}

/**
 * The secret values in a request's headers. Very short values are ignored, because redacting them would remove ordinary
 * words.
 */
export function collectHeaderSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie|credential/i.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, "")])
    .flatMap((value) => [value, escapeForJson(value)])
  return [...new Set(values)]
    .filter((value) => value.length >= 6)
    .sort((left, right) => right.length - left.length)
}

const longestMessage = 1000
