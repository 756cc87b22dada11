import type { ModelError } from "../../../agent/model.ts"
import { inJson } from "../secrets.ts"

/**
 * The error as it may leave the client: without a secret, and bounded. In this order, lest a cut leave half a
 * secret.
 */
export function presentable(error: ModelError, secrets: readonly string[]): ModelError {
  let message = redacted(error.message, secrets)
  if (message.length > longestMessage) message = `${message.slice(0, longestMessage)}…`
  return { ...error, message: message.toWellFormed() }
}

/** What a reply says, and why it says no more. */
export const withRefusal = (text: string, refusal: string): string =>
  text !== "" && refusal !== "" ? `${text}\n\n${refusal}` : text || refusal

export function redacted(text: string, secrets: readonly string[]): string {
  let shown = text
  // By number, here and in `secretSet`: they see every text of every event, and an iterator is an object.
  for (let index = 0; index < secrets.length; index++) {
    const secret = secrets[index]!
    if (shown.length >= secret.length && shown.includes(secret))
      shown = shown.replaceAll(secret, "[redacted]")
  }
  return shown
}

/**
 * What must not be shown of a request's headers. A value of a few letters is no secret, and would blank out
 * words.
 */
export function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie|credential/i.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, "")])
    .flatMap((value) => [value, inJson(value)])
  return [...new Set(values)]
    .filter((value) => value.length >= 6)
    .sort((left, right) => right.length - left.length)
}

const longestMessage = 1000
