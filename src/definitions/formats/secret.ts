import type { Json } from "../../ground/message.ts"
import { toPlainKey } from "../../ground/restricting.ts"
import type { KeyPath } from "./document/yaml.ts"
import type { Problem } from "./problem.ts"

const names: ReadonlySet<string> = new Set(["apikey", "apitoken", "authtoken", "accesstoken", "secretkey"])

/**
 * True if a key is named like an API key and has a value. A value with `$` counts as a reference to a variable. Call it for
 * keys that the format does not know.
 */
export const isSecret = (key: string, value: Json | undefined): boolean =>
  typeof value === "string" && value.trim() !== "" && !value.includes("$") && isSecretKey(key)

export const isSecretKey = (key: string): boolean => names.has(toPlainKey(key))

/** The warning about a secret. Agents are kept with their runs and shown to people, so a secret is left out of them. */
export const makeSecretProblem = (path: KeyPath): Problem => ({
  code: "secret-in-file",
  severity: "warning",
  message: `\`${path.join(".")}\` is a secret, so cadre ignores it: definitions are shown, shared and kept with runs. Put it into the provider's environment variable, and revoke it if this file was ever shared.`,
  at: { type: "key", path },
})
